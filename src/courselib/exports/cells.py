"""Values on their way into a file: numbers in plain digits, text that runs nowhere and breaks nothing."""

from __future__ import annotations

import re

from courselib.text import clean

# What spreadsheets take for a formula, in ASCII and full width, also behind blanks; or a cell that begins with a line break or a tab.
FORMULA = re.compile(r"'*(?:\s*[=+\-@＝＋－＠]|[\t\r\n])")
NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?", re.ASCII)
COLOURS = re.compile(r"[\x1b\ufffd]\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
LONGEST = 8000


def points(value: float | None) -> str:
    """Write points as 8, 7.5 or 0.333333, whatever the locale; blank where there is no grade."""
    if value is None:
        return ""
    text = f"{value + 0.0:.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def number(text: str) -> float | None:
    """Read a number as a gradebook writes it, with a point or a comma; None where it is none."""
    text = text.strip()
    return float(text.replace(",", ".")) if NUMBER.fullmatch(text) else None


def harmless(text: str) -> str:
    """Keep a spreadsheet from running `text`: one apostrophe goes before what would be a formula; `original` takes it away."""
    return f"'{text}" if FORMULA.match(text) else text


def original(text: str) -> str:
    """Return what `harmless` was given, to the letter."""
    return text[1:] if text[:1] == "'" and FORMULA.match(text[1:]) else text


def plain(text: str) -> str:
    """Return `text` without colours and all that `clean` takes away, cut where it is too long for a cell."""
    return clean(COLOURS.sub("", text), LONGEST)
