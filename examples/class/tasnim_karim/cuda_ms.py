import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    for _ in range(warmup):
        fn()
    out = []
    for _ in range(reps):
        start = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        start.record()
        fn()
        end.record()
        while not end.query():
            pass
        out.append(start.elapsed_time(end))
    return sorted(out)[len(out) // 2]
