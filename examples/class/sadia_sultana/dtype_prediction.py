from dataclasses import dataclass, field

import torch


@dataclass
class Autocast:
    """Knows CUDA autocast's lists and answers when called."""

    low: set = field(default_factory=lambda: {"linear", "matmul", "mm", "bmm", "addmm", "conv1d", "conv2d", "prelu"})
    full: set = field(default_factory=set)

    def add(self, *names):
        self.full.update(names)
        return self

    def promoted(self, dtypes):
        total = sum((torch.zeros(1, dtype=d) for d in dtypes[1:]), torch.zeros(1, dtype=dtypes[0]))
        return total.dtype

    def __call__(self, op, dtypes, autocast):
        dtypes = [getattr(torch, d) for d in dtypes]
        result = self.promoted(dtypes)
        if autocast is not None and result is not torch.float64:
            if op in self.low:
                result = getattr(torch, autocast)
            elif op in self.full:
                result = torch.float32
        return repr(result)


autocast_dtype = (
    Autocast()
    .add("softmax", "log_softmax", "layer_norm", "group_norm")
    .add("mse_loss", "l1_loss", "cross_entropy", "nll_loss")
    .add("sum", "prod", "cumsum", "exp", "log", "pow", "rsqrt", "reciprocal", "softplus")
)

predictions = {}
predictions["h"] = autocast_dtype("linear", ["float32", "float32"], "float16")
predictions["loss"] = autocast_dtype("mse_loss", ["float16", "float32"], "float16")
predictions["weight"] = predictions["weight_grad"] = "torch.float32"
