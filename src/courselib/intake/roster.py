"""The roster: who is in the class, by ids that stay text from end to end."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from courselib.intake.names import spelt
from courselib.text import one_line, say
from courselib.trouble import Trouble

# In the order in which they are believed; the first that a roster has is the key of its rows.
ID_COLUMNS = (
    "id", "student id", "identifier", "sid", "student number", "id number", "roll", "roll number", "আইডি", "রোল", "sis user id",
    "sis login id", "username", "login", "email", "email address", "e-mail", "ইমেইল",
)  # fmt: skip
NAME_COLUMNS = ("student", "full name", "name", "student name", "নাম")
FIRST, LAST = ("first name", "first"), ("last name", "last", "surname")
PARTICIPANT = re.compile(r"participant\s+(\d+)", re.IGNORECASE)
CANVAS_MARKS = ("id", "sis login id")
MAX_BYTES = 50 * 2**20


@dataclass(frozen=True)
class Person:
    """Someone on the roster: their ids in the order of belief, as text, and their name."""

    key: str
    ids: tuple[tuple[str, str], ...]
    name: str
    line: int


def read_roster(path: Path) -> list[Person]:
    """Read a roster: Canvas's gradebook, Moodle's grading worksheet, or any CSV with a column for ids or names."""
    rows = list(rows_of(path))
    if not rows:
        raise Trouble(say("{p}: ফাইলটি খালি।", "{p}: the file is empty.", p=path.name))
    header = [plain(h) for h in rows[0][1]]
    if not {*ID_COLUMNS, *NAME_COLUMNS, *LAST}.intersection(header):
        raise Trouble(
            say(
                "{p}:1: কোনো চেনা column নেই ({h}); প্রথম লাইনে id বা name লেখো।",
                "{p}:1: no column that we know ({h}); write id or name into the first line.",
                p=path.name,
                h=", ".join(rows[0][1][:6]),
            )
        )
    people: list[Person] = []
    for line, row in rows[1:]:
        person = person_of(dict(zip(header, row, strict=False)), line, under_header=not people)
        people += [person] if person else []
    _no_doubles(path, people)
    return people


def rows_of(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines that hold anything, with their numbers; every cell is text."""
    text = _decoded(path)
    first = text.split("\n", 1)[0].split("\r", 1)[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count), strict=True)
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                yield reader.line_num, [spelt(re.sub(r"[\r\n]+", " ", cell.strip())) for cell in row]
    except csv.Error as fault:
        raise Trouble(say("{p}:{l}: CSV নয় ({f})।", "{p}:{l}: not a CSV ({f}).", p=path.name, l=reader.line_num, f=fault)) from None


def _decoded(path: Path) -> str:
    """Decode a list: UTF-8 with or without a mark, or the UTF-16 of a spreadsheet."""
    if not path.is_file():
        raise Trouble(say("{p} নেই।", "{p} does not exist.", p=path))
    data = path.read_bytes()[: MAX_BYTES + 1]
    if len(data) > MAX_BYTES:
        raise Trouble(say("{p}: ফাইলটি বড় বেশি।", "{p}: the file is too large.", p=path.name))
    try:
        return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data[: fault.start].count(b"\n") + 1
        raise Trouble(
            say("{p}:{l}: UTF-8 নয়; CSV UTF-8 হিসেবে save করো।", "{p}:{l}: not UTF-8; save it as CSV UTF-8.", p=path.name, l=line)
        ) from None


def plain(head: str) -> str:
    """Return the title of a column as it is compared."""
    return " ".join(head.casefold().replace("_", " ").split())


def person_of(row: dict[str, str], line: int, *, under_header: bool) -> Person | None:
    """Return the person of a row; None where it is one of the rows that Canvas puts under its header."""
    ids = tuple((c, _number(row[c])) for c in ID_COLUMNS if row.get(c))
    name = next((row[c] for c in NAME_COLUMNS if row.get(c)), "") or " ".join(
        filter(None, (next((row[c] for c in part if row.get(c)), "") for part in (FIRST, LAST)))
    )
    canvas = all(mark in row for mark in CANVAS_MARKS)
    if not (ids or name) or (canvas and (name == "Student, Test" or (under_header and not ids))):
        return None
    return Person(ids[0][1] if ids else name, ids, name, line)


def _number(cell: str) -> str:
    """Return an id as its text; Moodle writes "Participant 12" where its downloads say 12."""
    found = PARTICIPANT.fullmatch(cell)
    return found[1] if found else cell


def _no_doubles(path: Path, people: list[Person]) -> None:
    lines: dict[str, list[str]] = defaultdict(list)
    for person in people:
        lines[person.key].append(str(person.line))
    twice = [
        say("{p}: {k} একাধিক লাইনে ({l})।", "{p}: {k} is on more than one line ({l}).", p=path.name, k=k, l=", ".join(at))
        for k, at in lines.items()
        if len(at) > 1
    ]
    if twice:
        raise Trouble(one_line(twice, "\n"))
