"""A folder for each student, whatever the student is called."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable

RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)  # Windows keeps these for devices
LONGEST = 150  # bytes; file systems end at 255, and Bangla takes three a letter


def folders(students: Iterable[str]) -> dict[str, str]:
    """Return a folder's name for each student; names that differ in capitals only would be one folder on some disks."""
    taken: set[str] = set()
    found: dict[str, str] = {}
    for student in students:
        name = _name(student)
        found[student] = f"{name}%{_short_hash(student)}" if name.casefold() in taken else name
        taken.add(name.casefold())
    return found


def _name(student: str) -> str:
    """Return a folder's name that file systems take, readable and told apart: what is unfit becomes %XX."""
    last = len(student) - 1
    name = "".join(c if _fits(c) and not (c in ". " and i in (0, last)) else _escaped(c) for i, c in enumerate(student))
    name = f"%{name}" if RESERVED.match(name) or not name else name
    return name if len(name.encode()) <= LONGEST else f"{name.encode()[:LONGEST].decode(errors='ignore')}%{_short_hash(student)}"


def _fits(char: str) -> bool:
    return unicodedata.category(char)[0] in "LMN" or char in "_-. @\u200c\u200d"


def _escaped(char: str) -> str:
    return "".join(f"%{b:02X}" for b in char.encode("utf-8", "replace"))


def _short_hash(student: str) -> str:
    return hashlib.sha256(student.encode("utf-8", "replace")).hexdigest()[:12]
