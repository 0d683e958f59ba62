"""results.jsonl: every record as it comes, and in the end all of them in the class's order."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from courselib.record import Record

Row = dict[str, Any]


class Results:
    """The records of one run, kept on disk; in memory only where each line lies."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / "results.jsonl"
        self.partial = folder / "results.partial.jsonl"
        self.file = self.partial.open("w+b")
        self.lines: dict[tuple[str, str], tuple[int, int]] = {}

    def add(self, record: Record) -> None:
        """Keep one record, on disk before the next one is graded."""
        line = record.line().encode("utf-8", "replace") + b"\n"
        self.lines[record.key] = (self.file.seek(0, os.SEEK_END), len(line))
        self.file.write(line)
        self.file.flush()

    def finish(self, exercises: list[str]) -> None:
        """Write results.jsonl whole, by student and then in teaching order, in one step."""
        order = {exercise: i for i, exercise in enumerate(exercises)}
        whole = self.path.with_suffix(".tmp")
        with whole.open("wb") as out:
            for key in sorted(self.lines, key=lambda k: (k[0], order[k[1]])):
                at, length = self.lines[key]
                self.file.seek(at)
                out.write(self.file.read(length))
        self.file.close()
        whole.replace(self.path)
        self.partial.unlink()


def read_results(folder: Path) -> Iterator[Row]:
    """Yield the records of a finished run as plain data."""
    with (folder / "results.jsonl").open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
