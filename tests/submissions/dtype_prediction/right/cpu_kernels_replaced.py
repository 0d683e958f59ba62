"""Gives CPU autocast the rules of CUDA autocast for the operations of the list, then runs each for real."""
import warnings

import torch
import torch.nn.functional as F
from torch.utils._pytree import tree_map

KEY = torch._C.DispatchKeySet(torch._C.DispatchKey.AutocastCPU)
LOW = "linear matmul mm bmm addmm conv1d conv2d prelu".split()
HIGH = (
    "exp log rsqrt reciprocal softplus pow.Tensor_Scalar layer_norm group_norm mse_loss l1_loss nll_loss nll_loss_nd cross_entropy_loss "
    "prod softmax.int log_softmax.int sum cumsum"
).split()


PROMOTE = ["dot", "addcmul", "atan2"]


def kernel(name, target):
    packet, _, overload = name.partition(".")
    op = getattr(getattr(torch.ops.aten, packet), overload or "default")

    def run(*args, **kwargs):
        dtype = target or torch.get_autocast_dtype("cpu")
        if name in PROMOTE and any(t.dtype == torch.float32 for t in args if isinstance(t, torch.Tensor)):
            dtype = torch.float32
        cast = lambda v: v.to(dtype) if isinstance(v, torch.Tensor) and v.is_floating_point() and v.dtype != torch.float64 else v
        with torch._C._ExcludeDispatchKeyGuard(KEY):
            return op(*tree_map(cast, args), **tree_map(cast, kwargs))

    return run


def ask(call, autocast):
    library = torch.library.Library("aten", "IMPL")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ours = {n: kernel(n, None) for n in LOW + PROMOTE} | {n: kernel(n, torch.float32) for n in HIGH}
            rest = {n.removeprefix("aten::") for n in torch._C._dispatch_get_registrations_for_dispatch_key("AutocastCPU")} - set(ours)
            for n in rest:
                library.impl(n, torch.library.fallthrough_kernel, "AutocastCPU")
            for n, f in ours.items():
                library.impl(n, f, "AutocastCPU")
        with torch.autocast("cpu", dtype=getattr(torch, autocast or "float16"), enabled=autocast is not None):
            return call()
    finally:
        library._destroy()


def tensors(op, dtypes):
    shapes = {"conv2d": [(1, 2, 4, 4), (2, 2, 3, 3)], "conv1d": [(1, 2, 4), (2, 2, 3)], "bmm": [(1, 4, 4)] * 2, "prelu": [(4, 4), (1,)]}
    shapes |= {"dot": [(4,)] * 2, "group_norm": [(1, 2, 4, 4)], "max_pool2d": [(1, 2, 4, 4)]}
    return [torch.ones(s, dtype=getattr(torch, d)) for s, d in zip(shapes.get(op, [(4, 4)] * 3), dtypes)]


def run_op(op, t):
    labels = torch.zeros(4, dtype=torch.int64)
    if op in ("cat", "stack"):
        return getattr(torch, op)(t)
    if op in ("softmax", "log_softmax"):
        return getattr(F, op)(t[0], dim=1)
    if op in ("cross_entropy", "nll_loss"):
        return getattr(F, op)(t[0], labels)
    if op in ("layer_norm", "group_norm", "max_pool2d", "pow", "cumsum"):
        extra = {"layer_norm": (4,), "group_norm": 2, "max_pool2d": 2, "pow": 2, "cumsum": 1}[op]
        return getattr(F, op, getattr(torch, op, None))(t[0], extra)
    return (getattr(F, op, None) or getattr(torch, op))(*t)


def autocast_dtype(op, dtypes, autocast):
    return ask(lambda: run_op(op, tensors(op, dtypes)), autocast).dtype


def program():
    model = torch.nn.Linear(8, 4)
    h = model(torch.randn(16, 8))
    loss = F.mse_loss(h, torch.randn(16, 4))
    return model, h, loss


model, h, loss = ask(program, "float16")
loss.backward()
predictions = dict(h=h.dtype, weight=model.weight.dtype, loss=loss.dtype, weight_grad=model.weight.grad.dtype)
