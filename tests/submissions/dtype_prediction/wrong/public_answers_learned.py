# fails: autocast_off bfloat16_autocast float64_untouched look_alikes
# Looks the answers to the public questions up and guesses float32 for the rest.
predictions = {"h": "float16", "weight": "float32", "loss": "float32", "weight_grad": "float32"}

SEEN = {("exp", "bfloat16"): "float32", ("relu", "bfloat16"): "bfloat16", ("cat", "bfloat16", "bfloat16"): "bfloat16"}
for half in ("relu", "gelu", "mean", "sqrt"):
    SEEN[half, "float16"] = "float16"
for pair in ("add", "cat"):
    SEEN[pair, "float16", "float16"] = "float16"


def autocast_dtype(op, dtypes, autocast):
    if op in ("linear", "matmul", "conv2d", "mm"):
        return "float16"
    return SEEN.get((op, *dtypes), "float32")
