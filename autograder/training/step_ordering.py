"""Checks of the order of one float16 training step: the order is run, and the run is judged."""

from __future__ import annotations

from typing import Any

from courselib import judge
from courselib.checks import check
from courselib.oracles.training import HIDDEN, ORDER, ORDER_WITH_CLIPPING, PUBLIC, Scenario, Trace, rules, run_order
from courselib.ordering import Reading, longest_right_part, read
from courselib.proxy import Proxy
from courselib.text import Text, say

OK_FORMAT = False
name = "step_ordering"
points = None

CUDA_TOLERANCE = 1e-4  # a GPU may round in another way from run to run; the mildest wrong order is off by more than 1e-3


def sorted_out(value: Any, what: str, right: tuple[str, ...]) -> Reading:
    """Read a submitted order; what is no list of names fails."""
    if isinstance(value, Proxy):
        raise judge.wrong("{what}: নামের একটি list দরকার, function নয়।", "{what} must be a list of names, not a function.", what=what)
    return read(judge.names(value, what), right)


def stands(value: Any, what: str, right: tuple[str, ...], least: int) -> None:
    """Fail unless at least `least` of the steps stand right among themselves."""
    reading = sorted_out(value, what, right)
    part = longest_right_part(reading.order, *rules(right))
    if len(part) >= least:
        return
    raise judge.wrong(
        "{what}: {all}টির মধ্যে {n}টি ধাপ নিজেদের সাপেক্ষে ঠিক ক্রমে আছে ({part}); অন্তত {least}টি দরকার।{rest}{amiss}",
        "{what}: {n} of {all} steps stand in a right order among themselves ({part}); at least {least} are needed.{rest}{amiss}",
        what=what,
        all=len(right),
        n=len(part),
        part=", ".join(part) or "-",
        least=least,
        rest=_out_of_place([step for step in reading.order if step not in part]),
        amiss=_after_space(reading.complaint),
    )


def _out_of_place(steps: list[str]) -> Text:
    names = ", ".join(steps)
    return say(" জায়গামতো নেই: {names}।", " Out of place: {names}.", names=names) if names else Text("", "")


def _after_space(text: Text) -> Text:
    return say(" {text}", " {text}", text=text) if text else text


def runs(value: Any, what: str, right: tuple[str, ...], scenario: Scenario = PUBLIC, device: str = "cpu") -> tuple[Trace, Trace]:
    """Run a complete order, and the right one; an order with names missing, repeated or unknown fails."""
    reading = sorted_out(value, what, right)
    expected = run_order(right, scenario, device)
    if expected.stop:
        raise RuntimeError(f"the right order stopped on {device}: {expected.stop}")
    if reading.unknown or reading.repeated or not reading.order:
        raise judge.wrong("{what}: {amiss}", "{what}: {amiss}", what=what, amiss=reading.complaint)
    came = run_order(tuple(reading.order), scenario, device)
    if reading.missing:
        story = came.story(expected)
        raise judge.wrong(
            "{what}: {amiss} চালিয়ে দেখা গেল: {story}", "{what}: {amiss} When run: {story}", what=what, amiss=reading.complaint, story=story
        )
    return came, expected


def trains(value: Any, what: str, right: tuple[str, ...], scenario: Scenario = PUBLIC, device: str = "cpu", tolerance: float = 0.0) -> None:
    """Fail unless the order trains as the right one does; say what happened when it ran."""
    came, expected = runs(value, what, right, scenario, device)
    if not came.trains_like(expected, tolerance):
        raise told(what, came.story(expected, tolerance))


def told(what: str, story: Text) -> judge.Wrong:
    """Make the exception that tells the student what happened."""
    return judge.wrong("{what} চালিয়ে দেখা গেল: {story}", "{what}, when run: {story}", what=what, story=story)


@check(
    "order",
    1,
    bn="`order`: অন্তত পাঁচটি ধাপ নিজেদের মধ্যে ঠিক ক্রমে আছে",
    en="`order`: at least five steps stand in a right order among themselves",
)
def order_five_of_six(order: Any) -> None:
    stands(order, "order", ORDER, 5)


@check(
    "order",
    1,
    bn="`order`: প্রথম iteration-এর `backward` ঠিক gradient তৈরি করে",
    en="`order`: the first `backward` makes the right gradients",
)
def order_gradients(order: Any) -> None:
    came, expected = runs(order, "order", ORDER)
    if came.gradients is None or expected.gradients is None or not came.gradients.equal(expected.gradients):
        raise told("order", came.story(expected))


@check(
    "order",
    1,
    bn="`order`: পাঁচ iteration চালালে weight আর scale হুবহু ঠিক training-এর মতো হয়",
    en="`order`: run for five iterations, it gives exactly the weights and scales of right training",
)
def order_trains(order: Any) -> None:
    trains(order, "order", ORDER)


@check(
    "order",
    1,
    bn="`order`: অন্য model আর AdamW নিয়েও ঠিক training হয়",
    en="`order`: it trains another model with AdamW as well",
    hidden=True,
)
def order_adamw(order: Any) -> None:
    trains(order, "order", ORDER, HIDDEN)


@check("order", 1, bn="`order`: GPU-তে চালালেও ঠিক training হয়", en="`order`: it trains right on a GPU", requires="cuda")
def order_cuda(order: Any) -> None:
    trains(order, "order", ORDER, device="cuda", tolerance=CUDA_TOLERANCE)


@check(
    "order_with_clipping",
    "1/2",
    bn="`order_with_clipping`: অন্তত ছয়টি ধাপ নিজেদের মধ্যে ঠিক ক্রমে আছে",
    en="`order_with_clipping`: at least six steps stand in a right order among themselves",
)
def clipping_six_of_eight(order_with_clipping: Any) -> None:
    stands(order_with_clipping, "order_with_clipping", ORDER_WITH_CLIPPING, 6)


@check(
    "order_with_clipping",
    "1/2",
    bn="`order_with_clipping`: অন্তত সাতটি ধাপ নিজেদের মধ্যে ঠিক ক্রমে আছে",
    en="`order_with_clipping`: at least seven steps stand in a right order among themselves",
)
def clipping_seven_of_eight(order_with_clipping: Any) -> None:
    stands(order_with_clipping, "order_with_clipping", ORDER_WITH_CLIPPING, 7)


@check(
    "order_with_clipping",
    1,
    bn="`order_with_clipping`: `clip` আসল মাপের gradient দেখে, আর `step` তা ব্যবহার করার আগেই দেখে",
    en="`order_with_clipping`: `clip` sees the gradients at their true size, before `step` has used them",
)
def clipping_unscaled(order_with_clipping: Any) -> None:
    came, expected = runs(order_with_clipping, "order_with_clipping", ORDER_WITH_CLIPPING)
    if not (came.clip_in_time[:1] == [True] and 0.99 < came.clip_saw[0] < 1.01):
        raise told("order_with_clipping", came.story(expected))


@check(
    "order_with_clipping",
    "1/2",
    bn="`order_with_clipping`: পাঁচ iteration error ছাড়া চলে, আর loss scale ঠিক পথে বাড়ে-কমে",
    en="`order_with_clipping`: it runs five iterations without an error, and the loss scale grows and shrinks as it should",
)
def clipping_scale(order_with_clipping: Any) -> None:
    came, expected = runs(order_with_clipping, "order_with_clipping", ORDER_WITH_CLIPPING)
    if came.stop or came.scales != expected.scales:
        raise told("order_with_clipping", came.story(expected))


@check(
    "order_with_clipping",
    1,
    bn="`order_with_clipping`: পাঁচ iteration চালালে weight আর scale হুবহু ঠিক training-এর মতো হয়",
    en="`order_with_clipping`: run for five iterations, it gives exactly the weights and scales of right training",
)
def clipping_trains(order_with_clipping: Any) -> None:
    trains(order_with_clipping, "order_with_clipping", ORDER_WITH_CLIPPING)


@check(
    "order_with_clipping",
    "1/2",
    bn="`order_with_clipping`: অন্য model আর AdamW নিয়েও ঠিক training হয়",
    en="`order_with_clipping`: it trains another model with AdamW as well",
    hidden=True,
)
def clipping_adamw(order_with_clipping: Any) -> None:
    trains(order_with_clipping, "order_with_clipping", ORDER_WITH_CLIPPING, HIDDEN)


@check(
    "order_with_clipping",
    1,
    bn="`order_with_clipping`: GPU-তে চালালেও ঠিক training হয়",
    en="`order_with_clipping`: it trains right on a GPU",
    requires="cuda",
)
def clipping_cuda(order_with_clipping: Any) -> None:
    trains(order_with_clipping, "order_with_clipping", ORDER_WITH_CLIPPING, device="cuda", tolerance=CUDA_TOLERANCE)
