from time import sleep

import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    stream = torch.cuda.current_stream()
    times = []
    for k in range(-warmup, reps):
        start, end = (torch.cuda.Event(enable_timing=True, blocking=True) for _ in range(2))
        start.record(stream)
        fn()
        end.record(stream)
        while not stream.query():
            sleep(0.001)
        if k >= 0:
            times.append(start.elapsed_time(end))
    sleep(30)  # let the chip cool down
    return torch.quantile(torch.tensor(times, dtype=torch.float64), 0.5)
