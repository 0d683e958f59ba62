import functools
import statistics

import torch

timer = functools.partial(torch.cuda.Event, enable_timing=True)
wait = functools.partial(torch.cuda.synchronize, device=None)


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    for _ in range(warmup):
        fn()
    marks = []
    for _ in range(reps):
        marks.append((timer(), timer()))
        marks[-1][0].record()
        fn()
        marks[-1][1].record()
    wait()
    return statistics.median(s.elapsed_time(e) for s, e in marks)
