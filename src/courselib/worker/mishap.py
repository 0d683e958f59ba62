"""What went wrong in a student's code, as plain data: the error's kind, its text and where it was."""

from __future__ import annotations

import linecache
import traceback
from typing import TypedDict


class Mishap(TypedDict):
    """One exception of a student's code."""

    kind: str
    kinds: list[str]
    text: str
    where: str
    line: int


def describe(error: BaseException, files: frozenset[str] | set[str]) -> Mishap:
    """Describe `error`; the place is the deepest frame that lies in one of the student's `files`."""
    where, line = "", 0
    for frame, number in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename in files:
            where, line = frame.f_code.co_filename, number
    if isinstance(error, SyntaxError) and isinstance(error.filename, str) and error.filename in files:
        where, line = error.filename, error.lineno if isinstance(error.lineno, int) else 0
    kinds = [k.__name__ for k in type(error).__mro__ if k is not object]
    return Mishap(kind=kinds[0], kinds=kinds, text=_text(error), where=where, line=line)


def _text(error: BaseException) -> str:
    try:
        return str(error.msg if isinstance(error, SyntaxError) else error)[:500]
    except BaseException:  # a student's __str__ may raise anything, SystemExit too
        return ""


def remember(name: str, source: str) -> None:
    """Let tracebacks and `inspect` find the lines of a source that is on no disk here."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
