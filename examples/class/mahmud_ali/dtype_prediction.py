predictions = dict(h="half", weight="float", loss="float", weight_grad="float")

KIND = {}
for name in "linear matmul mm bmm addmm conv1d conv2d prelu".split():
    KIND[name] = "low"
for name in "softmax layer_norm group_norm mse_loss l1_loss cross_entropy nll_loss".split():
    KIND[name] = "full"
for name in "sum prod cumsum exp log pow rsqrt reciprocal softplus".split():
    KIND[name] = "full"


def promote(dtypes):
    if "float64" in dtypes:
        return "float64"
    return dtypes[0] if len(set(dtypes)) == 1 else "float32"


def autocast_dtype(op, dtypes, autocast):
    kind = KIND.get(op, "own")
    if autocast is None or "float64" in dtypes:
        kind = "own"
    return {"low": autocast, "full": "float32", "own": promote(dtypes)}[kind]
