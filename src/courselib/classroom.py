"""A class: one entry per student, however it came in, and in it one file per exercise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from courselib.course import Course
from courselib.grader import Work
from courselib.intake import archive, names
from courselib.intake.archive import BadArchive, Budget
from courselib.intake.contents import DiskFile, DiskFolder, in_zip
from courselib.intake.entries import Entry
from courselib.intake.extensions import Extensions, read_extensions
from courselib.intake.haul import Haul, haul
from courselib.intake.layouts import Layout, recognise
from courselib.intake.picking import pick
from courselib.intake.placing import Placed, place
from courselib.intake.roster import read_roster
from courselib.intake.times import read_times
from courselib.text import Text, say
from courselib.trouble import Trouble


class Class:
    """A class that is open for grading; close it to close the zip it may be."""

    def __init__(self, folder: Path, course: Course, exercises: list[str], roster: Path | None = None) -> None:
        self.course, self.exercises = course, exercises
        self.budget = Budget(archive.MAX_CLASS_FILES, archive.MAX_CLASS_TOTAL)
        try:
            self.layout = _layout(folder, [e.name for e in course.assigned.values()], _only(course, exercises), self.budget)
            self.placed = place(self.layout.entries, read_roster(roster)) if roster else Placed(self.layout.entries)
            if not self.placed.entries:
                raise _empty(folder)
        except BaseException:
            self.close()
            raise

    @property
    def students(self) -> list[str]:
        """Return the students' names as they stand in the results, sorted."""
        return [e.student for e in self.placed.entries]

    @property
    def names(self) -> dict[str, str]:
        """Return by student what a person calls them."""
        return {e.student: e.name or e.student for e in self.placed.entries}

    @property
    def said(self) -> list[Text]:
        """Say what the class was taken for, and how it fits its roster; a line each."""
        return [self.layout.said, *self.placed.said]

    def extensions(self, path: Path | None) -> Extensions:
        """Return who has more time."""
        return read_extensions(path, self.course, self.placed.entries) if path else Extensions()

    def times(self, path: Path | None) -> dict[tuple[str, str], datetime]:
        """Return when work came in, as far as the instructor tells it."""
        return read_times(path, self.course, self.placed.entries) if path else {}

    def works(self) -> Iterator[Work]:
        """Yield one piece of work for every student and every exercise."""
        for entry in self.placed.entries:
            yield from _of_student(entry, self.course, self.exercises)

    def close(self) -> None:
        """Close what is open."""
        self.budget.close()


def _only(course: Course, exercises: list[str]) -> str | None:
    return course.assigned[exercises[0]].name if len(exercises) == 1 else None


def _layout(folder: Path, exercises: list[str], only: str | None, budget: Budget) -> Layout:
    if folder.is_dir():
        return recognise(DiskFolder(names.spelt(folder.resolve().name), folder), exercises, only, budget)
    if folder.is_file() and folder.suffix.lower() == ".zip":
        top = in_zip(DiskFile(names.spelt(folder.name), folder), budget, shared=True)
        return recognise(top, exercises, only, budget)
    raise Trouble(
        say(
            "{f} কোনো ফোল্ডার নয়, zip-ও নয়; class-এর ফোল্ডার বা zip দাও।",
            "{f} is not a folder or a zip; name the class's folder or zip.",
            f=folder,
        )
    )


def _empty(folder: Path) -> Trouble:
    return Trouble(
        say(
            "{f}-এ কোনো জমা নেই: প্রতি শিক্ষার্থীর একটি ফোল্ডার বা zip, বা LMS-এর ডাউনলোড দরকার।",
            "{f} holds no submissions: one folder or zip per student, or an LMS's download, is needed.",
            f=folder,
        )
    )


def _of_student(entry: Entry, course: Course, exercises: list[str]) -> Iterator[Work]:
    """Yield the works of one student; nothing that they sent stops the class."""
    trouble = entry.trouble
    found, budget = Haul(), Budget()
    try:
        found = haul(entry, budget) if not trouble else found
    except BadArchive as refused:
        trouble = ("refused", refused.sentence)
    except archive.FAULTS as fault:
        trouble = ("unreadable", say("{n}: পড়া গেল না ({f})।", "{n}: it cannot be read ({f}).", n=entry.sources, f=fault))
    try:
        for exercise in exercises:
            work = Work(entry.student, exercise, entry.sources, None, trouble) if trouble else pick(entry, exercise, found, course)
            yield replace(work, notes=(*entry.notes, *work.notes))
    finally:
        budget.close()
