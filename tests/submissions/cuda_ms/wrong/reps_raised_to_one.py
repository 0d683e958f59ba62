# fails: reps_below_one
# reps below 1 is quietly made 1.
import statistics

import torch


def cuda_ms(fn, warmup=3, reps=20):
    reps = max(reps, 1)
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(reps):
        start = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        start.record()
        fn()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end))
    return statistics.median(times)
