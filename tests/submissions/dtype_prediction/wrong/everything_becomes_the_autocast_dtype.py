# fails: float32_operations own_dtype mixed_inputs
# Thinks that every operation runs in the autocast dtype.
predictions = {"h": "float16", "weight": "float32", "loss": "float32", "weight_grad": "float32"}


def autocast_dtype(op, dtypes, autocast):
    return autocast or max(dtypes, key=lambda d: int(d[-2:]))
