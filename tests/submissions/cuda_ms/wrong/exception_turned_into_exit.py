# fails: exception_comes_through
# The program is ended when fn fails.
import statistics
import sys

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
        start.record()
        try:
            fn()
        except Exception as error:
            sys.exit(f"fn failed: {error}")
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end))
    return statistics.median(times)
