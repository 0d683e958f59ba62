import torch

predictions = {"h": torch.half, "weight": torch.float, "loss": torch.float, "weight_grad": torch.float}


def autocast_dtype(op, dtypes, autocast):
    match op, dtypes, autocast:
        case _, ["float64", *_] | [_, "float64"] | [_, _, "float64"], _:
            return "double"
        case _, [one], None:
            return one
        case _, _, None:
            return widest(dtypes)
        case "linear" | "matmul" | "mm" | "bmm" | "addmm" | "conv1d" | "conv2d" | "prelu", _, low:
            return low
        case "softmax" | "log_softmax" | "layer_norm" | "group_norm" | "sum" | "prod" | "cumsum", _, _:
            return "float"
        case "exp" | "log" | "pow" | "rsqrt" | "reciprocal" | "softplus", _, _:
            return "float"
        case str() as name, _, _ if name.endswith("_loss") or name.startswith("cross_entropy"):
            return "float"
        case _:
            return widest(dtypes)


def widest(dtypes):
    match sorted(set(dtypes)):
        case [only]:
            return only
        case names if "float64" in names:
            return "float64"
        case _:
            return "float32"
