"""Records made up for the tests of the reports."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from courselib.record import Machine, Record, Verdict

MACHINE = Machine(torch="2.13", python="3.11", system="Linux", device="cpu", isolation="namespaces")
EXERCISES = ["u/one", "u/two"]
HOSTILE = [
    "</pre><script>window.owned = 1</script>",
    "<img src=x onerror=window.owned=1>.ipynb",
    "'\"><svg onload=window.owned=1>",
    "</title><script>window.owned = 1</script>",
    "<!-- never closed",
    "{{ 7 * 7 }}{% raw %}",
    "javascript:window.owned=1",
    "\x1b[31mred\x1b[0m $x$ `code`",
    "\u202egnp.exe",
    "<table><tr><td>a frame</td>",
    "../../etc/passwd",
    "a\x00b\r\nc",
]


def verdict(id: str = "a", outcome: Any = "passed", points: float = 1, **told: Any) -> Verdict:
    """Make a check's verdict; it earns its points where it passed."""
    plain = {"name": f"name of {id}", "part": "p", "hidden": False, "earned": points if outcome == "passed" else 0}
    return Verdict(**{"id": id, "outcome": outcome, "points": points} | plain | told)


def record(student: str, *checks: Verdict, exercise: str = "u/one", **told: Any) -> Record:
    """Make a record whose points are the sum of its verdicts'."""
    waiting = sum(c.points for c in checks if c.outcome == "deferred")
    plain: dict[str, Any] = {
        "status": "graded",
        "score": sum(c.earned for c in checks),
        "possible": sum(c.points for c in checks),
        "deferred": waiting,
        "machine": MACHINE,
        "file": f"{exercise.split('/')[1]}.py",
        "submission_sha256": "0f" * 32,
    }
    return Record(student=student, exercise=exercise, checks=checks, **plain | told)


def nothing(student: str, exercise: str = "u/one") -> Record:
    """Make the record of a student who handed in nothing."""
    missing = {"status": "not_submitted", "message": "nothing was handed in.", "file": "", "submission_sha256": ""}
    return record(student, verdict("a", "not_run"), exercise=exercise, **missing)


def write(folder: Path, records: Iterable[Record]) -> Path:
    """Write results.jsonl as a finished run leaves it."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.jsonl").write_bytes(b"".join(r.line().encode("utf-8", "replace") + b"\n" for r in records))
    return folder
