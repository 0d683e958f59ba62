import numpy as np
import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps <= 0:
        raise ValueError(f"reps={reps}")
    for _ in range(warmup):
        fn()
    times = np.empty(reps)
    for i in range(reps):
        start = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        start.record()
        fn()
        end.record()
        end.synchronize()
        times[i] = start.elapsed_time(end)
    return np.median(times)
