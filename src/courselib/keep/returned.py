"""checks.csv as it comes back from a person: the points and comments that they wrote into its last two columns.

A spreadsheet may have saved it: other separators, another order of rows and columns, a decimal comma, Bangla
digits. An empty cell takes no mark away. What was not changed since we wrote the file is not read as a wish.
"""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from courselib.exports.cells import original
from courselib.text import Text, say
from courselib.trouble import Trouble

COLUMNS = ("mark", "comment")
KEYS = ("student", "exercise", "check")
BASE = "checks.marks.json"  # the marks that stand in checks.csv as we wrote it; no file where there are none
BANGLA = str.maketrans("০১২৩৪৫৬৭৮৯", "0123456789")
Name = tuple[str, str, str]  # student, exercise, check


@dataclass(frozen=True)
class Cell:
    """What a person wrote for one check, as text, and where."""

    line: int
    mark: str
    comment: str


def read(path: Path, *, named: bool = False) -> dict[Name, Cell]:
    """Return the rows that hold a mark or a comment; one without those columns holds none, unless it was `named` to be read."""
    rows = _rows(path)
    header = [head.strip().casefold() for head in next(rows, (1, []))[1]]
    given = set(COLUMNS).intersection(header)
    if not given and not named:
        return {}
    if missing := [k for k in KEYS if k not in header] or ([] if given else list(COLUMNS)):
        sentence = "{p}:1: এই কলাম নেই: {c}; ফাইলের প্রথম লাইন আগের মতো করো।", "{p}:1: no column {c}; put the first line back as it was."
        raise Trouble(say(*sentence, p=path.name, c=", ".join(missing)))
    found: dict[Name, Cell] = {}
    for line, row in rows:
        told = dict(zip(header, row, strict=False))
        cell = Cell(line, told.get("mark", "").strip().translate(BANGLA).replace(",", "."), told.get("comment", "").strip())
        if cell.mark or cell.comment:
            name = told.get("student", ""), told.get("exercise", "").strip(), told.get("check", "").strip()
            if (other := found.setdefault(name, cell)) != cell and (other.mark, other.comment) != (cell.mark, cell.comment):
                raise Trouble(_twice(path, name, other.line, line))
    return found


def _twice(path: Path, name: Name, *lines: int) -> Text:
    return say(
        "{p}:{b}: {n} লাইন {a}-এও আছে, অন্য নম্বর বা মন্তব্য নিয়ে; একটি রাখো।",
        "{p}:{b}: {n} is on line {a} too, with another mark or comment; keep one.",
        p=path.name,
        n=" · ".join(filter(None, name)),
        a=lines[0],
        b=lines[1],
    )


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines with their numbers, every cell as it was before it was made harmless, in one spelling."""
    text = _decoded(path)
    first = text.removeprefix("sep=").split("\n", 1)[0].split("\r", 1)[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=first.count))
    line = 1
    try:
        for row in reader:
            if line == 1 and "".join(row).startswith("sep="):  # a spreadsheet's own word for its separator
                line = reader.line_num + 1
                continue
            yield line, [plain(original(cell)) for cell in row]
            line = reader.line_num + 1
    except csv.Error as fault:
        raise Trouble(say("{p}:{l}: CSV নয় ({f})।", "{p}:{l}: not a CSV ({f}).", p=path.name, l=line, f=fault)) from None


def _decoded(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data[: fault.start].count(b"\n") + 1
        why = (
            "{p}:{l}: UTF-8 নয়; spreadsheet থেকে “CSV UTF-8” হিসেবে save করো।",
            '{p}:{l}: not UTF-8; save it from the spreadsheet as "CSV UTF-8".',
        )
        raise Trouble(say(*why, p=path.name, l=line)) from None


def plain(text: str) -> str:
    """Return a text in the one spelling and with the one kind of line end by which cells are compared."""
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))


def remember(folder: Path, marks: Iterable[tuple[Name, str, str]]) -> None:
    """Note the marks that checks.csv now shows, so that a later look can tell what a person has changed."""
    from courselib.keep.folder import replacing

    told = [[*name, mark, comment] for name, mark, comment in marks]
    if told:
        with replacing(folder / BASE) as file:
            file.write(json.dumps(told, ensure_ascii=False).encode())
    else:
        (folder / BASE).unlink(missing_ok=True)


def shown(folder: Path) -> dict[Name, tuple[str, str]]:
    """Return the marks that checks.csv held when we wrote it."""
    path = folder / BASE
    if not path.is_file():
        return {}
    try:
        told: list[Any] = json.loads(path.read_text(encoding="utf-8"))
        return {(s, e, c): (mark, comment) for s, e, c, mark, comment in told}
    except (ValueError, TypeError):  # not as we wrote it: then every mark in the file is looked at
        return {}
