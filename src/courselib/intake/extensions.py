"""Extensions: who has more time, for which exercise; a student is named as on the roster, by id or name, as text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from courselib.course import Course
from courselib.intake.entries import Entry
from courselib.intake.placing import same, spellings
from courselib.intake.roster import ID_COLUMNS, NAME_COLUMNS, person_of, plain, rows_of
from courselib.moments import due_time
from courselib.text import Text, say
from courselib.trouble import Trouble

EVERY = "*"
NEEDED = ("exercise", "due")


@dataclass
class Extensions:
    """The new due times by student and exercise, and what an instructor should know of the file."""

    due: dict[tuple[str, str], datetime] = field(default_factory=dict)
    said: list[Text] = field(default_factory=list)


def read_extensions(path: Path, course: Course, entries: Iterable[Entry]) -> Extensions:
    """Read a CSV with a column for students, `exercise` (`*` for all) and `due`; a row for one exercise goes before `*`."""
    students = _Students(entries)
    told: dict[tuple[str, str], tuple[int, datetime]] = {}
    for line, row in _rows(path):
        key = students.named(path, line, row), _exercise(path, line, row["exercise"], course)
        if key in told:
            raise _at(path, line, _twice(*key, told[key][0]))
        try:
            told[key] = line, due_time(row["due"])
        except ValueError as fault:
            raise _at(path, line, fault.args[0]) from None
    return _spread(path, course, told)


def _rows(path: Path) -> Iterable[tuple[int, dict[str, str]]]:
    """Yield each row with its line, under the titles of the first."""
    lines = list(rows_of(path))
    header = [plain(h) for h in lines[0][1]] if lines else []
    if not (set(NEEDED) <= set(header) and {*ID_COLUMNS, *NAME_COLUMNS}.intersection(header)):
        raise _at(path, 1, say("প্রথম লাইনে লেখো: student,exercise,due", "the first line must be: student,exercise,due"))
    for line, row in lines[1:]:
        if len(row) != len(header):
            raise _at(
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
            raise _at(path, line, several)
        raise _at(path, line, _nobody(told))

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
        raise _at(path, line, unknown.sentence) from None
    if not any(e.due for e in wanted):
        raise _at(path, line, say("course.yaml-এ {e}-এর কোনো due নেই।", "course.yaml has no due for {e}.", e=name))
    return EVERY if name == EVERY else wanted[0].id


def _spread(path: Path, course: Course, told: Mapping[tuple[str, str], tuple[int, datetime]]) -> Extensions:
    """Give each exercise its row; say which rows give nobody more time, since an extension never takes any away."""
    found = Extensions()
    for (student, name), (line, moment) in sorted(told.items(), key=lambda item: item[0][1] != EVERY):
        due = {e.id: e.due for e in course.assigned.values() if e.due and name in (EVERY, e.id)}
        found.due |= {(student, exercise): moment for exercise in due}
        if all(moment.astimezone(UTC) <= d.astimezone(UTC) for d in due.values()):
            early = say("এতে কেউ বাড়তি সময় পায় না; course.yaml-এর due-ই থাকছে।", "this is no later than course.yaml's due, which stands.")
            found.said.append(_at(path, line, early).sentence)
    return found


def _at(path: Path, line: int, sentence: Text) -> Trouble:
    """Make a `Trouble` that opens with file and line."""
    return Trouble(say("{p}:{n}: {t}", "{p}:{n}: {t}", p=path.name, n=line, t=sentence))
