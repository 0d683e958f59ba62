import torch

predictions = {"h": "float16", "weight": "float32", "loss": "float32", "weight_grad": "float32"}

RULES = {
    "to_autocast": frozenset("linear matmul mm bmm addmm conv1d conv2d prelu".split()),
    "to_float32": frozenset(
        "softmax log_softmax layer_norm group_norm mse_loss l1_loss cross_entropy nll_loss sum prod cumsum exp log pow rsqrt reciprocal softplus".split()
    ),
}


def autocast_dtype(op: str, dtypes: list[str], autocast: str | None) -> str:
    if autocast and "float64" not in dtypes:
        if op in RULES["to_autocast"]:
            return autocast
        if op in RULES["to_float32"]:
            return "float32"
    widest = torch.float16 if set(dtypes) == {"float16"} else torch.bfloat16
    for d in dtypes:
        widest = torch.promote_types(widest, getattr(torch, d))
    return str(widest).split(".")[1]
