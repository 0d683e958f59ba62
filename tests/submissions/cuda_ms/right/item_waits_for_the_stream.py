import numpy as np
import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    flag = torch.zeros(1, device="cuda")
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(reps):
        a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        a.record()
        fn()
        b.record()
        (flag + 1).item()
        times.append(np.float32(a.elapsed_time(b)))
    return np.median(np.array(times, dtype=np.float32))
