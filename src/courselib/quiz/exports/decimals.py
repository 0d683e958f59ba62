"""Numbers as every receiver reads them: ASCII decimals, exact wherever a hundred figures hold them."""

from __future__ import annotations

from decimal import Context, Decimal, Inexact
from fractions import Fraction

from courselib.quiz.built import Built
from courselib.quiz.exports.draft import Draft
from courselib.quiz.exports.losses import FLOATS, NO_DECIMAL, TOO_LARGE, Refused
from courselib.quiz.marking import exact

EXACT = Context(prec=100, traps=[Inexact])
ROUGH = Context(prec=20)  # more figures than tell two floats apart
FLOAT_FIGURES = 15
LARGEST = Fraction(10) ** 300


def decimal(value: Fraction) -> str:
    """Return a fraction as plain decimals, without an exponent."""
    top, bottom = Decimal(value.numerator), Decimal(value.denominator)
    try:
        made = EXACT.divide(top, bottom)
    except Inexact:
        made = ROUGH.divide(top, bottom)
    return format(made, "f")


def is_decimal(value: Fraction) -> bool:
    """Tell whether `decimal` writes a number exactly."""
    return Fraction(decimal(value)) == value


def key_of(draft: Draft, question: Built) -> tuple[Fraction, Fraction]:
    """Return a number question's key and how far a right answer may lie from it; refuse what no typed number would meet."""
    key, within = exact(question["key"]), exact(question["within"])
    if abs(key) + within >= LARGEST:
        raise Refused(TOO_LARGE)
    if within == 0 and not is_decimal(key):
        raise Refused(NO_DECIMAL)
    if within == 0 and len(decimal(key).replace(".", "").strip("-0")) > FLOAT_FIGURES:
        draft.lose(FLOATS)
    return key, within
