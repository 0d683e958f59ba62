"""Extensions: who has more time, for which exercise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from courselib.course import Course
from courselib.intake.dated import at, read_moments
from courselib.intake.entries import Entry
from courselib.text import Text, say


@dataclass
class Extensions:
    """The new due times by student and exercise, and what an instructor should know of the file."""

    due: dict[tuple[str, str], datetime] = field(default_factory=dict)
    said: list[Text] = field(default_factory=list)


def read_extensions(path: Path, course: Course, entries: Iterable[Entry]) -> Extensions:
    """Read a CSV with the columns student, exercise and due; say which rows give nobody more time: none ever takes any away."""
    found = Extensions()
    for line, moment, student, due in read_moments(path, "due", course, entries):
        found.due |= {(student, exercise): moment for exercise in due}
        if all(moment.astimezone(UTC) <= d.astimezone(UTC) for d in due.values()):
            early = say("এতে কেউ বাড়তি সময় পায় না; course.yaml-এর due-ই থাকছে।", "this is no later than course.yaml's due, which stands.")
            found.said.append(at(path, line, early).sentence)
    return found
