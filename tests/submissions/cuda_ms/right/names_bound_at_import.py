from statistics import median_high as middle

from torch.cuda import Event as E
from torch.cuda import synchronize as wait


def timed(fn):
    a, b = E(enable_timing=True), E(enable_timing=True)
    a.record()
    fn()
    b.record()
    wait()
    return a.elapsed_time(b)


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    for _ in range(warmup):
        timed(fn)
    return middle([timed(fn) for _ in range(reps)])
