# %%
from collections.abc import Callable
from statistics import median

import torch


def cuda_ms(fn: Callable[[], object], warmup: int = 3, reps: int = 20) -> float:
    # BEGIN SOLUTION
    if reps < 1:
        raise ValueError("reps must be at least 1")
    for _ in range(warmup):
        fn()
    events = []
    for _ in range(reps):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        fn()
        end.record()
        events.append((start, end))
    torch.cuda.synchronize()
    return median(start.elapsed_time(end) for start, end in events)
    # END SOLUTION
