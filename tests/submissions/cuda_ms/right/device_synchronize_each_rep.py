import torch


def cuda_ms(fn, warmup: int = 3, reps: int = 20) -> float:
    if not reps >= 1:
        raise ValueError("at least one repetition is needed")
    device = torch.device("cuda")
    i = 0
    while i < warmup:
        fn()
        i += 1
    torch.cuda.synchronize(device)
    times = []
    while len(times) < reps:
        torch.cuda.synchronize(device)
        a, b = torch.cuda.Event(True), torch.cuda.Event(True)
        a.record(torch.cuda.current_stream(device))
        fn()
        b.record(torch.cuda.current_stream(device))
        torch.cuda.synchronize(device=device)
        times += [a.elapsed_time(end_event=b)]
    times.sort()
    half = len(times) // 2
    return times[half] if len(times) % 2 else 0.5 * (times[half - 1] + times[half])
