"""Marking one answer: right, part, wrong, unanswered or unreadable, with notes that say why. Pure, exact, the same in the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import Any

from courselib import dtypes
from courselib.ordering import Closed
from courselib.quiz import order, typed
from courselib.quiz.built import Built, fraction
from courselib.quiz.order import Note

Band = tuple[int, int, int]
NONE, ALL = Fraction(0), Fraction(1)
FACTORS = tuple(Fraction(f) for f in ("-1", "1000", "1/1000", "1024", "1/1024", "1000000", "1/1000000", "1048576", "1/1048576", "8", "1/8"))
# Each whole number is matched in one way only: a text that fits no shape is refused at once, however long.
SEPARATOR = "(?: ?[,×xX*] ?| )"
SHAPE = re.compile(
    rf"(?:torch\.size)? ?\(? ?[\[(]? ?((?:[0-9]{{1,9}}(?:{SEPARATOR}[0-9]{{1,9}})*)?) ?,? ?[\])]? ?\)?\Z", re.IGNORECASE | re.ASCII
)


@dataclass(frozen=True)
class Verdict:
    """What an answer is worth, as a share of the question's points, and the notes that say why."""

    state: str
    score: Fraction = NONE
    notes: list[Note] = field(default_factory=list)

    @property
    def plain(self) -> dict[str, Any]:
        """Return the verdict as plain data."""
        return {"state": self.state, "score": fraction(self.score), "notes": self.notes}


def mark(question: Built, answer: Any) -> Verdict:
    """Mark an answer to a built question."""
    if answer is None or answer in ([], {}) or (isinstance(answer, str) and typed.blank(answer)):
        return Verdict("unanswered")
    return MARKERS[question["type"]](question, answer)


def _unreadable(*note: str | int) -> Verdict:
    return Verdict("unreadable", notes=[list(note)])


def _scored(score: Fraction, notes: list[Note]) -> Verdict:
    return Verdict("right" if score == 1 else "part" if score else "wrong", score, notes)


def _choice(question: Built, answer: Any) -> Verdict:
    found = next((c for c in question["choices"] if c["id"] == answer), None)
    if found is None:
        return _unreadable("unknown_choice", shown(answer))
    return _scored(ALL if found["right"] else NONE, [["why", found["id"]]])


def _choices(question: Built, answer: Any) -> Verdict:
    picked = [answer] if isinstance(answer, str) else answer
    known = [c["id"] for c in question["choices"]]
    if not isinstance(picked, list) or (strange := [a for a in picked if a not in known]):
        return _unreadable("unknown_choice", shown(answer if not isinstance(picked, list) else strange[0]))
    notes: list[Note] = []
    for c in question["choices"]:
        if c["id"] in picked or c["right"]:
            notes.append(["why" if c["id"] in picked else "left_out", c["id"]])
    right = {c["id"] for c in question["choices"] if c["right"]}
    return _scored(_credit(right, set(picked), question["credit"]), notes)


def _credit(right: set[str], picked: set[str], rule: str) -> Fraction:
    if rule == "all":
        return ALL if right == picked else NONE
    return Fraction(max(0, len(right & picked) - len(picked - right)), len(right))


def _number(question: Built, answer: Any) -> Verdict:
    if isinstance(answer, bool) or not isinstance(answer, str | int | float):
        return _unreadable("hint", "not_number")
    number = typed.read(answer if isinstance(answer, str) else repr(answer), _units(tuple(question["units"].items())))
    if isinstance(number, typed.Hint):
        return _unreadable("hint", number.code)
    note = _reason(question, number.value)
    return _scored(ALL if note == ["why"] else NONE, [note, ["mixed"]] if number.mixed else [note])


def _reason(question: Built, value: Fraction) -> Note:
    """Say why a number is right or wrong: itself, a known slip, a wrong unit or sign."""
    if _covers(_band(question["key"], question["within"]), value):
        return ["why"]
    for slip in question["slips"]:
        if _covers(_band(slip["key"], slip["within"]), value):
            return ["slip", slip["id"]]
    if question["unit"]:
        for band, factor in _factor_bands(question["key"], question["within"]):
            if _covers(band, value):
                return ["off_by", factor]
    return ["wrong"]


def _covers(band: Band, value: Fraction) -> bool:
    low, high, parts = band
    return low * value.denominator <= value.numerator * parts <= high * value.denominator


@lru_cache(4096)
def _band(key: str, within: str) -> Band:
    return _around(exact(key), exact(within))


def _around(middle: Fraction, near: Fraction) -> Band:
    """Return the least and the most that lies within, both in parts of one: whole numbers compare many times faster."""
    parts = lcm(middle.denominator, near.denominator)
    return int((middle - near) * parts), int((middle + near) * parts), parts


@lru_cache(4096)
def _factor_bands(key: str, within: str) -> list[tuple[Band, str]]:
    """Return what lies within by a factor that a wrong unit or sign makes, with that factor; none around zero."""
    middle, near = exact(key), exact(within)
    return [(_around(middle * f, near * abs(f)), fraction(f)) for f in FACTORS if middle]


@lru_cache(4096)
def exact(text: str) -> Fraction:
    """Return the fraction that "n/d" writes."""
    return Fraction(text)


@lru_cache(256)
def _units(worth: tuple[tuple[str, str], ...]) -> Mapping[str, Fraction]:
    return {unit: Fraction(text) for unit, text in worth}


def _order(question: Built, answer: Any) -> Verdict:
    known = [s["id"] for s in question["steps"]]
    placed = [answer] if isinstance(answer, str) else answer
    if not isinstance(placed, list) or (strange := [a for a in placed if a not in known]):
        return _unreadable("unknown_step", shown(answer if not isinstance(placed, list) else strange[0]))
    if twice := [step for n, step in enumerate(placed) if step in placed[:n]]:
        return _unreadable("repeated_step", twice[0])
    before = Closed((s["id"], s["after"]) for s in question["steps"] if not s["extra"])
    extras = [s["id"] for s in question["steps"] if s["extra"]]
    return _scored(*order.judged(placed, before, extras, question["width"]))


def _dtypes(question: Built, answer: Any) -> Verdict:
    asked = {n["name"]: n["dtype"] for n in question["names"]}
    if not isinstance(answer, dict) or (strange := [name for name in answer if name not in asked]):
        return _unreadable("unknown_name", shown(strange[0] if isinstance(answer, dict) else answer))
    notes: list[Note] = []
    for name, key in asked.items():
        text = answer.get(name)
        if text is None or (isinstance(text, str) and typed.blank(text)):
            notes.append(["name_blank", name])
            continue
        given = dtypes.read(typed.tidy(text)) if isinstance(text, str) else None
        if given is None:
            return _unreadable("unknown_dtype", name, shown(text))
        notes.append(_of_name(question, name, key, given))
    if all(note[0] == "name_blank" for note in notes):
        return Verdict("unanswered")
    return _scored(Fraction(sum(note[0] == "name_right" for note in notes), len(notes)), notes)


def _of_name(question: Built, name: str, key: str, given: str) -> Note:
    if given == key:
        return ["name_right", name]
    slip = next((s["id"] for s in question["slips"] if (s["name"], s["dtype"]) == (name, given)), None)
    return ["slip", slip] if slip else ["name_wrong", name]


def _shape(question: Built, answer: Any) -> Verdict:
    given, key = read_shape(answer), question["shape"]
    if given is None:
        return _unreadable("not_shape")
    if given == key:
        return _scored(ALL, [["why"]])
    if slip := next((s["id"] for s in question["slips"] if s["shape"] == given), None):
        return _scored(NONE, [["slip", slip]])
    if len(given) != len(key):
        return _scored(NONE, [["rank"]])
    return _scored(NONE, [["dims", sum(a == b for a, b in zip(given, key, strict=True))]])


def read_shape(answer: Any) -> list[int] | None:
    """Read a shape: "(8, 16)", "8×16", "torch.Size([8, 16])", any digits, or a list of whole numbers; None for what is none."""
    if isinstance(answer, int) and not isinstance(answer, bool) and 0 <= answer < 10**9:
        return [answer]
    if isinstance(answer, list):
        fine = all(isinstance(n, int) and not isinstance(n, bool) and 0 <= n < 10**9 for n in answer)
        return list(answer) if fine else None
    text, _ = typed.ascii_digits(typed.tidy(answer)) if isinstance(answer, str) else ("?", 0)
    found = SHAPE.match(text) if len(text) <= typed.LONGEST else None
    return [int(n) for n in re.findall("[0-9]+", found[1])] if found else None


def _reveal(question: Built, answer: Any) -> Verdict:
    return Verdict("self", notes=[["model"]])


def shown(value: Any) -> str:
    """Return what somebody gave, cut to what a message can hold."""
    return value[: typed.LONGEST] if isinstance(value, str) else type(value).__name__


MARKERS: dict[str, Callable[[Built, Any], Verdict]] = {
    "choice": _choice,
    "choices": _choices,
    "number": _number,
    "order": _order,
    "dtypes": _dtypes,
    "shape": _shape,
    "reveal": _reveal,
}
