import re

predictions = {"h": "FP16", "weight": " Float32 ", "loss": "Torch.Float32", "weight_grad": "FLOAT32", "note": "by hand"}

LOW = re.compile(r"linear|matmul|(add|b)?mm|conv[12]d|prelu")
FULL = re.compile(r"(log_)?softmax|(layer|group)_norm|\w+_loss|cross_entropy|sum|prod|cumsum|exp|log|pow|rsqrt|reciprocal|softplus")
BITS = re.compile(r"\d+$")


def autocast_dtype(op, dtypes, autocast):
    wide = max(int(BITS.search(d)[0]) for d in dtypes)
    if autocast and wide < 64:
        if LOW.fullmatch(op):
            return autocast
        if FULL.fullmatch(op):
            return "float32"
    if wide == 16 and len(set(dtypes)) == 2:
        wide = 32
    return dtypes[0] if wide == 16 else f"float{wide}"
