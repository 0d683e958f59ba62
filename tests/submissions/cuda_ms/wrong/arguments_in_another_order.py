# fails: median_of_reps cuda_events reps_below_one
# reps comes before warmup.
import statistics

import torch


def cuda_ms(fn, reps=20, warmup=3):
    if reps < 1:
        raise ValueError("reps must be at least 1")
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(reps):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        fn()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end))
    return statistics.median(times)
