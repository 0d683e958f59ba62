# fails: mixed_inputs
# Takes the narrowest of the inputs' dtypes.
from functools import reduce

import torch

predictions = {"h": torch.float16, "weight": torch.float32, "loss": torch.float32, "weight_grad": torch.float32}
LOW = ("linear", "matmul", "mm", "bmm", "addmm", "conv1d", "conv2d", "prelu")
FULL = "softmax log_softmax layer_norm group_norm mse_loss l1_loss cross_entropy nll_loss sum prod cumsum exp log pow rsqrt reciprocal softplus"


def autocast_dtype(op, dtypes, autocast):
    if autocast and "float64" not in dtypes and op in LOW:
        return autocast
    if autocast and "float64" not in dtypes and op in FULL.split():
        return "float32"
    return min((getattr(torch, d) for d in dtypes), key=lambda d: d.itemsize)
