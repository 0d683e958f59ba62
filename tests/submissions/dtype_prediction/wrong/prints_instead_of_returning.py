# fails: products float32_operations own_dtype mixed_inputs
# Prints the answer and returns nothing.
predictions = {"h": "float16", "weight": "float32", "loss": "float32", "weight_grad": "float32"}


def autocast_dtype(op, dtypes, autocast):
    if op in ("linear", "matmul", "mm", "conv2d"):
        print(autocast)
    elif op in ("softmax", "layer_norm", "sum", "exp", "mse_loss", "cross_entropy"):
        print("float32")
    else:
        print(dtypes[0])
