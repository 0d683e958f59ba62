# জান্নাতুল ফেরদৌস
from bisect import insort
from decimal import Decimal

import torch


def make_timer(new_event, wait):
    def measure(fn, warmup=3, reps=20):
        match reps:
            case int() if reps >= 1:
                pass
            case _:
                raise ValueError(f"reps={reps!r}")
        ordered = []
        for n in range(warmup + reps):
            first, second = new_event(), new_event()
            first.record()
            fn()
            second.record()
            wait()
            if n >= warmup:
                insort(ordered, Decimal(first.elapsed_time(second)))
        return ordered[reps // 2]

    return measure


cuda_ms = make_timer(lambda e=torch.Event: e("cuda", enable_timing=True), torch.cuda.synchronize)
