# fails: median_of_reps call_count cuda_events
# torch.utils.benchmark gives the mean of one block and warms up by itself.
from torch.utils import benchmark


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps must be at least 1")
    for _ in range(warmup):
        fn()
    return benchmark.Timer("fn()", globals={"fn": fn}).timeit(reps).median * 1e3
