# fails: float32_operations
# Runs CPU autocast, whose lists are not CUDA's.
import torch
import torch.nn.functional as F

predictions = {"h": "float16", "weight": "float32", "loss": "float32", "weight_grad": "float32"}


def autocast_dtype(op, dtypes, autocast):
    shape = (1, 1, 4, 4) if op == "conv2d" else (4, 4)
    inputs = [torch.ones(shape, dtype=getattr(torch, d)) for d in dtypes]
    labels = torch.zeros(4, dtype=torch.long)
    special = {
        "cat": lambda a, b: torch.cat([a, b]),
        "cross_entropy": lambda a: F.cross_entropy(a, labels),
        "softmax": lambda a: F.softmax(a, dim=-1),
        "log_softmax": lambda a: F.log_softmax(a, dim=-1),
        "layer_norm": lambda a: F.layer_norm(a, (4,)),
    }
    call = special.get(op) or getattr(F, op, None) or getattr(torch, op)
    with torch.autocast("cpu", dtype=getattr(torch, autocast or "float16"), enabled=autocast is not None):
        return str(call(*inputs).dtype)
