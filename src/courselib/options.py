"""What every command takes, and the course that it is given in."""

from __future__ import annotations

import os
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from courselib.text import say, use_language

if TYPE_CHECKING:
    from courselib.course import Course


class Lang(StrEnum):
    """The two languages."""

    bn = "bn"
    en = "en"


LangOption = Annotated[Lang | None, typer.Option("--lang", help=say("ভাষা: bn বা en", "language: bn or en"))]


def course_here(lang: Lang | None, start: Path | None = None) -> Course:
    """Load the course around here; its own language counts where neither --lang nor COURSELIB_LANG is given."""
    from courselib.course import load_course

    course = load_course(start)
    if lang is None and not os.environ.get("COURSELIB_LANG"):
        use_language(course.manifest.language)
    return course
