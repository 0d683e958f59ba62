"""Which part each cell of a notebook belongs to, as the marks in the notebook tell it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def parts_of(cells: Sequence[Any]) -> list[str]:
    """Return the part of each cell: the one that the nearest mark at or above it names, "" above the first.

    A mark is the metadata `part` of a cell, heading or code; the author's percent script writes it as `# %% part="q1"`.
    """
    part, found = "", []
    for cell in cells:
        metadata = cell.get("metadata") if isinstance(cell, dict) else None
        named = metadata.get("part") if isinstance(metadata, dict) else None
        part = named if isinstance(named, str) else part
        found.append(part)
    return found
