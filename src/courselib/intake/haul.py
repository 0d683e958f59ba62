"""What one student handed in, file by file: folders walked, zips in zips opened, nothing lost without a word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from courselib.intake import archive
from courselib.intake.archive import ARCHIVES, BadArchive, Budget
from courselib.intake.contents import Barred, File, Folder, in_zip
from courselib.intake.entries import Entry, Piece
from courselib.intake.names import leftover, nearly_script, script
from courselib.text import Text, say

OTTER_ZIP = re.compile(r"(?P<book>.+)_(?P<time>\d{4}_\d\d_\d\dT\d\d_\d\d_\d\d_\d+)(?: ?\(\d+\)|-\d+)?\.zip", re.IGNORECASE)


@dataclass(frozen=True)
class Found:
    """A file that may be an answer: its path as a person finds it, the name that counts, and where it came from."""

    path: str
    name: str
    file: File
    piece: Piece
    export: tuple[str, str] | None = None  # of an Otter export: which notebook's, and when
    depth: int = 0  # how many zips it lies in


@dataclass
class Haul:
    """Everything of one student: files that may be answers, and what was not opened with its reason."""

    files: list[Found] = field(default_factory=list)
    closed: list[tuple[str, Text]] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    rest: list[Found] = field(default_factory=list)  # what is no answer and no archive


def haul(entry: Entry, budget: Budget) -> Haul:
    """Walk through all that one student handed in; raise `BadArchive` where it is too much."""
    found = Haul()
    for piece in entry.pieces:
        for file in _walk(piece, budget, found):
            found.files.append(file)
            if len(found.files) > archive.MAX_FILES:
                raise BadArchive(say("{m}-এর বেশি ফাইল।", "more than {m} files.", m=archive.MAX_FILES))
    found.files.sort(key=lambda f: f.path)
    return found


@dataclass(frozen=True)
class _Step:
    item: File | Folder
    prefix: str
    name: str
    depth: int = 0
    export: tuple[str, str] | None = None


def _walk(piece: Piece, budget: Budget, found: Haul) -> Iterator[Found]:
    """Yield the files of a piece; a list of steps, because names in a zip may be nested deeper than calls can be."""
    todo = [_Step(piece.item, "", piece.name)]
    while todo:
        step = todo.pop()
        if isinstance(step.item, Folder):
            inside = "" if step.item is piece.item else f"{step.prefix}{step.name}/"
            todo += [_Step(i, inside, i.name, step.depth, step.export) for i in step.item.items() if not leftover(i.name)]
        elif isinstance(step.item, Barred):
            found.closed.append((step.prefix + step.name, step.item.why))
        elif script(step.name) or nearly_script(step.name):
            yield _found(step, piece)
        else:
            todo += _archive(step, piece, budget, found)


def _found(step: _Step, piece: Piece) -> Found:
    at_top = step.item is piece.item
    path = piece.item.name if at_top else step.prefix + step.name
    return Found(path, step.name, step.item, piece, step.export, step.depth)  # type: ignore[arg-type]


def _archive(step: _Step, piece: Piece, budget: Budget, found: Haul) -> list[_Step]:
    """Open a zip; anything else is only noted."""
    path = step.prefix + step.name
    suffix = PurePosixPath(step.name).suffix.lower()
    if suffix in ARCHIVES:
        found.closed.append((path, archive.other_archive(path)))
    elif suffix != ".zip" and not step.name.startswith(".") and len(found.others) < archive.MAX_FILES:
        found.others.append(path)
        found.rest.append(_found(step, piece))
    if suffix != ".zip":
        return []
    try:
        if step.depth == archive.MAX_DEPTH:
            raise BadArchive(
                say("{n}: {d} ধাপের বেশি zip-এর ভিতর zip।", "{n}: more than {d} zips, one in another.", n=path, d=archive.MAX_DEPTH)
            )
        folder = in_zip(step.item, budget)  # type: ignore[arg-type]
    except BadArchive as refused:
        found.closed.append((path, refused.sentence))
        return []
    except archive.FAULTS as fault:
        found.closed.append((path, say("{n}: পড়া গেল না ({f})।", "{n}: it cannot be read ({f}).", n=path, f=fault)))
        return []
    otter = OTTER_ZIP.fullmatch(step.name)
    export = (step.prefix + otter["book"], otter["time"]) if otter else step.export
    inside = "" if step.item is piece.item and piece.name == piece.item.name else f"{path}/"
    return [_Step(i, inside, i.name, step.depth + 1, export) for i in folder.items() if not leftover(i.name)]
