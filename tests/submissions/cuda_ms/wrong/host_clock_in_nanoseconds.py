# fails: median_of_reps even_reps_no_warmup default_arguments other_runs cuda_events
# The host's clock is used and its nanoseconds are returned.
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
        start = time.perf_counter_ns()
        fn()
        torch.cuda.synchronize()
        times.append(time.perf_counter_ns() - start)
    return statistics.median(times)
