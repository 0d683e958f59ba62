# fails: even_reps_no_warmup call_count other_runs
# The arguments have other names than in the contract.
import statistics

import torch


def cuda_ms(fn, n_warmup=3, n_iters=20):
    if n_iters < 1:
        raise ValueError("n_iters must be at least 1")
    for _ in range(n_warmup):
        fn()
    times = []
    for _ in range(n_iters):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        fn()
        end.record()
        end.synchronize()
        times.append(start.elapsed_time(end))
    return statistics.median(times)
