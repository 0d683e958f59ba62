# fails: median_of_reps even_reps_no_warmup default_arguments other_runs cuda_events
# The host's clock is used and its seconds are returned.
import statistics
from time import perf_counter

import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps must be at least 1")
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(reps):
        torch.cuda.synchronize()
        start = perf_counter()
        fn()
        torch.cuda.synchronize()
        times.append(perf_counter() - start)
    return statistics.median(times)
