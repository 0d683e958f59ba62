"""What a run leaves for people: grades.csv, checks.csv and the summary. Pure functions of the records."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from courselib import lateness
from courselib.exports.cells import harmless, points
from courselib.keep.returned import Name, remember
from courselib.record import NEEDS_A_PERSON
from courselib.results import Row, read_results
from courselib.text import Text, say

CHECK_COLUMNS = (
    "student",
    "exercise",
    "check",
    "name",
    "part",
    "outcome",
    "earned",
    "points",
    "hidden",
    "requires",
    "message",
    "mark",
    "comment",
)


@dataclass
class Told:
    """What the summary says of a class: a row of grades.csv for each student, who needs a person, how checks came out."""

    rows: list[list[object]] = field(default_factory=list)
    people: list[tuple[str, str, str]] = field(default_factory=list)  # student, exercise, why
    outcomes: Counter[str] = field(default_factory=Counter)
    late: list[lateness.Lateness] = field(default_factory=list)
    signs: list[tuple[str, str, list[Row]]] = field(default_factory=list)  # student, exercise, signs of tampering

    def add(self, rows: list[Row], exercises: list[str]) -> None:
        """Take in the records of one more student."""
        self.rows.append(grade_row(rows, exercises))
        self.people += [(r["student"], r["exercise"], _fault(r) or r["message"]) for r in rows if r["status"] in NEEDS_A_PERSON]
        self.outcomes.update(c["outcome"] for r in rows for c in r["checks"])
        self.late += [found for r in rows if (found := lateness.of(r))]
        self.signs += [(r["student"], r["exercise"], r["tamper"]) for r in rows if r.get("tamper")]


def write_reports(folder: Path, exercises: list[str], *others: Callable[[list[Row]], None]) -> Told:
    """Write grades.csv (a row per student) and checks.csv (a row per student and check) beside results.jsonl.

    The records are read once; `others` are given those of each student, too.
    """
    told, marks = Told(), list[tuple[Name, str, str]]()
    header = ["student", *exercises, "total", "possible", "percent", "deferred", "status", "penalty"]
    with _table(folder / "grades.csv", header) as grades, _table(folder / "checks.csv", CHECK_COLUMNS) as checks:
        for rows in by_student(folder):
            told.add(rows, exercises)
            grades([*told.rows[-1], penalty(rows)])
            for line in (line for row in rows for line in check_rows(row)):
                checks(line)
            marks += [mark for row in rows for mark in _marks(row)]
            for other in others:
                other(rows)
    remember(folder, marks)  # after checks.csv, or a kill between would hide what a person changes
    return told


@contextmanager
def _table(path: Path, header: Iterable[str]) -> Iterator[Callable[[Iterable[object]], object]]:
    """Write one CSV in one step, a row at a time; UTF-8 with a mark, so that a spreadsheet shows Bangla."""
    from courselib.keep.folder import replacing

    with replacing(path) as file:
        text = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
        writer = csv.writer(text)
        writer.writerow(header)
        yield lambda row: writer.writerow([harmless(v) if isinstance(v, str) else v for v in row])
        text.flush()
        text.detach()


def by_student(folder: Path) -> Iterator[list[Row]]:
    """Yield the records of each student."""
    for _, rows in groupby(read_results(folder), key=lambda row: row["student"]):
        yield list(rows)


def grade_row(rows: list[Row], exercises: list[str]) -> list[object]:
    """Return one student's row; `percent` leaves the deferred points out of what could be earned."""
    score = {row["exercise"]: row["score"] for row in rows}
    total, possible, deferred = (round(sum(row[k] for row in rows), 6) for k in ("score", "possible", "deferred"))
    ready = possible - deferred
    percent = round(100 * total / ready, 2) if ready else 0.0
    return [
        rows[0]["student"],
        *(_plain(score.get(e, "")) for e in exercises),
        *map(_plain, (total, possible, percent, deferred)),
        status(rows),
    ]


def penalty(rows: list[Row]) -> object:
    """Return the points that lateness takes off a student's work, which are in no score; blank where nothing was due."""
    taken = [row["lateness"]["penalty"] for row in rows if "lateness" in row]
    return _plain(round(sum(taken), 6)) if taken else ""


def _plain(value: float | str) -> object:
    return int(value) if isinstance(value, float) and value.is_integer() else value


def status(rows: list[Row]) -> str:
    """Return the one word for a student's whole work: the worst of its records."""
    words = {row["status"] for row in rows}
    for word in ("fault", "refused", "unreadable"):
        if word in words:
            return word
    if words == {"not_submitted"}:
        return "not_submitted"
    return "incomplete" if "not_submitted" in words else "graded"


def check_rows(row: Row) -> Iterator[list[object]]:
    """Yield one line per check of a record."""
    for check in row["checks"]:
        message = check["message"] or (row["message"] if check["outcome"] == "not_run" else "")
        yield [
            row["student"], row["exercise"], check["id"], check["name"], check["part"], check["outcome"],
            _plain(check["earned"]), _plain(check["points"]), check["hidden"], check["requires"] or "", message,
            *_mark(check.get("manual")),
        ]  # fmt: skip
    if whole := row.get("manual", {}).get("whole"):  # no check's own: a line more, only where a person has marked so
        yield [row["student"], row["exercise"], *[""] * 9, *_mark(whole)]


def _mark(manual: Row | None) -> tuple[str, str]:
    """Return what a person gave and said, for the columns that are read back."""
    return (points(manual["points"]), manual["comment"]) if manual else ("", "")


def _marks(row: Row) -> Iterator[tuple[Name, str, str]]:
    """Yield the marks that a record's lines of checks.csv show."""
    for check in [*row["checks"], {"id": "", "manual": row.get("manual", {}).get("whole")}]:
        if mark := check.get("manual"):
            yield (row["student"], row["exercise"], check["id"]), *_mark(mark)


def _fault(row: Row) -> str:
    return next((c["message"] for c in row["checks"] if c["outcome"] == "fault"), "")


def late_lines(known: list[lateness.Lateness]) -> list[Text]:
    """Say how much came in late and what it cost, and for how much no time is known; nothing where all is well."""
    late, unknown = [k for k in known if k.days], [k for k in known if k.unknown]
    said = []
    if late:
        cost = points(sum(k.penalty for k in late))
        said.append(say("দেরিতে {n}টি কাজ, মোট {p} point কাটা।", "late: {n}; points taken off in all: {p}.", n=len(late), p=cost))
    if unknown:
        said.append(_untimed(len(unknown), sum(k.marked for k in unknown)))
    return said


def _untimed(count: int, marked: int) -> Text:
    line = say(
        "{n}টি কাজের due আছে, কিন্তু কখন জমা পড়েছে export-এ তা নেই: কিছু কাটা হয়নি",
        "due, but the export tells no time: {n}; nothing is taken off for these",
        n=count,
    )
    if marked:
        line = say("{l} ({m}টি LMS-এর চোখে দেরিতে)", "{l} ({m} marked late by the LMS)", l=line, m=marked)
    return say("{l}; সময়গুলো --times দিয়ে জানাও।", "{l}; tell the times by --times.", l=line)


def deferred_line(count: int) -> Text:
    """Say how many checks wait for a GPU."""
    return say(
        "{n}টি check GPU ছাড়া চলে না, তাই মুলতবি: এগুলো possible-এ আছে, নম্বরে নেই।",
        "{n} checks need a GPU and are deferred: their points are in possible, and in nobody's score.",
        n=count,
    )
