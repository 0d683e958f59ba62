"""The course's quizzes as facts to be checked: every key against another way of working it out, every order by running it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path
from random import Random
from typing import Any

import torch

from courselib.quiz.built import Built, build
from courselib.quiz.questions import AnyQuestion
from courselib.quiz.source import load

QUIZZES = Path(__file__).parent.parent / "quizzes"
MB, GB = 1 << 20, 1 << 30

Way = Callable[..., float]
Order = tuple[str, ...]
COMPUTED = ("out", "loss", "loss_a", "loss_b")


@cache
def quiz(name: str) -> dict[str, tuple[AnyQuestion, Built]]:
    """Return the questions of a quiz by id, as written and as built."""
    source = load(QUIZZES / f"{name}.yaml")
    return {q.id: (q, b) for q, b in zip(source.questions, build(name, source)["questions"], strict=True)}


def numbers(name: str) -> set[str]:
    """Return the ids of the number questions of a quiz."""
    return {key for key, (source, _) in quiz(name).items() if source.type == "number"}


def disagreements(name: str, question: str, way: Way) -> Iterator[str]:
    """Work out every variant of a number question another way; tell where the key differs."""
    source, built = quiz(name)[question]
    for n, variant in enumerate(built["variants"] or [built]):
        given = {key: values[n] for key, values in getattr(source, "given", {}).items()}
        key, within, value = Fraction(variant["key"]), Fraction(variant["within"]), way(**given)
        if not math.isclose(float(key), value, rel_tol=1e-6, abs_tol=float(within) / 4):
            yield f"{question} {given}: the key is {float(key)}, the other way gives {value}"


def right(name: str, question: str) -> set[str]:
    """Return the ids of the right choices."""
    return {choice["id"] for choice in quiz(name)[question][1]["choices"] if choice["right"]}


def nbytes(count: float, *dtypes: torch.dtype) -> float:
    """Return the bytes of `count` numbers in each of the dtypes."""
    return count * sum(torch.empty(1, dtype=d).nbytes for d in dtypes)


class OnHost:
    """A batch that is not on the device yet: nothing can be computed from it before it is moved."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.tensor = tensor

    def to(self, device: str) -> torch.Tensor:
        """Return the tensor on the device."""
        return self.tensor.to(device)


class Loop:
    """Two iterations of a training loop, with a previous step's gradients still there; runs the very text of the steps."""

    def __init__(self, name: str, question: str, **code: str) -> None:
        steps = quiz(name)[question][1]["steps"]
        texts = {step["id"]: step["text"]["en"].strip("`") for step in steps} | code
        self.code = {key: compile(text, key, "exec") for key, text in texts.items()}
        self.after = {s["id"]: set(s["after"]) for s in steps if not s["extra"]}

    def orders(self) -> tuple[list[Order], list[Order]]:
        """Return the orders that the quiz takes, and a sample of those it does not: every swap of neighbours, and some at random."""
        every = [*itertools.permutations(self.after)]
        taken = [order for order in every if self.takes(order)]
        near = [(*o[:n], o[n + 1], o[n], *o[n + 2 :]) for o in taken for n in range(len(o) - 1)]
        sample = {o for o in near + Random(0).sample(every, 60) if not self.takes(o)}
        return taken, sorted(sample)

    def spoiled(self, *extras: str) -> list[Order]:
        """Return the source's order with each of the extra steps at each place."""
        whole = tuple(self.after)
        return [(*whole[:n], extra, *whole[n:]) for extra in extras for n in range(len(whole) + 1)]

    def takes(self, order: Order) -> bool:
        """Tell whether the quiz takes this order as right."""
        return all(self.after[step] <= set(order[:n]) for n, step in enumerate(order))

    def trains_alike(self, order: Order) -> bool:
        """Tell whether an order leaves the weights that the order of the source leaves."""
        one = self._weights(order)
        return one is not None and all(a.dtype == b.dtype and torch.equal(a, b) for a, b in zip(one, self.reference, strict=True))

    @cached_property
    def reference(self) -> list[torch.Tensor]:
        """The weights that the order of the source leaves."""
        weights = self._weights(tuple(self.after))
        assert weights is not None
        return weights

    def _weights(self, order: Order) -> list[torch.Tensor] | None:
        """Return the weights after two iterations; None where a step raises."""
        world = _world()
        try:
            for seed in (1, 2):
                world = {key: value for key, value in world.items() if key not in COMPUTED} | _batch(seed)
                for step in order:
                    torch.manual_seed(3)  # so that dropout is the same whatever ran before
                    exec(self.code[step], world)
        except (NameError, RuntimeError, TypeError, ValueError, AssertionError):
            return None
        return [*world["model"].parameters()]


def _world() -> dict[str, Any]:
    """Return what is there before the loop; every parameter still has a gradient."""
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Dropout(0.5), torch.nn.Linear(4, 1))
    for weight in model.parameters():
        weight.grad = torch.ones_like(weight)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.1, foreach=False)
    scaler, mse = torch.amp.GradScaler("cpu", init_scale=1024.0), torch.nn.functional.mse_loss
    world = {"torch": torch, "device": "cpu", "model": model, "optimizer": optimizer, "scaler": scaler, "mse": mse, "loss_fn": mse}
    return world | {"clip_grad_norm_": torch.nn.utils.clip_grad_norm_}


def _batch(seed: int) -> dict[str, Any]:
    """Return an iteration's batch: whole and on the host, or in two parts."""
    draw = torch.Generator().manual_seed(seed)
    tensors = {name: 3 * torch.randn(4, 3 if name[0] == "x" else 1, generator=draw) for name in ("x", "y", "x_a", "y_a", "x_b", "y_b")}
    return {name: OnHost(t) if len(name) == 1 else t for name, t in tensors.items()}
