"""The words of QTI 2.1's response processing that the items use."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from xml.etree.ElementTree import Element

from courselib.quiz.exports.decimals import decimal
from courselib.quiz.exports.tree import node


def response(name: str, cardinality: str, kind: str, right: Sequence[str] = (), *more: Element) -> Element:
    """Declare a response and a right answer to it."""
    answer = [node("correctResponse", {}, *(node("value", {}, value) for value in right))] if right else []
    return node("responseDeclaration", {"identifier": name, "cardinality": cardinality, "baseType": kind}, *answer, *more)


def variable(name: str) -> Element:
    """Refer to what was answered, or to an outcome."""
    return node("variable", {"identifier": name})


def value(kind: str, text: str) -> Element:
    """Return a constant."""
    return node("baseValue", {"baseType": kind}, text)


def is_(text: str, name: str = "RESPONSE") -> Element:
    """Test that one choice was made."""
    return node("match", {}, variable(name), value("identifier", text))


def has(text: str) -> Element:
    """Test that a choice is among those made."""
    return node("member", {}, value("identifier", text), variable("RESPONSE"))


def is_right(name: str = "RESPONSE") -> Element:
    """Test that the answer is the declared one."""
    return node("match", {}, variable(name), node("correct", {"identifier": name}))


def between(low: Fraction, high: Fraction) -> Element:
    """Test that a number lies in a band, its ends included."""
    ends = (("gte", low), ("lte", high))
    return node("and", {}, *(node(tag, {}, variable("RESPONSE"), value("float", decimal(end))) for tag, end in ends))


def reads(texts: Sequence[str]) -> Element:
    """Test that a typed text is one of several, in capitals or not."""
    same = [node("stringMatch", {"caseSensitive": "false"}, variable("RESPONSE"), value("string", text)) for text in texts]
    return node("or", {}, *same)


def answered(name: str = "RESPONSE") -> Element:
    """Test that there is an answer."""
    return node("not", {}, node("isNull", {}, variable(name)))


def score(points: Fraction) -> Element:
    """Set the score."""
    return node("setOutcomeValue", {"identifier": "SCORE"}, value("float", decimal(points)))


def add(points: Fraction) -> Element:
    """Add to the score."""
    return node("setOutcomeValue", {"identifier": "SCORE"}, node("sum", {}, variable("SCORE"), value("float", decimal(points))))


def tell(name: str) -> Element:
    """Show one more feedback."""
    more = node("multiple", {}, variable("FEEDBACK"), value("identifier", name))
    return node("setOutcomeValue", {"identifier": "FEEDBACK"}, more)


def when(*cases: tuple[Element, Sequence[Element]], otherwise: Sequence[Element] = ()) -> Element:
    """Return a condition: the first case that holds is followed."""
    tags = ["responseIf", *["responseElseIf"] * (len(cases) - 1)]
    made = [node(tag, {}, test, *then) for tag, (test, then) in zip(tags, cases, strict=True)]
    return node("responseCondition", {}, *made, *([node("responseElse", {}, *otherwise)] if otherwise else []))
