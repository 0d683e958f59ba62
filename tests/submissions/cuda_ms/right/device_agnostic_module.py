from statistics import median

import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    backend = torch.get_device_module(device)
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(reps):
        a, b = backend.Event(enable_timing=True), backend.Event(enable_timing=True)
        a.record(backend.current_stream())
        fn()
        b.record(backend.current_stream())
        backend.synchronize()
        times.append(a.elapsed_time(b))
    return median(times)
