"""The record: one frozen object per student and exercise, the single source of every report."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal

from pydantic import BaseModel, ConfigDict

Outcome = Literal["passed", "failed", "error", "timed_out", "out_of_memory", "not_run", "deferred", "fault"]
Status = Literal["graded", "not_submitted", "unreadable", "refused", "fault"]
NEEDS_A_PERSON: tuple[Status, ...] = ("unreadable", "refused", "fault")


class Frozen(BaseModel):
    """A record that never changes once made."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Verdict(Frozen):
    """The outcome of one check; `name` and `message` are in the language of the run."""

    id: str
    name: str
    part: str
    outcome: Outcome
    earned: float
    points: float
    hidden: bool
    requires: str | None = None
    message: str = ""


class Machine(Frozen):
    """Where the record was made."""

    torch: str
    python: str
    system: str
    device: str
    isolation: str


class Sentence(Frozen):
    """A sentence in both languages."""

    bn: str
    en: str


class Sign(Frozen):
    """Evidence that a submission reached for the grader or is somebody else's, for the instructor's eyes only."""

    where: str
    what: Sentence


class Record(Frozen):
    """One student's work on one exercise; `possible` counts every check, `score` no deferred one."""

    schema_: Literal[1] = 1
    student: str
    exercise: str
    status: Status
    score: float
    possible: float
    deferred: float
    checks: tuple[Verdict, ...]
    message: str = ""
    file: str = ""
    submission_sha256: str = ""
    checks_sha256: str = ""
    machine: Machine
    seconds: float = 0.0
    tamper: tuple[Sign, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """Return what no two records share."""
        return self.student, self.exercise

    def line(self) -> str:
        """Return the record as one line of results.jsonl."""
        import json

        data = self.model_dump()
        return json.dumps({"schema": data.pop("schema_"), **data}, ensure_ascii=False, allow_nan=False)


def rounded(points: Fraction) -> float:
    """Round exact points once, for output."""
    return round(float(points), 6)
