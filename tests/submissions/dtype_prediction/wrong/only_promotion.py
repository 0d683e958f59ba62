# fails: products float32_operations
# Knows type promotion but none of autocast's lists.
from functools import reduce

import torch

predictions = {"h": "float16", "weight": "float32", "loss": "float32", "weight_grad": "float32"}


def autocast_dtype(op, dtypes, autocast):
    return str(reduce(torch.promote_types, [getattr(torch, d) for d in dtypes]))
