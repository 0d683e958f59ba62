"""Canvas: its own gradebook export, with one column per exercise changed or added and every other byte as it was.

Canvas takes an unknown title and a blank cell literally: the one makes a new column there, the other wipes a grade.
A deferred check is in nobody's score; work without a grade leaves its cell alone.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from courselib.exports.canvas_columns import is_points, place
from courselib.exports.done import Done
from courselib.exports.filling import fill, kept_note
from courselib.exports.grades import Grades
from courselib.exports.matching import Person, match, name_key, no_row, spellings
from courselib.exports.sheet import Line, Sheet, read
from courselib.text import Text, say
from courselib.trouble import Trouble

IDS = ("SIS Login ID", "SIS User ID", "ID", "Integration ID")
POSTING = re.compile(r"\s*(muted|manual posting.*)?\s*", re.IGNORECASE | re.DOTALL)


def export(grades: Grades, source: Path, out: Path, columns: dict[str, str]) -> Done:
    """Write the gradebook at `source` to `out` with the grades in it; `columns` names an exercise's column where it differs."""
    sheet = read(source)
    first = _first_column(sheet)
    people = [_person(sheet, line) for line in sheet.lines[1:] if not _is_told(line)]
    found, missing = match(grades.students, people)
    notes: list[Text] = []
    kept: Counter[str] = Counter()
    for exercise in grades.exercises:
        column = place(sheet, exercise, columns.get(exercise, ""), grades.possible(exercise), first, notes)
        for student, line in found.items():
            grade = grades.students[student].get(exercise)
            if grade:
                kept[fill(sheet, line, column, grade.value, handed_in=grade.status != "not_submitted")] += 1
    sheet.write(out)
    notes += [*kept_note(kept), *([no_row(missing)] if missing else []), *([_twice_late()] if grades.cut() else [])]
    return Done(out, list(found), missing, notes)


def _twice_late() -> Text:
    """Warn of Canvas's own late policy, which it applies to every grade that it is given."""
    return say(
        "দেরির জন্য নম্বর এখানে আগেই কাটা; Canvas-এর নিজের late policy বন্ধ রাখো, নইলে আবার কাটবে।",
        "points for lateness are off already; keep Canvas's own late policy off, or it takes them off again.",
    )


def _first_column(sheet: Sheet) -> int:
    """Return where the exercises' columns begin; refuse what Canvas would refuse as no gradebook of its own."""
    header = sheet.header
    whole = "Student" in header[0] or header[:2] == ["LastName", "FirstName"]
    if not (whole and "ID" in header and "Section" in header):
        raise Trouble(
            say(
                "{p}:1: Canvas gradebook নয় (Student, ID ও Section কলাম দরকার); Canvas-এর Gradebook থেকে Export করা ফাইলটি দাও।",
                "{p}:1: not a Canvas gradebook (it needs Student, ID and Section); give the file that Gradebook > Export makes.",
                p=sheet.path,
            )
        )
    for line in sheet.lines[1:]:
        if not line.blank and len(line.cells) != len(header):
            raise Trouble(
                say(
                    "{p}:{n}: {a}টি ঘর আছে, হওয়ার কথা {b}টি; Canvas থেকে আবার নামাও।",
                    "{p}:{n}: {a} cells instead of {b}; download it from Canvas again.",
                    p=sheet.path,
                    n=line.number,
                    a=len(line.cells),
                    b=len(header),
                )
            )
    return header.index("Section") + 1


def _is_told(line: Line) -> bool:
    """Tell whether a row is no student's: blank, the points possible, or what is posted by hand."""
    return is_points(line) or all(POSTING.fullmatch(line[i]) for i in range(len(line.cells)))


def _person(sheet: Sheet, line: Line) -> Person:
    header = sheet.header
    ids = {title: line[header.index(title)] for title in IDS if title in header}
    names = (name_key(f"{line[1]} {line[0]}"),) if header[0] == "LastName" else spellings(line[0])
    return Person(line, ids, names)
