from statistics import median

from torch import cuda


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    for _ in range(warmup):
        fn()
    cuda.synchronize()

    def once():
        start, end = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
        start.record(cuda.default_stream())
        fn()
        end.record(cuda.default_stream())
        cuda.default_stream().synchronize()
        return start.elapsed_time(end)

    return median(once() for _ in range(reps))
