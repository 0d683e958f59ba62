import numpy as np

NAMES = np.array(["float16", "bfloat16", "float32", "float64"])
JOIN = np.array([[0, 2, 2, 3], [2, 1, 2, 3], [2, 2, 2, 3], [3, 3, 3, 3]])
LOW = np.array(["linear", "matmul", "mm", "bmm", "addmm", "conv1d", "conv2d", "prelu"])
FULL = np.array(
    ["softmax", "log_softmax", "layer_norm", "group_norm", "mse_loss", "l1_loss", "cross_entropy", "nll_loss", "sum", "prod"]
    + ["cumsum", "exp", "log", "pow", "rsqrt", "reciprocal", "softplus"]
)

predictions = dict(zip(["h", "weight", "loss", "weight_grad"], NAMES[[0, 2, 2, 2]]))


def autocast_dtype(op, dtypes, autocast):
    index = [int(np.flatnonzero(NAMES == d)[0]) for d in dtypes]
    wide = index[0]
    for i in index[1:]:
        wide = JOIN[wide, i]
    if autocast is not None and wide != 3:
        wide = np.select([np.isin(op, LOW), np.isin(op, FULL)], [np.flatnonzero(NAMES == autocast)[0], 2], default=wide)
    return NAMES[int(wide)]
