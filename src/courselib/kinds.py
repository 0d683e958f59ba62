"""Wrong answers grouped by diagnosis: one mistake reads the same whatever numbers it led to."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

from courselib.results import Row

KINDS = 400  # kinds of wrong answer kept for an exercise while reading; the rarest half is dropped beyond
NAMED = 6  # students named under one kind of wrong answer
WRONG = ("failed", "error", "timed_out", "out_of_memory")
NUMBER = re.compile(r"(?<!\w)(?:0x[0-9a-fA-F]+|\d[\d_]*(?:,\d{3})*(?:\.\d+)?(?:[eE][-+]?\d+)?)")
NUMBERS = re.compile(r"[-+−]?#(?:\s*(?:[,;×–/-]|\*\*)\s*[-+−]?#)*")


@dataclass
class Kind:
    """One kind of wrong answer: a diagnosis without its numbers, and who was given it."""

    diagnosis: str
    example: str
    students: int = 0
    checks: Counter[str] = field(default_factory=Counter)
    named: list[str] = field(default_factory=list)


def add_kinds(kinds: dict[str, Kind], row: Row) -> None:
    """Count a student once for each kind of wrong answer, however many checks it failed."""
    mine: dict[str, Counter[str]] = {}
    for check in row["checks"]:
        if check["outcome"] in WRONG:
            text = diagnosis(check["message"]) or check["name"]
            kinds.setdefault(text, Kind(text, check["message"][:600]))
            mine.setdefault(text, Counter())[check["name"]] += 1
    for text, checks in mine.items():
        kind = kinds[text]
        kind.students += 1
        kind.checks += checks
        if len(kind.named) < NAMED:
            kind.named.append(row["student"])
    if len(kinds) > KINDS:
        for text in sorted(kinds, key=lambda t: (-kinds[t].students, t))[KINDS // 2 :]:
            del kinds[text]


def diagnosis(message: str) -> str:
    """Return a message without its numbers, so that one mistake reads the same whatever was computed; float32 stays."""
    return " ".join(NUMBERS.sub("#", NUMBER.sub("#", message[:1000])).split())[:300]
