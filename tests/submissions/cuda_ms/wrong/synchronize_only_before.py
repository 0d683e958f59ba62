# fails: median_of_reps even_reps_no_warmup default_arguments other_runs cuda_events
# The GPU is waited for before fn and not after it.
import statistics
import time

import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps must be at least 1")
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(reps):
        torch.cuda.synchronize()
        start = time.time()
        fn()
        times.append((time.time() - start) * 1000)
    return statistics.median(times)
