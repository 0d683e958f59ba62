"""Moodle's numerical questions: absolute tolerances, known slips as answers that earn nothing, units with multipliers.

Moodle takes the first answer that fits. It tries a number with its unit applied and then without, so a wrong unit is
forgiven; demanding one would mark a bare number wrong, which ours takes.
"""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from xml.etree.ElementTree import Element

from courselib.quiz.built import Built
from courselib.quiz.exports import losses
from courselib.quiz.exports.decimals import decimal, key_of
from courselib.quiz.exports.draft import Draft
from courselib.quiz.exports.moodle_parts import answer
from courselib.quiz.exports.tree import node
from courselib.quiz.marking import exact

PLACES = Decimal(1).scaleb(-19)  # of a multiplier in Moodle's database
CLOSE = Fraction(1, 10**6)  # of the tolerance: what a rounded multiplier may shift
SLACK = Fraction(1, 10**28)  # Moodle widens every tolerance by at least this much


def numerical(draft: Draft, question: Built) -> tuple[str, str, list[Element]]:
    """Return a number question as Moodle has it: its type, text and parts."""
    key, within = moodle_key(draft, question)
    answers = [_band("100", key, within, draft.html(question["why"]))]
    for slip in question["slips"]:
        middle, near = exact(slip["key"]), exact(slip["within"])
        if abs(middle - key) <= near + within:
            draft.lose(losses.SLIP_COVERED.fill(s=slip["id"]))
        else:
            answers.append(_band("0", middle, near, draft.html(slip["why"])))
    if question["unit"]:
        draft.lose(losses.FACTORS)
    units = _units(draft, question, key, within)
    shown = "0" if units else "3"
    tail = [node(tag, {}, word) for tag, word in (("unitgradingtype", "0"), ("unitpenalty", "0"), ("showunits", shown), ("unitsleft", "0"))]
    return "numerical", draft.asked(question), [*answers, *([node("units", {}, *units)] if units else []), *tail]


def moodle_key(draft: Draft, question: Built) -> tuple[Fraction, Fraction]:
    """Return a key and its tolerance; refuse a key so small that nothing at all would count as right too."""
    key, within = key_of(draft, question)
    if key and max(within / 1000, abs(key) / 10**10) < SLACK:
        raise losses.Refused(losses.TOO_SMALL)
    return key, within


def _band(fraction: str, middle: Fraction, near: Fraction, told: str) -> Element:
    return answer(fraction, decimal(middle), told, node("tolerance", {}, decimal(near)))


def _units(draft: Draft, question: Built, key: Fraction, within: Fraction) -> list[Element]:
    """Return the units; Moodle divides by a multiplier where we multiply by what a unit is worth."""
    made, lost = [], []
    for unit, text in question["units"].items():
        wanted = 1 / exact(text)
        kept = Decimal(decimal(wanted)).quantize(PLACES, ROUND_HALF_EVEN)
        if kept == 0 or abs(key) * abs(wanted / Fraction(kept) - 1) > within * CLOSE:
            lost.append(unit)
        else:
            multiplier = decimal(Fraction(kept))
            made.append(node("unit", {}, node("multiplier", {}, multiplier), node("unit_name", {}, unit.replace(" ", ""))))
    if made or lost:
        draft.lose(losses.WRONG_UNIT)
    if lost:
        draft.lose(losses.UNITS.fill(u=", ".join(lost)))
    return made
