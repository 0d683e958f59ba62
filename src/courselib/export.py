"""`courselib export`: the grades of a finished run, by the rules of whoever receives them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from courselib.exports import canvas, gradescope, moodle, table
from courselib.exports.done import Done, summary
from courselib.exports.finished import read
from courselib.text import say
from courselib.trouble import Trouble

RECEIVERS: dict[str, Callable[[Any, Any, Path, dict[str, str]], Done]] = {
    "csv": table.export,
    "canvas": canvas.export,
    "moodle": moodle.export,
    "gradescope": gradescope.export,
}
STARTS_FROM = {
    "canvas": say("Canvas-এ: Grades > Export > Export Entire Gradebook", "in Canvas: Grades > Export > Export Entire Gradebook"),
    "moodle": say(
        "Moodle-এ: View all submissions > Download grading worksheet", "in Moodle: View all submissions > Download grading worksheet"
    ),
}
NAMES = {"csv": "export.csv", "canvas": "canvas.csv", "moodle": "moodle.csv", "gradescope": "gradescope"}


def export(folder: Path, to: str, source: Path | None, out: Path | None, exercises: list[str]) -> int:
    """Export the run in `folder`, print one line; 1 where somebody needs a person or is left out, else 0."""
    _right_source(to, source)
    named = dict(_named(e) for e in exercises)
    grades = read(folder, list(named))
    columns = {e: column for e in grades.exercises for n, column in named.items() if column and n in (e, e.split("/")[-1])}
    if columns and to != "canvas":
        raise Trouble(say("NAME=COLUMN শুধু --to canvas-এর জন্য।", "NAME=COLUMN is for --to canvas only."))
    path = _place(folder, to, out)
    if source is not None and path.exists() and path.samefile(source):
        raise Trouble(say("--out আর --from একই ফাইল; --out বদলাও।", "--out and --from are one file; give --out another name."))
    done = RECEIVERS[to](grades, source, path, columns)
    for note in done.notes:
        print(f"courselib: {note.read()}", file=sys.stderr)
    print(summary(done, grades).read())
    return 1 if done.left_out or grades.unsettled(grades.students) else 0


def _right_source(to: str, source: Path | None) -> None:
    if source is None and to in STARTS_FROM:
        raise Trouble(
            say(
                "--to {t} শুরু হয় LMS থেকে নামানো ফাইল দিয়ে: --from FILE দাও ({h})।",
                "--to {t} starts from a file of the LMS: give --from FILE ({h}).",
                t=to,
                h=STARTS_FROM[to],
            )
        )
    if source is not None and to not in STARTS_FROM:
        raise Trouble(say("--from শুধু --to canvas ও moodle-এর জন্য; বাদ দাও।", "--from is for --to canvas and moodle only; leave it out."))


def _named(text: str) -> tuple[str, str]:
    name, _, column = text.partition("=")
    return name.strip(), column.strip()


def _place(folder: Path, to: str, out: Path | None) -> Path:
    """Return where the export goes: beside the results by default, into `out` where that is a folder."""
    if out is None:
        return folder / NAMES[to]
    return out / NAMES[to] if to != "gradescope" and out.is_dir() else out
