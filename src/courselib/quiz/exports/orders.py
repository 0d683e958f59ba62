"""The orders that a question takes as right, and the one of them that stands nearest to how its author wrote the steps."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import islice

from courselib.quiz.built import Built
from courselib.quiz.exports import losses


def before(question: Built) -> dict[str, list[str]]:
    """Return each step that belongs, with all that must come before it, as the author listed them."""
    return {s["id"]: s["after"] for s in question["steps"] if not s["extra"]}


def extras(question: Built) -> list[str]:
    """Return the steps that do not belong."""
    return [s["id"] for s in question["steps"] if s["extra"]]


def right_orders(question: Built, most: int) -> list[tuple[str, ...]]:
    """Return the right orders, the nearest to the author's first; never more than `most`."""
    return list(islice(_orders((), before(question)), most))


def only_order(question: Built) -> tuple[str, ...]:
    """Return the one right order of all steps; raise `Refused` where there are others, or steps that do not belong."""
    if extras(question):
        raise losses.Refused(losses.EXTRAS)
    first, *others = right_orders(question, 2)
    if others:
        raise losses.Refused(losses.MANY_ORDERS)
    return first


def _orders(placed: tuple[str, ...], earlier: Mapping[str, Collection[str]]) -> Iterator[tuple[str, ...]]:
    if len(placed) == len(earlier):
        yield placed
    for step, needs in earlier.items():
        if step not in placed and set(needs) <= set(placed):
            yield from _orders((*placed, step), earlier)
