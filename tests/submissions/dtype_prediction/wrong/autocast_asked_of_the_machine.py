# fails: products
# Asks torch whether CUDA autocast is on, which it is not.
import torch

predictions = {"h": "float16", "weight": "float32", "loss": "float32", "weight_grad": "float32"}


def autocast_dtype(op, dtypes, autocast):
    if torch.is_autocast_enabled("cuda") and op in ("linear", "matmul", "conv2d", "mm"):
        return autocast
    return dtypes[0]
