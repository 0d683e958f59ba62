"""Taking in the marks that a person wrote into checks.csv, before anything is written over them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from courselib.exports.cells import points as look
from courselib.keep import returned
from courselib.keep.marks import GROUNDS, Row, points, possible, who
from courselib.keep.returned import Cell, Name
from courselib.keep.store import Store
from courselib.results import fit
from courselib.text import Text, say
from courselib.trouble import Trouble

Before = Mapping[str, Any]  # the mark that stands: points (None: not given) and comment
NOTHING: Before = {"points": None, "comment": ""}


@dataclass(frozen=True)
class Taken:
    """One row that asks for something: what it asks, of which record, and what stood before."""

    name: Name
    row: Row
    points: float | None
    comment: str
    before: Before

    @property
    def new(self) -> bool:
        """Tell whether it asks for something that does not stand already."""
        return (self.points, self.comment) != (self.before["points"], returned.plain(self.before["comment"]).strip())

    @property
    def replaces(self) -> bool:
        """Tell whether it takes the place of what a person had given otherwise."""
        return self.new and (self.before["points"] not in (None, self.points) or bool(self.before["comment"]))


def take(folder: Path, store: Store, path: Path | None = None, by: str = "") -> list[Text]:
    """Keep every mark in `path`, or those that a person has changed in the folder's own checks.csv; say what came of it.

    All of the file is judged before any of it is kept. A row of the folder's own file that somebody has marked
    otherwise meanwhile is an error that names both; a file that is given by name has the last word.
    """
    file = path or folder / "checks.csv"
    if not path and not file.is_file():
        return []
    shown = {} if path else returned.shown(folder)
    cells = {name: cell for name, cell in returned.read(file, named=bool(path)).items() if not _as_shown(cell, shown.get(name))}
    taken = [t for t in _judged(file, cells, store) if t.new]
    for one in taken:
        if not path and one.replaces and not _stands(one.before, shown.get(one.name)):
            raise Trouble(_meanwhile(file, cells[one.name], one))
    for one in taken:
        store.mark(_values(one, by))
    return _said(file, taken) if taken or path else []


def _as_shown(cell: Cell, shown: tuple[str, str] | None) -> bool:
    """Tell whether a cell holds what we wrote there, or less: an emptied cell takes nothing away."""
    mark, comment = shown or ("", "")
    same = cell.mark in ("", mark) or (_number(cell.mark) is not None and _number(cell.mark) == _number(mark))
    return same and cell.comment in ("", returned.plain(comment).strip())


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _stands(before: Before, shown: tuple[str, str] | None) -> bool:
    """Tell whether what is kept now is what the file showed when we wrote it."""
    mark, comment = shown or ("", "")
    return look(before["points"]) == mark and before["comment"] == comment


def _judged(file: Path, cells: Mapping[Name, Cell], store: Store) -> list[Taken]:
    """Return what each cell asks for; the first that cannot be is told with its line and column."""
    works = {(fit(s), e) for s, e, _ in cells}
    standing = {(returned.plain(s), e): line for s, e, line, _ in store.standing() if (returned.plain(s), e) in works} if cells else {}
    marks = store.marks() if cells else {}
    taken = []
    for (student, exercise, check), cell in cells.items():
        if (fit(student), exercise) not in standing:
            raise Trouble(_nobody(file, cell.line, student, exercise))
        row: Row = json.loads(standing[fit(student), exercise])
        at = f"{file.name}:{cell.line}"
        most = possible(row, check, f"{at}, check: ")
        before = marks.get((row["student"], exercise), {}).get(check, NOTHING)
        given = points(cell.mark, most, f"{at}, mark") if cell.mark else before["points"]
        comment = fit(cell.comment).replace("\0", "") or returned.plain(before["comment"]).strip()
        taken.append(Taken((student, exercise, check), row, given, comment, before))
    return taken


def _nobody(file: Path, line: int, student: str, exercise: str) -> Text:
    return say(
        "{f}:{l}: ফলে {s} · {e} নেই; student আর exercise কলাম যেমন ছিল তেমন করো (id-র শুরুর 0 কি হারিয়ে গেছে?)।",
        "{f}:{l}: no {s} · {e} in the results; put the columns student and exercise back as they were (is an id's leading 0 lost?).",
        f=file.name,
        l=line,
        s=student,
        e=exercise,
    )


def _meanwhile(file: Path, cell: Cell, one: Taken) -> Text:
    return say(
        "{f}:{l}: {w}: এখানে {n}, কিন্তু ইতিমধ্যে {b} দিয়েছেন {m}; ফাইলে একটি রাখো, নয়তো --from দিয়ে ফাইলটিই মানতে বলো।",
        "{f}:{l}: {w}: {n} here, but {b} has meanwhile given {m}; write what counts into the file, or have it taken with --from.",
        f=file.name,
        l=cell.line,
        w=" · ".join(filter(None, one.name)),
        n=_look(one.points, one.comment),
        b=one.before["by"] or "?",
        m=_look(one.before["points"], one.before["comment"]),
    )


def _look(given: float | None, comment: str) -> str:
    return " ".join(filter(None, (look(given), f"“{comment[:40]}”" if comment else "")))


def _values(one: Taken, by: str) -> dict[str, Any]:
    _, exercise, check = one.name
    return {
        "student": one.row["student"],
        "exercise": exercise,
        "check": check,
        "points": one.points,
        "comment": one.comment,
        "by": by or who(),
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        **{k: one.row[k] for k in GROUNDS},
    }


def _said(file: Path, taken: list[Taken]) -> list[Text]:
    instead = [
        say(
            "{w}: {a} ছিল, এখন {n}।",
            "{w}: {a} before, {n} now.",
            w=" · ".join(filter(None, one.name)),
            a=_look(one.before["points"], one.before["comment"]),
            n=_look(one.points, one.comment),
        )
        for one in taken
        if one.replaces
    ]
    return [
        say("{f} থেকে {n}টি নম্বর বা মন্তব্য নেওয়া হয়েছে।", "{n} marks or comments were taken from {f}.", f=file.name, n=len(taken)),
        *instead,
    ]
