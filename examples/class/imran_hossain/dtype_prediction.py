import torch

predictions = {"weight_grad": "float", "loss": "float", "weight": "float", "h": "half"}

LOW = "linear matmul mm bmm addmm conv1d conv2d prelu"
FULL = "softmax log_softmax layer_norm group_norm mse_loss l1_loss cross_entropy nll_loss sum prod cumsum exp log pow rsqrt reciprocal softplus"
fold = lambda d: getattr(torch, d[0]) if len(d) == 1 else torch.promote_types(getattr(torch, d[0]), fold(d[1:]))
autocast_dtype = lambda op, dtypes, autocast: (
    str(fold(dtypes))
    if autocast is None or fold(dtypes) == torch.float64 or op not in (LOW + " " + FULL).split()
    else autocast if op in LOW.split() else "float32"
)
