import statistics

import torch


class Mark(torch.cuda.Event):
    def __new__(cls):
        return super().__new__(cls, enable_timing=True)

    def __sub__(self, earlier):
        self.synchronize()
        return earlier.elapsed_time(self)

    @classmethod
    def now(cls):
        mark = cls()
        mark.record()
        return mark


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(reps):
        before = Mark.now()
        fn()
        times.append(Mark.now() - before)
    return statistics.median(times)
