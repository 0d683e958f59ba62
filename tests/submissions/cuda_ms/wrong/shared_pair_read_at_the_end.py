# fails: median_of_reps even_reps_no_warmup default_arguments other_runs cuda_events
# One pair is recorded again and again and read only after the loop.
import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps must be at least 1")
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    for _ in range(warmup):
        fn()
    for _ in range(reps):
        start.record()
        fn()
        end.record()
    torch.cuda.synchronize()
    return start.elapsed_time(end)
