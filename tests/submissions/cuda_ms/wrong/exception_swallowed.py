# fails: exception_comes_through
# An exception in fn is caught and the repetition is passed over.
import statistics

import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps must be at least 1")
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(reps):
        start = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        try:
            start.record()
            fn()
        except Exception:
            continue
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end))
    return statistics.median(times) if times else float("nan")
