import torch

OFF = object()


def rules():
    yield {"linear", "matmul", "mm", "bmm", "addmm", "conv1d", "conv2d", "prelu"}, lambda widest, low: low
    yield {"sum", "prod", "cumsum"}, lambda widest, low: torch.float32
    yield {"softmax", "log_softmax", "layer_norm", "group_norm"}, lambda widest, low: torch.float32
    yield {"mse_loss", "l1_loss", "cross_entropy", "nll_loss"}, lambda widest, low: torch.float32
    yield {"exp", "log", "pow", "rsqrt", "reciprocal", "softplus"}, lambda widest, low: torch.float32


def wider(dtypes):
    current = None
    for d in dtypes:
        current = d if current is None else torch.promote_types(current, d)
        yield current


def autocast_dtype(op: str, dtypes: list, autocast=None):
    try:
        *_, widest = wider(getattr(torch, d) for d in dtypes)
        if autocast is None or torch.finfo(widest).bits == 64:
            raise LookupError
        found = (rule for names, rule in rules() if op in names)
        return next(found)(widest, getattr(torch, autocast))
    except (LookupError, StopIteration):
        return widest


def predict():
    yield "h", autocast_dtype("linear", ["float32", "float32"], "float16")
    yield "weight", autocast_dtype("relu", ["float32"], None)
    yield "loss", autocast_dtype("mse_loss", ["float16", "float32"], "float16")
    yield "weight_grad", torch.float32


predictions = dict(predict())
