import torch


def rounds(fn, n):
    if n == 0:
        return []
    a = torch.cuda.Event(enable_timing=True)
    b = torch.cuda.Event(enable_timing=True)
    a.record()
    fn()
    b.record()
    torch.cuda.synchronize()
    return [a.elapsed_time(b), *rounds(fn, n - 1)]


def middle(values):
    if len(values) <= 2:
        return sum(values) / len(values)
    return middle(sorted(values)[1:-1])


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    rounds(fn, warmup)
    return middle(rounds(fn, reps))
