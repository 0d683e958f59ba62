import statistics

import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    times = []
    with torch.cuda.stream(side):
        for _ in range(warmup):
            fn()
        for _ in range(reps):
            a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            a.record()
            fn()
            b.record(side)
            times.append((a, b))
    torch.cuda.current_stream().wait_stream(side)
    side.synchronize()
    assert isinstance(side, torch.cuda.Stream) and isinstance(times[0][0], torch.cuda.Event)
    return statistics.median(a.elapsed_time(b) for a, b in times)
