import contextlib
import statistics

import torch


@contextlib.contextmanager
def stopwatch(times):
    a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    a.record()
    yield
    b.record()
    b.synchronize()
    times.append(a.elapsed_time(b))


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    with contextlib.suppress(StopIteration):
        for _ in range(warmup):
            fn()
    times = []
    for _ in range(reps):
        with stopwatch(times):
            fn()
    return statistics.median(times)
