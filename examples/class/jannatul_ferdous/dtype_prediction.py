# জান্নাতুল ফেরদৌস
import csv
import io
from collections import ChainMap
from types import MappingProxyType

TABLE = """operation,rule
linear,L
matmul,L
mm,L
bmm,L
addmm,L
conv1d,L
conv2d,L
prelu,L
softmax,F
log_softmax,F
layer_norm,F
group_norm,F
mse_loss,F
l1_loss,F
cross_entropy,F
nll_loss,F
sum,F
prod,F
cumsum,F
exp,F
log,F
pow,F
rsqrt,F
reciprocal,F
softplus,F
"""
RULE = {row["operation"]: row["rule"] for row in csv.DictReader(io.StringIO(TABLE))}
predictions = MappingProxyType(ChainMap({"h": "bfloat16".removeprefix("b")}, dict.fromkeys(["weight", "loss", "weight_grad"], "float32")))


def autocast_dtype(op, dtypes, autocast):
    rule = RULE.get(op, "P")
    if autocast is None or dtypes.count("float64"):
        rule = "P"
    if rule == "L":
        return autocast
    if rule == "F":
        return "float32"
    if "float64" in dtypes:
        return "float64"
    if "float32" in dtypes or ("float16" in dtypes and "bfloat16" in dtypes):
        return "float32"
    return dtypes[0]
