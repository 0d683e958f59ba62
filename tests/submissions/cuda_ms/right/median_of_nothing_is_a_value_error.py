import statistics

import torch


def cuda_ms(fn, warmup=3, reps=20):
    # statistics.StatisticsError, which median raises for no data, is a ValueError
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(reps):
        start, stop = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        fn()
        stop.record()
        stop.synchronize()
        times.append(start.elapsed_time(stop))
    return statistics.median(times)
