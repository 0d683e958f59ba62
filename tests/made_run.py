"""Finished runs made for the tests of exports: plain results.jsonl, as any version of the grader writes them."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

POWERS, GREETING = "first/powers", "first/greeting"


def check(outcome: str = "passed", points: float = 1, **told: Any) -> dict[str, Any]:
    """Return one verdict."""
    earned = points if outcome == "passed" else 0
    plain = {"id": "c", "name": "it works", "part": "p", "outcome": outcome, "earned": earned, "points": points, "hidden": False}
    return plain | {"requires": None, "message": ""} | told


def record(student: str, exercise: str = POWERS, *checks: dict[str, Any], status: str = "graded", **told: Any) -> dict[str, Any]:
    """Return one record whose sums follow from its checks: by default 3 points earned, 1 lost, 2 deferred of 6."""
    mine = checks or (check(points=3), check("failed"), check("deferred", 2, requires="cuda", message="runs later"))
    sums = {
        "score": float(sum(c["earned"] for c in mine)),
        "possible": float(sum(c["points"] for c in mine)),
        "deferred": float(sum(c["points"] for c in mine if c["outcome"] == "deferred")),
    }
    whole = {"schema": 1, "student": student, "exercise": exercise, "status": status, **sums, "checks": list(mine), "message": ""}
    return whole | {"machine": {"torch": "2"}, "seconds": 0.1} | told


def nothing(student: str, exercise: str = POWERS, status: str = "not_submitted", **told: Any) -> dict[str, Any]:
    """Return the record of work without a verdict of its own."""
    return record(student, exercise, check("not_run", 6), status=status, **told)


def run(folder: Path, *records: dict[str, Any]) -> Path:
    """Write a finished run."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)
    (folder / "results.jsonl").write_text(lines, encoding="utf-8")
    return folder


def rows(path: Path, separator: str = ",") -> list[list[str]]:
    """Read a CSV as another program does."""
    return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline=""), delimiter=separator))
