"""Moodle: its offline grading worksheet, with the Grade column filled and every other byte as it was.

A worksheet holds one grade: of the one exercise that was chosen, else the total of all. Deferred points are in nobody's score, and
Moodle passes over a blank grade, a locked one, and one out of range.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from courselib.exports.done import Done
from courselib.exports.filling import fill, kept_note, same_maximum
from courselib.exports.grades import Grades
from courselib.exports.matching import Person, match, no_row, spellings
from courselib.exports.sheet import Line, Sheet, read
from courselib.text import say
from courselib.trouble import Trouble

NEEDED = ("Identifier", "Grade", "Last modified (grade)")
IDS = ("Username", "ID number", "Email address")
PARTICIPANT = re.compile(r"\D*(\d+)", re.ASCII)


def export(grades: Grades, source: Path, out: Path, columns: dict[str, str]) -> Done:
    """Write the worksheet at `source` to `out` with the grades in it."""
    sheet = read(source)
    at = _columns(sheet)
    rows = [line for line in sheet.lines[1:] if not line.blank]
    found, missing = match(grades.students, [_person(line, at) for line in rows])
    possible = round(sum(map(grades.possible, grades.exercises)), 6)
    kept: Counter[str] = Counter()
    for student, line in found.items():
        if "Maximum Grade" in at:
            same_maximum(sheet, line, at["Maximum Grade"], possible, ", ".join(grades.exercises))
        kept[_put(sheet, line, at, grades, student)] += 1
    sheet.write(out)
    return Done(out, list(found), missing, kept_note(kept) + ([no_row(missing)] if missing else []))


def _put(sheet: Sheet, line: Line, at: dict[str, int], grades: Grades, student: str) -> str:
    mine = grades.students[student].values()
    if "Grade can be changed" in at and line[at["Grade can be changed"]].strip().casefold() == "no":
        return "locked"
    return fill(sheet, line, at["Grade"], grades.total(student), handed_in=any(g.status != "not_submitted" for g in mine))


def _columns(sheet: Sheet) -> dict[str, int]:
    """Return where each column is; refuse what Moodle would refuse, and a grade that is a word of a scale."""
    at = {title: i for i, title in reversed(list(enumerate(sheet.header)))}
    lacking = [title for title in NEEDED if title not in at]
    if lacking or "Scale" in at:
        raise Trouble(
            say(
                "{p}:1: নম্বরের grading worksheet নয় (নেই: {w}); Moodle-এর ভাষা English ও grade type Point করে আবার নামাও।",
                "{p}:1: not a grading worksheet for points (it lacks {w}); download it with Moodle in English, grade type Point.",
                p=sheet.path,
                w=", ".join(lacking) or "Maximum Grade",
            )
        )
    return at


def _person(line: Line, at: dict[str, int]) -> Person:
    identifier = line[at["Identifier"]].strip()
    number = PARTICIPANT.fullmatch(identifier)
    ids = {"Identifier": identifier, "participant": number[1] if number else ""}
    ids |= {title: line[at[title]] for title in IDS if title in at}
    return Person(line, ids, spellings(line[at["Full name"]]) if "Full name" in at else ())
