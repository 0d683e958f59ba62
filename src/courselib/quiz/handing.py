"""What of the quizzes is handed out: a page each, the sources of those that count nothing, and a file for each LMS."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from courselib.course import Course
from courselib.quiz import export, markup, shelf
from courselib.quiz.built import Built
from courselib.quiz.page import page
from courselib.text import Text, say


def pages(course: Course, built: Mapping[str, Built]) -> dict[str, str]:
    """Return the page of each quiz by its name; a graded one holds no key."""
    graded = shelf.graded(course)
    return {name: page(quiz, course.manifest.language, keys=name not in graded) for name, quiz in built.items()}


def sources(course: Course) -> dict[str, str]:
    """Return the source of each quiz that a student may have whole: of a graded one the keys stay with the instructor."""
    graded = shelf.graded(course)
    return {name: course.tree.quiz(name).read_text(encoding="utf-8") for name in shelf.names(course) if name not in graded}


def for_lms(course: Course, built: Mapping[str, Built], out: Path) -> Iterator[Text]:
    """Write each quiz for each LMS under `out`, and yield what those formats cannot carry."""
    for name, quiz in built.items():
        for to, suffix in export.SUFFIXES.items():
            path = out / to / f"{name}{suffix}"
            path.parent.mkdir(parents=True, exist_ok=True)
            losses = export.export(name, quiz, to, course.manifest.language, path, render=markup.html)
            for sentence, questions in export.grouped(losses):
                about = f"{to}/{path.name}: " + (f"{', '.join(questions)}: " if questions else "")
                yield say("{a}{s}", "{a}{s}", a=about, s=sentence)
