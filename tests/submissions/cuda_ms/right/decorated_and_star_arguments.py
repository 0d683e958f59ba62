import functools
from fractions import Fraction
from statistics import median

import torch


def checked(timer):
    @functools.wraps(timer)
    def inner(fn, *args, **options):
        settings = dict(warmup=3, reps=20)
        settings.update(zip(("warmup", "reps"), args))
        settings.update(options)
        if settings["reps"] < 1:
            raise ValueError("reps must be at least 1")
        return timer(fn, **settings)

    return inner


@checked
@torch.inference_mode()
def cuda_ms(fn, *, warmup, reps):
    marks = [torch.cuda.Event(enable_timing=True, blocking=False, interprocess=False) for _ in range(2 * reps)]
    for _ in range(warmup):
        fn()
    for i in range(0, 2 * reps, 2):
        marks[i].record()
        fn()
        marks[i + 1].record()
    torch.cuda.synchronize()
    return Fraction(median(marks[i].elapsed_time(marks[i + 1]) for i in range(0, 2 * reps, 2)))
