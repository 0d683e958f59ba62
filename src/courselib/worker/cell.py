"""One piece of a submission: a whole script, or one code cell of a notebook."""

from __future__ import annotations

from typing import TypedDict


class Cell(TypedDict):
    """A piece of source and the name that its errors are told by."""

    name: str
    source: str
