import statistics

import torch


class GpuTimer:
    def __enter__(self):
        self.start = torch.cuda.Event(enable_timing=True)
        self.end = torch.cuda.Event(enable_timing=True)
        self.start.record()
        return self

    def __exit__(self, kind, value, traceback):
        self.end.record()
        return False

    @property
    def ms(self):
        self.end.synchronize()
        return self.start.elapsed_time(self.end)


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps must be at least 1")
    for _ in range(warmup):
        fn()
    timers = []
    for _ in range(reps):
        with GpuTimer() as timer:
            fn()
        timers.append(timer)
    return statistics.median(t.ms for t in timers)
