"""What PyTorch answers to the exercise on autocast: the dtypes of a small program and of single operations."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cache, partial

import torch
from torch.nn import functional as F

from courselib.oracles.autocast import cuda_policy, list_of
from courselib.worker.plain import DTYPES

Row = tuple[str, tuple[str, ...], str | None]

MATRIX = (4, 4)
ROWS = (4, 8)
IMAGE = (1, 4, 4, 4)
SEQUENCE = (1, 4, 8)


@dataclass(frozen=True)
class Operation:
    """One operation: its call, the shapes of the inputs that it takes, and the name autocast knows it by."""

    run: Callable[..., torch.Tensor]
    shapes: tuple[tuple[int, ...], ...]
    aten: str = ""


def _classes() -> torch.Tensor:
    return torch.zeros(ROWS[0], dtype=torch.int64)


def _against_classes(loss: Callable[..., torch.Tensor]) -> Callable[[torch.Tensor], torch.Tensor]:
    return lambda scores: loss(scores, _classes().to(scores.device))


def _joined(join: Callable[..., torch.Tensor]) -> Callable[[torch.Tensor, torch.Tensor], torch.Tensor]:
    return lambda a, b: join([a, b])


OPERATIONS = {
    "add": Operation(torch.add, (ROWS, ROWS)),
    "addcmul": Operation(torch.addcmul, (ROWS, ROWS, ROWS)),
    "addmm": Operation(torch.addmm, (MATRIX, MATRIX, MATRIX)),
    "atan2": Operation(torch.atan2, (ROWS, ROWS)),
    "bmm": Operation(torch.bmm, ((1, *MATRIX), (1, *MATRIX))),
    "cat": Operation(_joined(torch.cat), (ROWS, ROWS)),
    "conv1d": Operation(F.conv1d, (SEQUENCE, (2, 4, 3))),
    "conv2d": Operation(F.conv2d, (IMAGE, (2, 4, 3, 3))),
    "cross_entropy": Operation(_against_classes(F.cross_entropy), (ROWS,), "nll_loss"),
    "cumsum": Operation(partial(torch.cumsum, dim=-1), (ROWS,)),
    "dot": Operation(torch.dot, ((8,), (8,))),
    "dropout": Operation(F.dropout, (ROWS,)),
    "exp": Operation(torch.exp, (ROWS,)),
    "gelu": Operation(F.gelu, (ROWS,)),
    "group_norm": Operation(partial(F.group_norm, num_groups=2), (IMAGE,)),
    "l1_loss": Operation(F.l1_loss, (ROWS, ROWS)),
    "layer_norm": Operation(partial(F.layer_norm, normalized_shape=ROWS[1:]), (ROWS,)),
    "linear": Operation(F.linear, (ROWS, ROWS)),
    "log": Operation(torch.log, (ROWS,)),
    "log_softmax": Operation(partial(F.log_softmax, dim=-1), (ROWS,)),
    "matmul": Operation(torch.matmul, (MATRIX, MATRIX)),
    "max_pool2d": Operation(partial(F.max_pool2d, kernel_size=2), (IMAGE,)),
    "mean": Operation(torch.mean, (ROWS,)),
    "mm": Operation(torch.mm, (MATRIX, MATRIX)),
    "mse_loss": Operation(F.mse_loss, (ROWS, ROWS)),
    "mul": Operation(torch.mul, (ROWS, ROWS)),
    "nll_loss": Operation(_against_classes(F.nll_loss), (ROWS,)),
    "pow": Operation(partial(torch.pow, exponent=2), (ROWS,)),
    "prelu": Operation(F.prelu, (ROWS, (1,))),
    "prod": Operation(torch.prod, (ROWS,)),
    "reciprocal": Operation(torch.reciprocal, (ROWS,)),
    "relu": Operation(F.relu, (ROWS,)),
    "rsqrt": Operation(torch.rsqrt, (ROWS,)),
    "sigmoid": Operation(torch.sigmoid, (ROWS,)),
    "silu": Operation(F.silu, (ROWS,)),
    "softmax": Operation(partial(F.softmax, dim=-1), (ROWS,)),
    "softplus": Operation(F.softplus, (ROWS,)),
    "sqrt": Operation(torch.sqrt, (ROWS,)),
    "stack": Operation(_joined(torch.stack), (ROWS, ROWS)),
    "sum": Operation(torch.sum, (ROWS,)),
    "tanh": Operation(torch.tanh, (ROWS,)),
}


@cache
def program_dtypes(device: str = "cpu") -> Mapping[str, str]:
    """Run the exercise's program and return the dtype of each of its four tensors by name.

    On the CPU it runs under CUDA autocast's policy, on "cuda" for real.
    """
    with _cuda_rules(device), torch.enable_grad():
        linear = torch.nn.Linear(8, 4, device=device, dtype=torch.float32)
        x, y = (torch.ones(16, n, device=device, dtype=torch.float32) for n in (8, 4))
        with region("float16", device):
            h = linear(x)
            loss = F.mse_loss(h, y)
        loss.backward()  # type: ignore[no-untyped-call]
    tensors = {"h": h, "weight": linear.weight, "loss": loss, "weight_grad": linear.weight.grad}
    return {name: _name(tensor) for name, tensor in tensors.items()}


@cache
def result_dtypes(rows: tuple[Row, ...], device: str = "cpu") -> tuple[str, ...]:
    """Run each row (operation, dtypes of its inputs, autocast) and return the dtypes of the results.

    On the CPU the rows run under CUDA autocast's policy, on "cuda" for real.
    """
    with _cuda_rules(device), torch.no_grad():
        return tuple(result_dtype(*row, device) for row in rows)


def result_dtype(op: str, dtypes: tuple[str, ...], autocast: str | None, device: str) -> str:
    """Run `op` on inputs of `dtypes`, in the region of `autocast` on `device`; return the result's dtype.

    Raises what PyTorch raises: a RuntimeError where the dtypes do not go together.
    """
    operation = OPERATIONS[op]
    inputs = [torch.ones(s, dtype=DTYPES[d], device=device) for s, d in zip(operation.shapes, dtypes, strict=True)]
    with region(autocast, device):
        return _name(operation.run(*inputs))


def rule_of(op: str, dtypes: tuple[str, ...], autocast: str | None) -> str:
    """Name the rule that decides the result's dtype: off, float64, lower_precision, float32, widest or own."""
    if autocast is None:
        return "off"
    if "float64" in dtypes:
        return "float64"
    by_list = {"LOWER_PRECISION_FP": "lower_precision", "FP32": "float32", "FP32_SET_OPT_DTYPE": "float32"}
    return by_list.get(list_of(OPERATIONS[op].aten or op) or "", "widest" if len(dtypes) > 1 else "own")


def region(autocast: str | None, device: str) -> AbstractContextManager[object]:
    """Open an autocast region to the dtype named `autocast` on `device`; None opens a disabled one."""
    return torch.autocast(device, enabled=False) if autocast is None else torch.autocast(device, dtype=DTYPES[autocast])


@contextmanager
def _cuda_rules(device: str) -> Iterator[None]:
    """Let CUDA's rules hold on `device`, and leave the random numbers of this process as they were."""
    with cuda_policy() if device == "cpu" else nullcontext(), torch.random.fork_rng([] if device == "cpu" else [device]):
        yield


def _name(tensor: torch.Tensor | None) -> str:
    return str(getattr(tensor, "dtype", None)).removeprefix("torch.")
