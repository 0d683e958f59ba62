"""The one right order, for a format that knows no other."""

from __future__ import annotations

from courselib.quiz.built import Built
from courselib.quiz.exports import losses
from courselib.quiz.right import extras, right_orders


def only_order(question: Built) -> tuple[str, ...]:
    """Return the one right order of all steps; raise `Refused` where there are others, or steps that do not belong."""
    if extras(question):
        raise losses.Refused(losses.EXTRAS)
    first, *others = right_orders(question, 2)
    if others:
        raise losses.Refused(losses.MANY_ORDERS)
    return first
