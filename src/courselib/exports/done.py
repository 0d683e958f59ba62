"""What an export did, in the terms that a person asks for."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from courselib.exports.grades import Grades
from courselib.text import Text, say


@dataclass(frozen=True)
class Done:
    """The file or folder written, who is in it, who is not, and what a person should know."""

    path: Path
    students: list[str]
    left_out: list[str] = field(default_factory=list)
    notes: list[Text] = field(default_factory=list)


def summary(done: Done, grades: Grades) -> Text:
    """Say in one line what was written, how many points wait, and what needs a person."""
    waiting = grades.waiting(done.students)
    people = grades.unsettled(done.students)
    line = say("{p}: {a}/{b} শিক্ষার্থী", "{p}: {a} of {b} students", p=done.path, a=len(done.students), b=len(grades.students))
    if waiting:
        line = say("{l}; {w} point মুলতবি, কারও নম্বরে নেই", "{l}; {w} points are deferred, in nobody's score", l=line, w=waiting)
    if people:
        line = say("{l}; {n}টি কাজ একজন মানুষের দেখা দরকার, ঘর ফাঁকা", "{l}; {n} need a person and are left blank", l=line, n=len(people))
    if done.left_out:
        line = say("{l}; {n} জন বাদ", "{l}; {n} left out", l=line, n=len(done.left_out))
    return say("{l}।", "{l}.", l=line)
