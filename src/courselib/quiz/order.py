"""Marking an order where several are right: what agrees, what every order would get for nothing, and the fewest moves."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from graphlib import TopologicalSorter
from random import Random
from typing import TYPE_CHECKING

from courselib.ordering import Before, Closed, longest_right_part, moves

if TYPE_CHECKING:
    from courselib.quiz.questions import OrderQuestion

Note = list[str | int]


def width(before: Before) -> int:
    """Return how long a right part every order has: the largest set of steps that may stand in any order."""
    return len(longest_right_part([*TopologicalSorter(before).static_order()][::-1], before))


def judged(placed: Sequence[str], before: Closed, extras: Sequence[str], free: int) -> tuple[Fraction, list[Note]]:
    """Return the share of an order of known steps and what to say of it.

    `before` names each right step with all that must come before it, `extras` those that do not belong.
    """
    order = [step for step in placed if step in before]
    strange = [step for step in extras if step in placed]
    missing = [step for step in before if step not in order]
    kept = len(longest_right_part(order, before))
    notes: list[Note] = [["extra", s] for s in strange]
    notes += [["missing", s] for s in missing]
    if kept < len(order):
        notes += [["above" if m.above else "below", m.item, m.other] for m in moves(order, before)]
    if not notes:
        return Fraction(1), [["why"]]
    return Fraction(max(0, kept - free - len(strange)), len(before) - free), notes


def start(question: OrderQuestion) -> list[str]:
    """Return the order that a learner finds: the author's, or a shuffle that is the same on every machine and not yet right."""
    steps, before = [s.id for s in question.steps], question.before
    shuffled, chance = list(question.start or steps), Random(question.id)
    if not question.start:
        chance.shuffle(shuffled)
        while right(shuffled, before):
            chance.shuffle(shuffled)
    return shuffled


def right(line: Sequence[str], before: Before) -> bool:
    """Tell whether the steps that belong stand in a right order."""
    order = [step for step in line if step in before]
    return len(longest_right_part(order, before)) == len(before)
