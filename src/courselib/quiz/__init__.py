"""Quizzes that check themselves: one YAML source, one set of marking rules, wherever a learner answers."""

from __future__ import annotations

from pathlib import Path


def show(name: str, course: Path | None = None) -> None:
    """Show a quiz of the course around `course` (the current folder by default) below a notebook's cell."""
    from courselib.quiz.page import show  # what a page needs costs time to import, and the commands need none of it

    show(name, course)
