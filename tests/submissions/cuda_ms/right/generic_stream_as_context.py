from statistics import median

import torch
from torch import Stream


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    stream = Stream(device="cuda")
    with stream:
        for _ in range(warmup):
            fn()
        pairs = []
        for _ in range(reps):
            a, b = torch.Event(enable_timing=True), torch.Event(enable_timing=True)
            stream.record_event(a)
            fn()
            stream.record_event(b)
            pairs.append((a, b))
    stream.synchronize()
    return median(a.elapsed_time(b) for a, b in pairs)
