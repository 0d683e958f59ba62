import functools
import itertools
import warnings


@functools.lru_cache(maxsize=None)
def _answer(op, dtypes, autocast):
    order = {"float64": 3, "float32": 2, "bfloat16": 1, "float16": 0}
    ranked = sorted(dtypes, key=order.__getitem__, reverse=True)
    top = "float32" if {"float16", "bfloat16"} == set(ranked) else ranked[0]
    group = next(itertools.chain((g for g, names in GROUPS.items() if op in names), ["free"]))
    if autocast is None or top == "float64":
        group = "free"
    return {"free": top, "low": autocast, "full": "float32"}[group]


GROUPS = {
    "low": ("linear", "matmul", "mm", "bmm", "addmm", "conv1d", "conv2d", "prelu"),
    "full": tuple(
        "softmax log_softmax layer_norm group_norm mse_loss l1_loss cross_entropy nll_loss".split()
        + "sum prod cumsum exp log pow rsqrt reciprocal softplus".split()
    ),
}


def autocast_dtype(*args, **kwargs):
    op, dtypes, autocast = [*args, *kwargs.values()]
    print("asked about", op)
    warnings.warn("this is only a prediction")
    while len(dtypes) > 3:
        dtypes.pop()
    dtypes.sort()
    return _answer(op, tuple(dtypes), autocast)


predictions = {key: "float32" for key in ("weight", "loss", "weight_grad")} | {"h": "float16"}


def forgotten(:
    pass
