from statistics import median_low

from torch import Event, accelerator
from torch.accelerator import current_stream, synchronize


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps")
    assert accelerator.is_available()
    stream = current_stream()
    for _ in range(warmup):
        fn()
    pairs = [(Event("cuda", enable_timing=True), Event("cuda", enable_timing=True)) for _ in range(reps)]
    for a, b in pairs:
        a.record(stream)
        fn()
        b.record(stream)
    synchronize()
    return median_low(a.elapsed_time(b) for a, b in pairs)
