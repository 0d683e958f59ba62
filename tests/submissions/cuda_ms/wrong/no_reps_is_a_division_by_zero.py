# fails: reps_below_one
# The mean of nothing divides by zero before the median is taken.
import statistics

import torch


def cuda_ms(fn, warmup=3, reps=20):
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
    mean = sum(times) / len(times)
    print(mean)
    return statistics.median(times)
