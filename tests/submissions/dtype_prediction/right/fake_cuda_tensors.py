"""Asks PyTorch's own CUDA kernels, on fake tensors, under no_grad."""
import contextlib
from unittest import mock

import torch
import torch.nn.functional as F
from torch._subclasses.fake_tensor import FakeTensorMode

MATRIX, IMAGE, VECTOR = (4, 4), (1, 4, 4, 4), (8,)
SHAPES = {
    "bmm": ((1, 4, 4), (1, 4, 4)),
    "conv1d": ((1, 4, 8), (2, 4, 3)),
    "conv2d": (IMAGE, (2, 4, 3, 3)),
    "dot": (VECTOR, VECTOR),
    "group_norm": (IMAGE,),
    "max_pool2d": (IMAGE,),
    "prelu": (MATRIX, (1,)),
}
SPECIAL = {
    "cat": lambda *t: torch.cat(t),
    "stack": lambda *t: torch.stack(t),
    "softmax": lambda a: F.softmax(a, -1),
    "log_softmax": lambda a: F.log_softmax(a, -1),
    "layer_norm": lambda a: F.layer_norm(a, a.shape[-1:]),
    "group_norm": lambda a: F.group_norm(a, 2),
    "cumsum": lambda a: a.cumsum(-1),
    "pow": lambda a: a**2,
    "max_pool2d": lambda a: F.max_pool2d(a, 2),
    "cross_entropy": lambda a: F.cross_entropy(a, torch.zeros(4, dtype=torch.long, device="cuda")),
    "nll_loss": lambda a: F.nll_loss(a, torch.zeros(4, dtype=torch.long, device="cuda")),
}


@contextlib.contextmanager
def pretend_cuda():
    with (
        FakeTensorMode(),
        torch.no_grad(),
        mock.patch("torch.cuda.amp.common.amp_definitely_not_available", lambda: False),
        mock.patch("torch.cuda.is_bf16_supported", lambda *a, **k: True),
    ):
        yield


def autocast_dtype(op, dtypes, autocast):
    call = SPECIAL.get(op) or getattr(F, op, None) or getattr(torch, op)
    with pretend_cuda():
        shapes = SHAPES.get(op, (MATRIX,) * len(dtypes))
        inputs = [torch.empty(s, dtype=getattr(torch, d), device="cuda") for s, d in zip(shapes, dtypes)]
        if autocast is None:
            return str(call(*inputs).dtype)
        with torch.autocast("cuda", dtype=getattr(torch, autocast)):
            return str(call(*inputs).dtype)


def run_program():
    with pretend_cuda():
        w, x, y = (torch.empty(s, device="cuda") for s in ((4, 8), (2, 8), (2, 4)))
        with torch.autocast("cuda", dtype=torch.float16):
            h = F.linear(x, w)
            loss = F.mse_loss(h, y)
        return {"h": h.dtype, "weight": w.dtype, "loss": loss.dtype, "weight_grad": w.dtype}


predictions = run_program()
