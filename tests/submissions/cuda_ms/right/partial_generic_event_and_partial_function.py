from functools import partial
from statistics import median

import torch

TOOLS = {"event": partial(torch.Event, "cuda", enable_timing=True), "wait": torch.accelerator.synchronize}


def _cuda_ms(tools, fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    times = []
    for i in range(warmup + reps):
        a, b = tools["event"](), tools["event"]()
        a.record()
        fn()
        b.record()
        tools["wait"]()
        times.append(a.elapsed_time(b))
    return median(times[warmup:])


cuda_ms = partial(_cuda_ms, TOOLS)
