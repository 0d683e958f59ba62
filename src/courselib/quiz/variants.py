"""Which variant of a question a student has: the same on the page that draws it and in the grade."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from courselib.quiz.typed import ascii_digits, tidy

WORD = 2**32 - 1


def variant_of(quiz: str, question: str, student: str, among: int) -> int:
    """Return which of `among` variants of a question a student has."""
    return _mixed(_taken(_begun(f"{quiz}/{question}/"), known_as(student))) % among


@lru_cache(1024)
def known_as(student: str) -> str:
    """Return an id as it is compared: case, blanks, the script of its digits and its spelling in Unicode say nothing."""
    text, _ = ascii_digits(tidy(unicodedata.normalize("NFC", student)))
    return unicodedata.normalize("NFC", text.lower())


def hashed(text: str) -> int:
    """Return 32 bits of a text: FNV-1a, then mixed.

    FNV-1a alone carries nothing downwards: its two last bits are a sum over the letters' own, so that of four variants
    a whole class would have one of four papers.
    """
    return _mixed(_begun(unicodedata.normalize("NFC", text)))


@lru_cache(1024)
def _begun(text: str) -> int:
    return _taken(0x811C9DC5, text)


def _taken(state: int, text: str) -> int:
    for byte in text.encode("utf-8", "replace"):
        state = (state ^ byte) * 0x01000193 & WORD
    return state


def _mixed(state: int) -> int:
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        state = (state ^ state >> shift) * factor & WORD
    return state
