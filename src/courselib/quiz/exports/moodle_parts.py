"""The pieces that every Moodle question is made of."""

from __future__ import annotations

from collections.abc import Mapping
from xml.etree.ElementTree import Element

from courselib.quiz.exports.tree import node


def texted(tag: str, attributes: Mapping[str, str], text: str) -> Element:
    """Return an element whose text stands in a `text` of its own, as Moodle wants it."""
    return node(tag, attributes, node("text", {}, text))


def rich(tag: str, html: str) -> Element:
    """Return an element with HTML."""
    return texted(tag, {"format": "html"}, html)


def answer(fraction: str, text: str, told: str = "", *more: Element, form: str = "plain_text") -> Element:
    """Return an answer, what it earns in percent, and what is said of it."""
    feedback = [rich("feedback", told)] if told else []
    return node("answer", {"fraction": fraction, "format": form}, node("text", {}, text), *feedback, *more)
