"""What training really keeps in memory: every expected value is counted on tensors that PyTorch made.

Sizes in MB of 2**20 bytes. Nothing here draws random numbers, so a student's own seed stays as it is.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from itertools import pairwise
from typing import Any
from weakref import WeakSet

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import mm_flop

MB = 2**20
KINDS = ("parameters", "gradients", "master", "optimizer", "activations")
OPTIMIZERS: dict[str, Callable[[Iterable[Tensor]], torch.optim.Optimizer]] = {
    # foreach is what PyTorch picks on a GPU; asking for it makes every device take the same road.
    "SGD": partial(torch.optim.SGD, lr=0.1, foreach=True),
    "SGD+momentum": partial(torch.optim.SGD, lr=0.1, momentum=0.9, foreach=True),
    "AdamW": partial(torch.optim.AdamW, lr=0.1, foreach=True),
}
MLP, BATCH = (1024, 4096, 4096, 1024), 256


class Undrawn(nn.Linear):
    """A Linear layer that draws no initial values."""

    def reset_parameters(self) -> None:
        """Leave the parameters as they are: only their sizes count."""


def chain(sizes: Iterable[int], device: str, dtype: torch.dtype = torch.float32) -> nn.Sequential:
    """Build Linear layers with bias, a ReLU between two of them, without drawing initial values."""
    layers = [layer for pair in pairwise(sizes) for layer in (Undrawn(*pair, device=device, dtype=dtype), nn.ReLU())]
    return nn.Sequential(*layers[:-1])


@cache
def parameter_count(sizes: tuple[int, ...]) -> int:
    """Return how many numbers the parameters of the chain hold; on `meta` no memory is needed for them."""
    return sum(p.numel() for p in chain(sizes, "meta").parameters())


@dataclass(frozen=True)
class Held:
    """What a training step holds: tensors, and for the activations (backward frees them) numbers and bytes."""

    parameters: list[Tensor]
    gradients: list[Tensor]
    master: list[Tensor]
    optimizer: list[Tensor]
    activations: int
    activation_bytes: int


def train(sizes: tuple[int, ...], batch: int, optimizer: str, dtype: str, device: str) -> Held:
    """Take one real training step; in half precision the optimizer works on float32 copies, as is usual."""
    model = chain(sizes, device, getattr(torch, dtype))
    weights: list[Tensor] = list(model.parameters())
    master = [] if dtype == "float32" else [p.detach().float() for p in weights]
    steps = OPTIMIZERS[optimizer](master or weights)
    x, y = (torch.ones(batch, n, device=device, dtype=getattr(torch, dtype)) for n in (sizes[0], sizes[-1]))
    with _saved(weights) as saved:
        loss = nn.functional.mse_loss(model(x), y)
    numbers, size = sum(t.numel() for t in saved), sum(t.nbytes for t in saved)
    saved.clear()
    torch.autograd.backward(loss)
    _step(steps, weights, master)
    return Held(weights, [p.grad for p in weights if p.grad is not None], master, _states(steps), numbers, size)


@contextmanager
def _saved(weights: list[Tensor]) -> Iterator[list[Tensor]]:
    """Collect what autograd saves inside the block, each storage once, the weights themselves left out."""
    found: list[Tensor] = []
    known = WeakSet(p.untyped_storage() for p in weights)

    def pack(tensor: Tensor) -> Tensor:
        if tensor.untyped_storage() not in known:
            known.add(tensor.untyped_storage())
            found.append(tensor.detach())
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        yield found


@torch.no_grad()
def _step(optimizer: torch.optim.Optimizer, weights: list[Tensor], master: list[Tensor]) -> None:
    for copy, weight in zip(master, weights, strict=False):
        copy.grad = weight.grad.float() if weight.grad is not None else None
    optimizer.step()
    for copy, weight in zip(master, weights, strict=False):
        weight.copy_(copy)
        copy.grad = None


def _states(optimizer: torch.optim.Optimizer) -> list[Tensor]:
    """Return the states shaped like their parameter; AdamW's 0-d `step` is one number a tensor, not one a parameter."""
    return [s for p, kept in optimizer.state.items() for s in kept.values() if isinstance(s, Tensor) and s.shape == p.shape]


@cache
def bytes_each(optimizer: str, dtype: str) -> Mapping[str, Fraction]:
    """Return the bytes per parameter (per number for the activations), measured on a small real model.

    Exact for a model of any size: every tensor counted here has one element of a fixed width per parameter.
    """
    held = train((8, 16, 8), 4, optimizer, dtype, "cpu")
    count = sum(p.numel() for p in held.parameters)
    each = {kind: Fraction(sum(t.nbytes for t in getattr(held, kind)), count) for kind in KINDS[:-1]}
    return each | {"activations": Fraction(held.activation_bytes, held.activations)}


@cache
def training_memory(
    parameters: int, optimizer: str, activations: int = 0, dtype: str = "float32", master_weights: bool = False
) -> Mapping[str, float]:
    """Return the MB of each kind; the float32 copies count as `master` only where they are asked for."""
    numbers = dict.fromkeys(KINDS, parameters) | {"master": parameters * master_weights, "activations": activations}
    return {kind: float(each * numbers[kind] / MB) for kind, each in bytes_each(optimizer, dtype).items()}


@cache
def matmul_tflops(n: int, milliseconds: float) -> float:
    """Return the TFLOP/s of an n x n matmul, by PyTorch's own count of its FLOP."""
    return float(mm_flop((n, n), (n, n)) / (milliseconds * 1e-3) / 1e12)


class LiveBytes(TorchDispatchMode):  # type: ignore[no-untyped-call]  # torch has no types here
    """Count the bytes of the storages made inside the block: those still alive, and their peak."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.storages: WeakSet[Any] = WeakSet()
        self.peak = 0

    @property
    def live(self) -> int:
        """Return the bytes alive now."""
        return sum(storage.nbytes() for storage in self.storages)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        for leaf in tree_leaves(out):
            if isinstance(leaf, Tensor):
                self.storages.add(leaf.untyped_storage())
        self.peak = max(self.peak, self.live)
        return out


class Allocator:
    """Read the same two numbers from the GPU's allocator, less what was there before the block."""

    def __enter__(self) -> Allocator:
        gc.collect()
        torch.cuda.synchronize()
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats()
        self.base = torch.cuda.memory_allocated()
        return self

    def __exit__(self, *_: object) -> None:
        torch.cuda.synchronize()

    @property
    def live(self) -> int:
        """Return the bytes allocated now."""
        return torch.cuda.memory_allocated() - self.base

    @property
    def peak(self) -> int:
        """Return the most bytes that were allocated at one time."""
        return torch.cuda.max_memory_allocated() - self.base


@dataclass(frozen=True)
class Usage:
    """A measured step: how many parameters and saved activations, and MB at its peak and after it."""

    parameters: int
    activations: int
    peak: float
    steady: float


@cache
def usage(optimizer: str, dtype: str, device: str) -> Usage:
    """Measure one step of the lesson's MLP; after it, parameters, gradients, master and states are alive.

    The first step on a GPU is not measured: it brings the context and the cuBLAS workspaces.
    """
    step = partial(train, MLP, BATCH, optimizer, dtype, device)
    if device == "cuda":
        step()
    with Allocator() if device == "cuda" else LiveBytes() as used:
        held = step()
        steady = used.live
    return Usage(sum(p.numel() for p in held.parameters), held.activations, used.peak / MB, steady / MB)
