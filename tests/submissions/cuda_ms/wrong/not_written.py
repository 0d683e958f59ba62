# fails: median_of_reps even_reps_no_warmup call_count cuda_events exception_comes_through reps_below_one default_arguments other_runs
# The stub is handed in as it was given.
import torch


def cuda_ms(fn, warmup=3, reps=20):
    raise NotImplementedError
