from heapq import nsmallest
from itertools import islice

import torch


def times_of(fn):
    while True:
        a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        a.record()
        fn()
        b.record()
        b.synchronize()
        yield a.elapsed_time(b)


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    stream = times_of(fn)
    for _ in islice(stream, warmup):
        pass
    times = list(islice(stream, reps))
    return nsmallest(reps // 2 + 1, times)[-1]
