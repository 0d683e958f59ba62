"""What quizzes/mixed_precision.yaml says in words: conversions, deprecated names, and orders that are run."""

from __future__ import annotations

import math
from typing import Any

import facts
import pytest
import torch

NAME = "mixed_precision"


def test_numbers_that_become_zero_are_the_ones_that_do() -> None:
    _, built = facts.quiz(NAME)["becomes_zero"]
    zero = {c["id"] for c in built["choices"] if torch.tensor(float(c["text"]["en"].strip("`"))).half() == 0}
    assert zero == facts.right(NAME, "becomes_zero")


def test_what_is_said_of_conversions_is_so() -> None:
    x = torch.tensor([70000.0, math.pi, 1e-8])
    assert x.half().tolist() == [math.inf, 3.140625, 0.0]
    assert x.bfloat16().tolist() == pytest.approx([70144.0, 3.140625, 1.00117e-08], rel=1e-6)
    assert (math.floor(math.pi * 2**9) & 0b111) == 0  # the three bits that float16 has and bfloat16 has not


@pytest.mark.parametrize(("bits", "upper"), [(0x7F800001, 0x7F80), (0x7FFFFFFF, 0x8000)])
def test_naive_rounding_turns_a_nan_into_inf_or_minus_zero(bits: int, upper: int) -> None:
    assert torch.tensor(bits, dtype=torch.int32).view(torch.float32).isnan()
    assert (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 == upper
    made = torch.tensor(upper << 16).to(torch.int32).view(torch.float32)
    assert made == math.inf if upper == 0x7F80 else math.copysign(1, made.item()) == -1


@pytest.mark.parametrize("old", [lambda: torch.cuda.amp.autocast(enabled=False), lambda: torch.cuda.amp.GradScaler(enabled=False)])
def test_the_old_names_of_amp_are_deprecated(old: Any) -> None:
    with pytest.warns(FutureWarning, match="deprecated"):
        old()


def test_an_amp_step_trains_alike_in_the_quiz_s_orders_and_in_no_other() -> None:
    forward = "with torch.autocast(device, dtype=torch.float16):\n loss = mse(model(x), y)"
    loop = facts.Loop(NAME, "amp_order", forward=forward)
    taken, refused = loop.orders()
    assert len(taken) == 3
    assert [order for order in taken if not loop.trains_alike(order)] == []
    assert [order for order in refused + loop.spoiled("half", "plain_backward") if loop.trains_alike(order)] == []


def test_accumulating_trains_alike_in_the_quiz_s_orders_and_in_no_other() -> None:
    loop = facts.Loop(NAME, "accumulate_order", zero_between="optimizer.zero_grad()")
    taken, refused = loop.orders()
    between = ("zero_grad", "loss_a", "loss_b", "backward_a", "zero_between", "backward_b", "step")
    assert [order for order in taken if not loop.trains_alike(order)] == []
    assert [order for order in [*refused, between] if loop.trains_alike(order)] == []


def test_accumulated_gradients_are_the_large_batch_s() -> None:
    x, weight = torch.randn(6, 3, dtype=torch.float64), torch.ones(3, dtype=torch.float64, requires_grad=True)
    (whole,) = torch.autograd.grad((x @ weight).square().mean(), weight)
    for part in x.split(3):
        ((part @ weight).square().mean() / 2).backward()
    torch.testing.assert_close(weight.grad, whole)
