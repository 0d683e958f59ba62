"""Casts the inputs as CUDA autocast would, runs the operation without autocast on the CPU, and looks."""
import torch
import torch.nn.functional as F

zeros = torch.zeros(4, dtype=torch.long)
RUN = {
    "linear": F.linear, "matmul": torch.matmul, "mm": torch.mm, "bmm": lambda a, b: torch.bmm(a[None], b[None]), "addmm": torch.addmm,
    "conv1d": lambda a, b: F.conv1d(a[None], b[None]), "conv2d": lambda a, b: F.conv2d(a[None, None], b[None, None]),
    "prelu": lambda a, b: F.prelu(a, b[0, :1]), "softmax": lambda a: a.softmax(0), "log_softmax": lambda a: a.log_softmax(0),
    "layer_norm": lambda a: F.layer_norm(a, [4]), "group_norm": lambda a: F.group_norm(a, 2), "mse_loss": F.mse_loss, "l1_loss": F.l1_loss,
    "cross_entropy": lambda a: F.cross_entropy(a, zeros), "nll_loss": lambda a: F.nll_loss(a, zeros), "sum": torch.sum, "prod": torch.prod,
    "cumsum": lambda a: a.cumsum(0), "exp": torch.exp, "log": torch.log, "pow": lambda a: a.pow(2), "rsqrt": torch.rsqrt,
    "reciprocal": torch.reciprocal, "softplus": F.softplus, "mean": torch.mean, "sqrt": torch.sqrt, "relu": torch.relu, "gelu": F.gelu,
    "sigmoid": torch.sigmoid, "silu": F.silu, "tanh": torch.tanh, "dropout": F.dropout, "max_pool2d": lambda a: F.max_pool2d(a[None], 2),
    "add": torch.add, "mul": torch.mul, "atan2": torch.atan2, "addcmul": torch.addcmul, "dot": lambda a, b: torch.dot(a[0], b[0]),
    "cat": lambda a, b: torch.cat([a, b]), "stack": lambda a, b: torch.stack((a, b)),
}
names = list(RUN)
LOW, FULL = set(names[: names.index("softmax")]), set(names[names.index("softmax") : names.index("mean")])


def autocast_dtype(op, dtypes, autocast):
    inputs = [torch.ones(4, 4, dtype=getattr(torch, d)) for d in dtypes]
    target = None
    if autocast is not None:
        if op in LOW:
            target = getattr(torch, autocast)
        elif op in FULL or (op in ("dot", "addcmul", "atan2") and "float32" in dtypes):
            target = torch.float32
    if target is not None:
        inputs = [t if t.dtype == torch.float64 else t.to(target) for t in inputs]
    return str(RUN[op](*inputs).dtype)[6:]


model = torch.nn.Linear(8, 4)
half_weight = model.weight.half()
h = F.linear(torch.randn(16, 8).half(), half_weight, model.bias.half())
loss = F.mse_loss(h.float(), torch.randn(16, 4))
loss.backward()
predictions = {"h": h.dtype, "weight": model.weight.dtype, "loss": loss.dtype, "weight_grad": model.weight.grad.dtype}
