from enum import Enum, IntEnum


class Dtype(str, Enum):
    HALF = "float16"
    BRAIN = "bfloat16"
    SINGLE = "float32"
    DOUBLE = "float64"


class Kind(IntEnum):
    LOW = 1
    FULL = 2
    FREE = 3


KINDS = {n: Kind.LOW for n in ("linear", "matmul", "mm", "bmm", "addmm", "conv1d", "conv2d", "prelu")}
for n in ("softmax", "log_softmax", "layer_norm", "group_norm", "mse_loss", "l1_loss", "cross_entropy", "nll_loss", "sum"):
    KINDS[n] = Kind.FULL
for n in ("prod", "cumsum", "exp", "log", "pow", "rsqrt", "reciprocal", "softplus"):
    KINDS[n] = Kind.FULL

predictions = {"h": Dtype.HALF, "weight": Dtype.SINGLE, "loss": Dtype.SINGLE, "weight_grad": Dtype.SINGLE}


def autocast_dtype(op, dtypes, autocast):
    given = {Dtype(d) for d in dtypes}
    kind = Kind.FREE if autocast is None or Dtype.DOUBLE in given else KINDS.get(op, Kind.FREE)
    if kind is Kind.LOW:
        return Dtype(autocast)
    if kind is Kind.FULL:
        return Dtype.SINGLE
    if Dtype.DOUBLE in given:
        return Dtype.DOUBLE
    return given.pop() if len(given) == 1 else Dtype.SINGLE
