# fails: median_of_reps even_reps_no_warmup default_arguments other_runs cuda_events
# timeit measures the launch on the host.
import statistics
import timeit

import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps must be at least 1")
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(reps):
        times.append(timeit.timeit(fn, number=1) * 1e3)
    return statistics.median(times)
