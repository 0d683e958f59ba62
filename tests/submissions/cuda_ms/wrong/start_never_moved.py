# fails: median_of_reps even_reps_no_warmup default_arguments other_runs
# One start event before the loop: the times add up.
import statistics

import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps must be at least 1")
    for _ in range(warmup):
        fn()
    start = torch.cuda.Event(enable_timing=True)
    start.record()
    times = []
    for _ in range(reps):
        fn()
        end = torch.cuda.Event(enable_timing=True)
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end))
    return statistics.median(times)
