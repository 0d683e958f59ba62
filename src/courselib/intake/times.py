"""Times: when work came in, as an instructor tells it where an LMS's download does not."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from courselib.course import Course
from courselib.intake.dated import read_moments
from courselib.intake.entries import Entry


def read_times(path: Path, course: Course, entries: Iterable[Entry]) -> dict[tuple[str, str], datetime]:
    """Read a CSV with the columns student, exercise and submitted; return the moments by student and exercise."""
    told = read_moments(path, "submitted", course, entries)
    return {(student, exercise): moment for _, moment, student, due in told for exercise in due}
