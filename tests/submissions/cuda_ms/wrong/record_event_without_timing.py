# fails: median_of_reps cuda_events
# stream.record_event() alone makes an event that measures no time.
import statistics

import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps must be at least 1")
    stream = torch.cuda.current_stream()
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(reps):
        start = stream.record_event()
        fn()
        end = stream.record_event()
        end.synchronize()
        times.append(start.elapsed_time(end))
    return statistics.median(times)
