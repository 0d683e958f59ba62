# fails: median_of_reps call_count cuda_events exception_comes_through
# do_bench takes its own number of calls: warmup and rep are milliseconds there.
def cuda_ms(fn, warmup=3, reps=20):
    if reps < 1:
        raise ValueError("reps must be at least 1")
    from triton.testing import do_bench

    return do_bench(fn, warmup=warmup, rep=reps, return_mode="median")
