from functools import lru_cache
from statistics import median

import torch

POOL = []


@lru_cache(maxsize=None)
def stream():
    return torch.cuda.Stream()


def take(n):
    while len(POOL) < n:
        POOL.append(torch.cuda.Event(enable_timing=True))
    return POOL[:n]


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    marks = take(2 * reps)
    with torch.cuda.stream(stream()):
        for _ in range(warmup):
            fn()
        for a, b in zip(marks[::2], marks[1::2]):
            a.record()
            fn()
            b.record()
    stream().synchronize()
    return median(a.elapsed_time(b) for a, b in zip(marks[::2], marks[1::2]))
