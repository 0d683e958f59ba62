import traceback
from statistics import median

import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    times = []
    try:
        for i in range(warmup + reps):
            a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            a.record()
            fn()
            b.record()
            b.synchronize()
            if i >= warmup:
                times.append(a.elapsed_time(b))
    except Exception:
        traceback.print_exc()
        raise
    return round(median(times), 4)
