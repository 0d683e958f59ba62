# fails: median_of_reps even_reps_no_warmup default_arguments other_runs cuda_events
# The host's clock is read without waiting, so the launch is timed.
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
        start = time.perf_counter()
        fn()
        times.append((time.perf_counter() - start) * 1e3)
    return statistics.median(times)
