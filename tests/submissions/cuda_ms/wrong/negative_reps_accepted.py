# fails: reps_below_one
# Only reps == 0 is refused; a negative count becomes its absolute value.
import statistics

import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps == 0:
        raise ValueError("reps must not be 0")
    reps = abs(reps)
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
