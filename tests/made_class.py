"""A class opened and read whole, for the tests of what comes in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from courselib.classroom import Class
from courselib.course import Course
from courselib.grader import Work


def works(folder: Path, course: Course, exercises: list[str], roster: Path | None = None) -> Iterator[Work]:
    """Yield one piece of work for every student of the class and every one of `exercises`."""
    with closing(Class(folder, course, exercises, roster)) as opened:
        yield from opened.works()


def students(folder: Path, course: Course) -> list[str]:
    """Return the names of the students of a class."""
    with closing(Class(folder, course, list(course.exercises))) as opened:
        return opened.students
