import numpy
import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    [fn() for _ in range(warmup)]
    zero = torch.cuda.Event(enable_timing=True)
    zero.record()
    later = []
    for _ in range(reps):
        fn()
        e = torch.cuda.Event(enable_timing=True)
        e.record()
        later.append(e)
    torch.cuda.current_stream().synchronize()
    at = numpy.array([0.0] + [zero.elapsed_time(e) for e in later])
    return float(numpy.median(numpy.diff(at)))
