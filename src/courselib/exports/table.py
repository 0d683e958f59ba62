"""A plain table: a row per student, a column per exercise, and what is still to come.

A cell holds the points earned. It is blank where there is no grade yet; the points of deferred checks stand in `deferred` and in
`possible`, never in a score. Text that a spreadsheet would run gets one apostrophe before it; `read_table` takes it away again.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from courselib.exports.cells import harmless, original, points
from courselib.exports.done import Done
from courselib.exports.grades import Grades
from courselib.exports.matching import refuse_twins
from courselib.reports import status


def export(grades: Grades, source: Path | None, out: Path, columns: dict[str, str]) -> Done:
    """Write the table to `out`."""
    refuse_twins(grades.students)
    possible = {e: grades.possible(e) for e in grades.exercises}
    header = ["student", *grades.exercises, "total", "possible", "deferred", "status"]
    write_table(out, [header, *(_row(grades, s, sum(possible.values())) for s in grades.students)])
    return Done(out, list(grades.students))


def _row(grades: Grades, student: str, possible: float) -> list[str]:
    mine = grades.students[student]
    scores = [points(mine[e].value) if e in mine else "" for e in grades.exercises]
    deferred = sum(g.deferred for g in mine.values())
    word = status([{"status": g.status} for g in mine.values()]) if mine else ""
    return [student, *scores, points(grades.total(student)), points(possible), points(deferred), word]


def write_table(path: Path, rows: Iterable[list[str]]) -> None:
    """Write rows of text in one step; all quoted, so that no other separator splits a cell; UTF-8 with a mark for spreadsheets."""
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.with_name(path.name + ".tmp")
    with whole.open("w", encoding="utf-8-sig", errors="replace", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows([map(harmless, row) for row in rows])
    whole.replace(path)


def read_table(path: Path) -> list[list[str]]:
    """Read a table back, every cell as it was before it was made harmless."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [[original(cell) for cell in row] for row in csv.reader(file)]
