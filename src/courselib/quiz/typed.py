"""Reading a number as people type it: digits of any script, lakh commas, U+2212, a unit behind it.

The page's `marking.js` is the twin of this module: both follow these rules to the letter, and the tests hold them to it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

LONGEST = 64  # characters; what is longer is no number that a person typed
HIGHEST = 400  # the largest power of ten

INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
BLANKS = re.compile("[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
SIGNS = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"), "-") | {0xFF0B: "+", 0xB5: "\u03bc"}
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
SPECIAL = re.compile(r"[+-]?(nan|inf|infinity)\Z", re.ASCII | re.IGNORECASE)
WHOLE = r"\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3}|\d{1,3}(?: \d{3})+|\d+"
NUMBER = re.compile(
    rf"([+-]?) ?(?:(\d+)/(\d+)|({WHOLE})?(?:\.(\d*))?"
    r"(?:[eE]([+-]?\d+)| ?[×xX*·] ?10(?:\^([+-]?\d+)|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)))?)(.*)\Z",
    re.ASCII | re.DOTALL,
)
RUNS_ON = re.compile(r" ?[0-9,.]")  # behind a number that ended too early


@dataclass(frozen=True)
class Number:
    """A number that was read: its value in the question's own unit, the unit typed, and whether it mixes scripts."""

    value: Fraction
    unit: str
    mixed: bool


@dataclass(frozen=True)
class Hint:
    """Why what was typed is no number yet; never an attempt."""

    code: str


def read(text: str, units: Mapping[str, Fraction]) -> Number | Hint:
    """Read a typed number; `units` says how much of the question's own unit each unit that may be typed is worth."""
    text = tidy(unicodedata.normalize("NFC", text))
    if not text:
        return Hint("empty")
    if len(text) > LONGEST:
        return Hint("too_long")
    ascii_, scripts = ascii_digits(text.translate(SIGNS))
    if "_" in ascii_:
        return Hint("underscore")
    if SPECIAL.match(ascii_):
        return Hint("special")
    return _parsed(ascii_, units, mixed=scripts > 1)


def tidy(text: str) -> str:
    """Return a text without invisible characters, each run of blanks one space."""
    seen = text if text.isascii() else INVISIBLE.sub("", text)
    return BLANKS.sub(" ", seen).strip(" ")


def blank(text: str) -> bool:
    """Tell whether there is nothing to see in a text."""
    return not text[:1].isalnum() and not tidy(text)


def ascii_digits(text: str) -> tuple[str, int]:
    """Return a text with ASCII digits, and how many scripts its digits came from."""
    if text.isascii():
        return text, 1
    out, zeros = [], set()
    for letter in text:
        value = unicodedata.decimal(letter, None)
        if value is not None:
            zeros.add(ord(letter) - value)
        out.append(letter if value is None else str(value))
    return "".join(out), len(zeros)


def _parsed(text: str, units: Mapping[str, Fraction], *, mixed: bool) -> Number | Hint:
    found = NUMBER.match(text)
    assert found is not None  # the last group takes anything
    sign, top, bottom, whole, part, *powers, rest = found.groups()
    if RUNS_ON.match(rest) or (top is None and not whole and not part):
        return Hint("comma" if "," in text and (whole or top) else "not_number")
    if top is not None and int(bottom) == 0:
        return Hint("not_number")
    power = next((int(p.translate(SUPERSCRIPTS)) for p in powers if p), 0)
    if abs(power) > HIGHEST:
        return Hint("too_big")
    factor = _unit(rest.strip(" "), units)
    if factor is None:
        return Hint("unit" if units else "not_number")
    value = Fraction(int(top), int(bottom)) if top is not None else _decimal(whole, part, power)
    value = -value if sign == "-" else value
    return Number(value if factor == 1 else value * factor, rest.strip(" "), mixed)


def _decimal(whole: str | None, part: str | None, power: int) -> Fraction:
    digits = int((whole or "").replace(",", "").replace(" ", "") + (part or ""))
    power -= len(part or "")
    return Fraction(digits, 10**-power) if power < 0 else Fraction(digits * 10**power)


def _unit(typed: str, units: Mapping[str, Fraction]) -> Fraction | None:
    """Return what one of the typed unit is worth; None for a unit that is not known."""
    if not typed:
        return Fraction(1)
    if typed in units:
        return units[typed]
    near = {units[name] for name in units if name.lower() == typed.lower()}
    return near.pop() if len(near) == 1 else None
