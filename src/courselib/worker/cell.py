"""One piece of a submission: a whole script, or one code cell of a notebook."""

from __future__ import annotations

from typing import NotRequired, TypedDict


class Cell(TypedDict):
    """A piece of source, the name that its errors are told by, and the part it belongs to where a mark says so."""

    name: str
    source: str
    part: NotRequired[str]
