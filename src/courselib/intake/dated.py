"""A list of moments, one for a student and an exercise; a student is named as on the roster, by id or name, as text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path

from courselib.course import Course
from courselib.intake.entries import Entry
from courselib.intake.placing import same, spellings
from courselib.intake.roster import ID_COLUMNS, NAME_COLUMNS, person_of, plain, rows_of
from courselib.moments import due_time
from courselib.text import Text, say
from courselib.trouble import Trouble

EVERY = "*"
# By student and exercise (or `EVERY`): the line that tells it, and the moment.
Told = dict[tuple[str, str], tuple[int, datetime]]


def read_moments(
    path: Path, column: str, course: Course, entries: Iterable[Entry]
) -> Iterator[tuple[int, datetime, str, dict[str, datetime]]]:
    """Read a CSV with a column for students, `exercise` (`*` for all that are due) and `column`.

    Yield each line, its moment, its student, and when the exercises that it names are due; a row for one comes after `*`.
    """
    told = _told(path, column, course, entries)
    for (student, name), (line, moment) in sorted(told.items(), key=lambda item: item[0][1] != EVERY):
        yield line, moment, student, {e.id: e.due for e in course.assigned.values() if e.due and name in (EVERY, e.id)}


def _told(path: Path, column: str, course: Course, entries: Iterable[Entry]) -> Told:
    students = _Students(entries)
    told: Told = {}
    for line, row in _rows(path, column):
        key = students.named(path, line, row), _exercise(path, line, row["exercise"], course)
        if key in told:
            raise at(path, line, _twice(*key, told[key][0]))
        try:
            told[key] = line, due_time(row[column])
        except ValueError as fault:
            raise at(path, line, fault.args[0]) from None
    return told


def _rows(path: Path, column: str) -> Iterable[tuple[int, dict[str, str]]]:
    """Yield each row with its line, under the titles of the first."""
    lines = list(rows_of(path))
    header = [plain(h) for h in lines[0][1]] if lines else []
    if not ({"exercise", column} <= set(header) and {*ID_COLUMNS, *NAME_COLUMNS}.intersection(header)):
        raise at(path, 1, say("প্রথম লাইনে লেখো: student,exercise,{c}", "the first line must be: student,exercise,{c}", c=column))
    for line, row in lines[1:]:
        if len(row) != len(header):
            raise at(
                path,
                line,
                say("{a}টি ঘর আছে, হওয়ার কথা {b}টি।", "{a} cells instead of {b}.", a=len(row), b=len(header)),
            )
        yield line, dict(zip(header, row, strict=True))


class _Students:
    """The students of the class by their row's name, then by id, then by name."""

    def __init__(self, entries: Iterable[Entry]) -> None:
        self.known: list[defaultdict[str, set[str]]] = [defaultdict(set), defaultdict(set), defaultdict(set)]
        for entry in entries:
            self.known[0][entry.student].add(entry.student)
            for each in entry.ids:
                self.known[1][same(each)].add(entry.student)
            for name in spellings(entry.name):
                self.known[2][name].add(entry.student)

    def named(self, path: Path, line: int, row: dict[str, str]) -> str:
        """Return the student whom a row names."""
        person = person_of(row, line, under_header=False)
        told = person.key if person else ""
        found = next(filter(None, (self._fitting(told, at) for at in range(3))), [])
        if len(found) == 1:
            return found[0]
        if found:
            several = say("{s} বলতে একাধিক শিক্ষার্থী: {w}; id দাও।", "{s} fits several students: {w}; give an id.", s=told, w=", ".join(found))
            raise at(path, line, several)
        raise at(path, line, _nobody(told))

    def _fitting(self, told: str, at: int) -> list[str]:
        keys = ({told}, {same(told)}, spellings(told))[at] - {""}
        return sorted(set().union(*(self.known[at][key] for key in keys if key in self.known[at])))


def _nobody(told: str) -> Text:
    return say(
        "“{s}” নামে এই class-এ কেউ নেই; নাম বা id ঠিক করো (কিছু জমা না দিয়ে থাকলে --roster-ও দাও)।",
        "there is no “{s}” in this class; mend the name or id (give --roster too where nothing was handed in).",
        s=told,
    )


def _twice(student: str, exercise: str, line: int) -> Text:
    return say("{s} · {e} লাইন {n}-এও আছে; একটি রাখো।", "{s} · {e} is on line {n} too; keep one.", s=student, e=exercise, n=line)


def _exercise(path: Path, line: int, name: str, course: Course) -> str:
    """Return the exercise that a row names, which must be due some time; or `EVERY`."""
    try:
        wanted = list(course.assigned.values()) if name == EVERY else [course.named(name)]
    except Trouble as unknown:
        raise at(path, line, unknown.sentence) from None
    if not any(e.due for e in wanted):
        raise at(path, line, say("course.yaml-এ {e}-এর কোনো due নেই।", "course.yaml has no due for {e}.", e=name))
    return EVERY if name == EVERY else wanted[0].id


def at(path: Path, line: int, sentence: Text) -> Trouble:
    """Make a `Trouble` that opens with file and line."""
    return Trouble(say("{p}:{n}: {t}", "{p}:{n}: {t}", p=path.name, n=line, t=sentence))
