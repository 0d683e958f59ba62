# fails: median_of_reps even_reps_no_warmup default_arguments other_runs cuda_events
# One pair of events round warm-up and repetitions.
import torch


def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps must be at least 1")
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    for _ in range(warmup + reps):
        fn()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / (warmup + reps)
