"""Reading a finished run, strictly: a damaged line, a doubled record or an unknown exercise stops the export."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from courselib.exports.grades import Grade, Grades
from courselib.text import Text, say
from courselib.trouble import Trouble


def read(folder: Path, wanted: list[str]) -> Grades:
    """Read the results of a run, all exercises or the `wanted` ones; a student who is there twice stops it."""
    students: dict[str, dict[str, Grade]] = {}
    doubled: list[str] = []
    for grade in _lines(folder / "results.jsonl"):
        mine = students.setdefault(grade.student, {})
        if grade.exercise in mine:
            doubled.append(f"{grade.student} · {grade.exercise}")
        mine[grade.exercise] = grade
    if doubled:
        raise Trouble(_twice(doubled))
    if not students:
        raise Trouble(_nobody(folder))
    everything = list(dict.fromkeys(e for mine in students.values() for e in mine))
    chosen = _chosen(everything, wanted)
    return Grades(chosen, {s: {e: mine[e] for e in chosen if e in mine} for s, mine in students.items()})


def _lines(path: Path) -> Iterable[Grade]:
    if not path.is_file():
        raise Trouble(_unfinished(path))
    with path.open("rb") as file:
        for n, line in enumerate(file, 1):
            try:
                yield Grade.model_validate_json(line)
            except ValidationError as fault:
                raise Trouble(_damaged(path, n, fault)) from None


def _unfinished(path: Path) -> Text:
    return say(
        "{d}-এ results.jsonl নেই; আগে courselib grade CLASS --out {d} শেষ করো।",
        "{d} holds no results.jsonl; first finish courselib grade CLASS --out {d}.",
        d=path.parent,
    )


def _damaged(path: Path, line: int, fault: ValidationError) -> Text:
    first = fault.errors()[0]
    what = f"{'.'.join(map(str, first['loc']))}: {first['msg']}".removeprefix(": ")
    return say("{p}:{n}: {w}; আবার grade করো।", "{p}:{n}: {w}; grade again.", p=path, n=line, w=what)


def _twice(doubled: list[str]) -> Text:
    return say(
        "একই শিক্ষার্থীর একই exercise দুবার আছে: {w}; একটি রেখে আবার grade করো।",
        "a student's exercise is there twice: {w}; keep one and grade again.",
        w=", ".join(doubled),
    )


def _chosen(everything: list[str], wanted: list[str]) -> list[str]:
    chosen = []
    for name in wanted:
        found = [e for e in everything if name in (e, e.split("/")[-1])]
        if not found:
            raise Trouble(
                say(
                    "এই ফলে {n} নামে কোনো exercise নেই; আছে: {a}।",
                    "these results hold no exercise called {n}; there are: {a}.",
                    n=name,
                    a=", ".join(everything),
                )
            )
        chosen += found
    return [e for e in everything if not wanted or e in chosen]


def _nobody(folder: Path) -> Text:
    return say("{d}/results.jsonl খালি; আগে class-টি grade করো।", "{d}/results.jsonl is empty; grade the class first.", d=folder)
