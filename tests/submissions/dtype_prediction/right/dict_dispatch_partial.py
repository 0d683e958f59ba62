from functools import partial, reduce

import torch

predictions = dict(zip(("h", "weight", "loss", "weight_grad"), ("half", "fp32", "fp32", "fp32")))


def own(dtypes, autocast):
    return str(reduce(torch.promote_types, map(partial(getattr, torch), dtypes)))


def fixed(chosen, dtypes, autocast):
    if autocast is None or "float64" in dtypes:
        return own(dtypes, autocast)
    return chosen or autocast


low, full = partial(fixed, None), partial(fixed, "float32")
DISPATCH = dict.fromkeys(["linear", "matmul", "mm", "bmm", "addmm", "conv1d", "conv2d", "prelu"], low)
DISPATCH.update(dict.fromkeys(["softmax", "log_softmax", "layer_norm", "group_norm", "sum", "prod", "cumsum"], full))
DISPATCH.update(dict.fromkeys(["mse_loss", "l1_loss", "cross_entropy", "nll_loss"], full))
DISPATCH.update(dict.fromkeys(["exp", "log", "pow", "rsqrt", "reciprocal", "softplus"], full))


def autocast_dtype(op, dtypes, autocast):
    return DISPATCH.get(op, own)(dtypes, autocast)
