"""Running the order of a training step: which orders train alike, and what the others are told."""

from __future__ import annotations

import functools
import itertools
from dataclasses import replace

import pytest
import torch

from courselib.oracles.training import HIDDEN, ORDER, ORDER_WITH_CLIPPING, PUBLIC, Loop, Scenario, Trace, rules, run_order
from courselib.ordering import Before, longest_right_part
from courselib.text import Text

BOTH = pytest.mark.parametrize("scenario", [PUBLIC, HIDDEN], ids=["public", "hidden"])
MILDEST = 1e-3  # the least by which a wrong order that runs through is off; the GPU check allows a tenth of it


def run(order: tuple[str, ...] | list[str], scenario: Scenario = PUBLIC) -> Trace:
    """Run without the cache."""
    return Loop(scenario, "cpu").run(order)


@functools.cache
def survivors(steps: tuple[str, ...], scenario: Scenario) -> list[tuple[str, ...]]:
    """Return the orders of all `steps` that get through one iteration.

    An order whose beginning stops in the first iteration stops there whatever follows, so only beginnings that run are
    lengthened: every one of the 40,320 orders of eight steps is decided by a few hundred runs.
    """
    one = replace(scenario, iterations=1, overflow=9)
    orders: list[tuple[str, ...]] = [()]
    for _ in steps:
        longer = [(*order, step) for order in orders for step in steps if step not in order]
        orders = [order for order in longer if run(order, one).stop is None]
    return orders


def extensions(steps: frozenset[str], before: Before) -> set[tuple[str, ...]]:
    """Return every order of `steps` that `before` allows, by choosing what may come last."""
    if not steps:
        return {()}
    last = [step for step in steps if not any(step in before.get(other, ()) for other in steps)]
    return {(*order, step) for step in last for order in extensions(steps - {step}, before)}


def allowed(steps: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Return every order of `steps` that follows one of the two partial orders."""
    one, two = rules(steps)
    return extensions(frozenset(steps), one) | extensions(frozenset(steps), two)


@BOTH
def test_the_orders_that_train_alike_are_those_of_the_two_partial_orders(scenario: Scenario) -> None:
    right = run(ORDER, scenario)
    alike = {order for order in itertools.permutations(ORDER) if run(order, scenario).trains_like(right)}
    assert alike == allowed(ORDER)
    assert len(alike) == 5


@BOTH
def test_so_they_are_with_clipping(scenario: Scenario) -> None:
    right = run(ORDER_WITH_CLIPPING, scenario)
    through = survivors(ORDER_WITH_CLIPPING, scenario)
    alike = {order for order in through if run(order, scenario).trains_like(right)}
    assert alike == allowed(ORDER_WITH_CLIPPING)
    assert len(through) == 128
    assert len(alike) == 5


@pytest.mark.parametrize("steps", [ORDER, ORDER_WITH_CLIPPING], ids=["six", "eight"])
def test_a_whole_right_part_means_a_right_order(steps: tuple[str, ...]) -> None:
    for order in itertools.islice(itertools.permutations(steps), 0, None, 17):
        assert (longest_right_part(order, *rules(steps)) == list(order)) == (order in allowed(steps))
    assert all(longest_right_part(order, *rules(steps)) == list(order) for order in allowed(steps))


@BOTH
def test_every_wrong_order_is_far_off_and_told_why(scenario: Scenario) -> None:
    right = run(ORDER_WITH_CLIPPING, scenario)
    for order in survivors(ORDER_WITH_CLIPPING, scenario):
        trace = run(order, scenario)
        if order in allowed(ORDER_WITH_CLIPPING):
            assert not trace.findings
            assert trace.differs(right) is None
        else:
            assert trace.stop is None or trace.stop.cause
            assert trace.differs(right, MILDEST) is not None
            assert " Cause: " in trace.story(right).en
            assert " কারণ: " in trace.story(right).bn


def test_an_order_that_stops_at_once_is_told_why() -> None:
    right = run(ORDER)
    for order in itertools.permutations(ORDER):
        trace = run(order)
        if order not in allowed(ORDER):
            assert trace.stop is not None
            assert trace.stop.cause
            assert " Cause: " in trace.story(right).en


@pytest.mark.parametrize("steps", [ORDER, ORDER_WITH_CLIPPING], ids=["six", "eight"])
def test_no_step_is_superfluous(steps: tuple[str, ...]) -> None:
    right = run(steps)
    for n in range(len(steps)):
        assert not any(run(part).trains_like(right) for part in itertools.combinations(steps, n))


@pytest.mark.parametrize(
    ("order", "told"),
    [
        ("forward move_batch zero_grad backward step update", "`forward` ran before `move_batch`"),
        ("move_batch backward zero_grad forward step update", "`backward` ran before `forward`"),
        ("move_batch forward step zero_grad backward update", "`step` ran before `backward`"),
        ("move_batch forward zero_grad backward update step", "No inf checks were recorded prior to update"),
        ("move_batch forward backward zero_grad step update", "`zero_grad` had erased them"),
        ("move_batch forward backward step update", "added the new ones to them"),
        ("move_batch forward zero_grad backward step", "step() has already been called since the last update()"),
        ("move_batch forward zero_grad backward clip unscale step update", "still multiplied by 1024"),
        ("move_batch forward zero_grad backward clip step update", "still multiplied by 1024"),
        ("clip move_batch forward zero_grad backward unscale step update", "`clip` ran before `backward`"),
        ("move_batch forward zero_grad backward unscale step clip update", "`clip` ran after `step`"),
        ("move_batch forward backward unscale zero_grad clip step update", "`zero_grad` ran between `backward` and `step`"),
        ("move_batch forward zero_grad backward unscale clip update step", "No `update` had followed"),
        ("move_batch forward zero_grad backward step update clip unscale", "took these gradients for unscaled already"),
        ("move_batch forward zero_grad backward clip step unscale update", "unscale_() is being called after step()"),
    ],
)
def test_what_happened_is_told(order: str, told: str) -> None:
    steps = tuple(order.split())
    right = run(ORDER_WITH_CLIPPING if {"clip", "unscale"} & set(steps) else ORDER)
    story = run(steps).story(right)
    assert isinstance(story, Text)
    assert told in story.en
    assert ("it stopped in iteration" in story.en) == (run(steps).stop is not None)


@pytest.mark.parametrize("steps", [ORDER, ORDER_WITH_CLIPPING], ids=["six", "eight"])
def test_the_run_meets_growth_overflow_and_a_clip_that_bites(steps: tuple[str, ...]) -> None:
    trace = run(steps)
    assert trace.scales == [1024, 2048, 1024, 1024, 2048]
    assert torch.equal(trace.weights[1], trace.weights[2])  # the third step is skipped
    assert all(not torch.equal(a, b) for a, b in ((trace.weights[0], trace.weights[1]), (trace.weights[2], trace.weights[3])))
    if steps == ORDER_WITH_CLIPPING:
        assert trace.clip_saw[0] == pytest.approx(1)
        assert trace.clip_in_time == [True] * 5
        assert trace.differs(run(ORDER), MILDEST) == 1


def test_the_overflow_is_the_scale_s_doing() -> None:
    loop = Loop(PUBLIC, "cpu")
    loop.host = loop.batches[PUBLIC.overflow - 1]
    loop.move_batch()
    loop.forward()
    assert loop.loss is not None
    loop.loss.backward()  # type: ignore[no-untyped-call]
    assert loop.norm() < torch.finfo(torch.float16).max < loop.norm() * 1024


@BOTH
def test_a_run_is_the_same_every_time(scenario: Scenario) -> None:
    assert all(run(ORDER_WITH_CLIPPING, scenario).trains_like(run(ORDER_WITH_CLIPPING, scenario)) for _ in range(5))
    assert run_order(ORDER, scenario) is run_order(ORDER, scenario)


def test_a_run_leaves_the_random_state_alone() -> None:
    before = torch.random.get_rng_state()
    run(ORDER)
    assert torch.equal(torch.random.get_rng_state(), before)


@BOTH
def test_a_run_minds_no_switch_that_a_notebook_left_on(scenario: Scenario) -> None:
    right = run(ORDER_WITH_CLIPPING, scenario)
    run_order.cache_clear()
    torch.set_default_dtype(torch.float64)
    try:
        with torch.inference_mode(), torch.autograd.set_detect_anomaly(True, check_nan=True):
            trace = run_order(ORDER_WITH_CLIPPING, scenario)
    finally:
        torch.set_default_dtype(torch.float32)
    assert trace.trains_like(right)


def test_weights_that_are_not_numbers_are_never_right() -> None:
    right = run(ORDER)
    wrong = Trace(weights=[w * float("nan") for w in right.weights], scales=right.scales)
    assert wrong.differs(right, tolerance=1e9) == 1
    assert Trace(weights=right.weights[:2], scales=right.scales).differs(right) == 3


@pytest.mark.cuda
@BOTH
def test_a_gpu_agrees_on_which_orders_train_alike(scenario: Scenario) -> None:
    right = run_order(ORDER_WITH_CLIPPING, scenario, "cuda")
    assert right.stop is None
    for order in survivors(ORDER_WITH_CLIPPING, scenario):
        assert run_order(order, scenario, "cuda").trains_like(right, MILDEST / 10) == (order in allowed(ORDER_WITH_CLIPPING))
