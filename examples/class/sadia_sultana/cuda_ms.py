import statistics as st

import torch as t

E = lambda: t.cuda.Event(enable_timing=True)
one = lambda fn, a, b: (a.record(), fn(), b.record(), b.synchronize(), a.elapsed_time(b))[-1]


def _raise(error):
    raise error


cuda_ms = lambda fn, warmup=3, reps=20: (
    _raise(ValueError("reps")) if reps < 1 else ([fn() for _ in range(warmup)], st.median(one(fn, E(), E()) for _ in range(reps)))[1]
)
