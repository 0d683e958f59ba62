# fails: products bfloat16_autocast
# Ignores the autocast dtype and says float16.
import torch

predictions = {"h": "float16", "weight": "float32", "loss": "float32", "weight_grad": "float32"}

LOW = {"linear", "matmul", "mm", "bmm", "addmm", "conv1d", "conv2d", "prelu"}
FULL = {"softmax", "log_softmax", "layer_norm", "group_norm", "mse_loss", "l1_loss", "cross_entropy", "nll_loss"}
FULL |= {"sum", "prod", "cumsum", "exp", "log", "pow", "rsqrt", "reciprocal", "softplus"}


def autocast_dtype(op, dtypes, autocast):
    widest = getattr(torch, dtypes[0])
    for dtype in dtypes[1:]:
        widest = torch.promote_types(widest, getattr(torch, dtype))
    widest = str(widest).removeprefix("torch.")
    if autocast is None or widest == "float64":
        return widest
    if op in LOW:
        return "float16"
    if op in FULL:
        return "float32"
    return widest
