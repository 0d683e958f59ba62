"""A class that is graded in no time: its records are made of its bytes, with no worker and no checks run."""

from __future__ import annotations

import csv
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from random import random
from typing import Any

import made

from courselib import reports
from courselib.checks import Check, CheckFile
from courselib.grader import Bench, Work
from courselib.keep import keys
from courselib.lateness import Deadlines
from courselib.record import Machine, Record, Verdict
from courselib.results import Results
from courselib.text import Text, language, say

EXERCISES = ["u/late", "a/first"]  # teaching order, not the alphabet's


def check(name: str, points: int, *, hidden: bool = False, requires: str | None = None) -> Check:
    return Check(name, "part", Text(name, name), Fraction(points), hidden, requires, lambda: None)


CHECKS = (check("one", 2), check("two", 1, hidden=True), check("far", 1, requires="cuda"))


def benches(sha: str = "c1", seconds: float = 10) -> dict[str, Bench]:
    return {e: Bench(CheckFile(Path("x.py"), CHECKS), seconds, sha) for e in EXERCISES}


def works(students: Iterable[str] | int, **changed: bytes | None) -> list[Work]:
    """Make the works of a class, by student and then in teaching order; `changed` are other bytes for a student."""
    names = [f"s{n:02d}" for n in range(students)] if isinstance(students, int) else students
    return [Work(s, e, "x.py", changed.get(s, f"{s} {e}".encode())) for s in names for e in EXERCISES]


@dataclass
class Run:
    """One run of the fake grader: what it was set to, and which works it graded."""

    able: tuple[str, ...] = ()
    isolation: str = "namespaces"
    bench: dict[str, Bench] = field(default_factory=benches)
    fresh: bool = False
    waiting: bool = False
    store: str | None = None
    deadlines: Deadlines | None = None
    faulty: str = ""
    graded: list[tuple[str, str]] = field(default_factory=list)
    said: list[Text] = field(default_factory=list)
    told: list[Text] = field(default_factory=list)
    skipped: int = 0

    def __call__(self, folder: Path, class_: Iterable[Work]) -> Run:
        """Grade a class into `folder`, as `courselib grade` does."""
        with Results(folder, self.store) as results:
            settings = keys.settings(self.isolation, self.able)
            for work in results.unfinished(class_, self.bench, settings, fresh=self.fresh, waiting=self.waiting):
                self.graded.append((work.student, work.exercise))
                results.add(self.record(work))
            self.said = results.finish(EXERCISES, self.deadlines)
            self.skipped, self.told = results.skipped, results.said()
            reports.write_reports(folder, EXERCISES)
        return self

    def record(self, work: Work) -> Record:
        """Make a record: the first check passes where the bytes' sum is even; a lone check waits for a GPU."""
        even = sum(work.data or b"") % 2 == 0
        outcomes: tuple[Any, ...] = ("passed" if even else "failed", "passed", "passed" if "cuda" in self.able else "deferred")
        status: Any = "fault" if work.student == self.faulty else "graded" if work.data else "not_submitted"
        verdicts = tuple(_verdict(c, o, work) for c, o in zip(CHECKS, outcomes if work.data else ("not_run",) * 3, strict=True))
        return Record(
            student=work.student,
            exercise=work.exercise,
            status=status,
            score=sum(v.earned for v in verdicts),
            possible=4,
            deferred=sum(v.points for v in verdicts if v.outcome == "deferred"),
            checks=verdicts,
            submission_sha256=(work.data or b"").hex(),
            checks_sha256=self.bench[work.exercise].sha256,
            machine=Machine(torch="2", python="3", system="x", device="cpu", isolation=self.isolation),
            seconds=random(),
        )


def _verdict(of: Check, outcome: Any, work: Work) -> Verdict:
    told = say("{s}-এর কাজ", "the work of {s}", s=work.student).read(language())
    earned = float(of.points) if outcome == "passed" else 0.0
    return Verdict(
        id=of.id,
        name=of.name.read(),
        part=of.part,
        outcome=outcome,
        earned=earned,
        points=float(of.points),
        hidden=of.hidden,
        requires=of.requires,
        message=told,
    )


def lasting(folder: Path) -> tuple[bytes, bytes, list[dict[str, Any]]]:
    """Return what two runs must have in common: both tables to the byte, and the records but for their seconds."""
    lines = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    return (
        (folder / "grades.csv").read_bytes(),
        (folder / "checks.csv").read_bytes(),
        [{**json.loads(line), "seconds": 0} for line in lines],
    )


def rows(folder: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the records of a folder by student and exercise."""
    lines = (folder / "results.jsonl").read_text(encoding="utf-8").splitlines()
    return {(r["student"], r["exercise"]): r for r in map(json.loads, lines)}


def grades(folder: Path) -> dict[str, dict[str, str]]:
    """Return grades.csv by student."""
    with (folder / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        return {row["student"]: row for row in csv.DictReader(file)}


@contextmanager
def python(script: str, *args: object) -> Iterator[subprocess.Popen[bytes]]:
    """Start a script in a Python of its own; it does not outlive the block."""
    line = [sys.executable, "-c", script, *map(str, args)]
    with subprocess.Popen(
        line, env=made.ENVIRONMENT | {"PYTHONPATH": os.pathsep.join(sys.path)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def stored(out: Path) -> int:
    """Return how many records the store of a run holds now, that a kill would leave."""
    try:
        with closing(sqlite3.connect(f"file:{out / 'store.sqlite'}?mode=ro", uri=True)) as store:
            return int(store.execute("SELECT count(*) FROM courselib_record").fetchone()[0])
    except sqlite3.OperationalError:  # no file yet, or no tables in it
        return 0
