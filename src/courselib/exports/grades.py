"""The finished run that an export starts from; every number is checked before anything is written.

What a record is worth outside: the points earned, as they are. It has no worth (blank, never 0) while a person must look at it,
or while all of its points are deferred. Work that was never handed in is worth 0. A total waits for the person too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from courselib.exports.cells import points
from courselib.lateness import Lateness
from courselib.record import NEEDS_A_PERSON, Outcome, Status
from courselib.text import say
from courselib.trouble import Trouble

HAIR = 1e-9  # rounding may put a sum this far beyond its ends
Points = Annotated[float, Field(ge=-HAIR, allow_inf_nan=False)]


class Read(BaseModel):
    """What is read strictly from a record; keys that an export does not need are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)


class Checked(Read):
    """The verdict on one check."""

    name: str
    outcome: Outcome
    earned: Points
    points: Points
    hidden: bool
    message: str = ""
    manual: dict[str, Any] | None = None

    @property
    def by_hand(self) -> bool:
        """Tell whether a person gave the points."""
        return bool(self.manual) and (self.manual or {}).get("points") is not None

    @property
    def waits(self) -> bool:
        """Tell whether its points wait for another machine."""
        return self.outcome == "deferred" and not self.by_hand


class Grade(Read):
    """One student's work on one exercise."""

    student: str
    exercise: str
    status: Status
    score: Points
    possible: Points
    deferred: Points
    checks: tuple[Checked, ...]
    message: str = ""
    manual: dict[str, Any] | None = None
    lateness: Lateness | None = None

    @model_validator(mode="after")
    def _within(self) -> Grade:
        if self.score > self.ready + HAIR:
            raise ValueError(f"score {self.score} is above {self.ready}, what could be earned")
        return self

    @property
    def ready(self) -> float:
        """Return the points that could be earned on the machine that graded."""
        return round(self.possible - self.deferred, 6)

    @property
    def earned(self) -> float:
        """Return what the checks add up to, before anything is taken off for lateness."""
        return self.lateness.before if self.lateness else self.score

    @property
    def settled(self) -> bool:
        """Tell whether nobody needs to look at it."""
        return self.status not in NEEDS_A_PERSON

    @property
    def value(self) -> float | None:
        """Return the points earned; None while there is no grade."""
        waits = self.possible > 0 and self.ready <= HAIR
        return None if waits or not self.settled else round(min(max(self.score, 0.0), self.ready), 6)


@dataclass(frozen=True)
class Grades:
    """The grades of a class: by student, then by exercise, in the order of the run."""

    exercises: list[str]
    students: dict[str, dict[str, Grade]]

    def total(self, student: str) -> float | None:
        """Return a student's points over all exercises; None while a person must look, or where nothing has a grade."""
        mine = self.students[student].values()
        values = [g.value for g in mine if g.value is not None]
        return round(sum(values), 6) if values and all(g.settled for g in mine) else None

    def possible(self, exercise: str) -> float:
        """Return what an exercise is worth; records that disagree come from different checks."""
        found = {mine[exercise].possible for mine in self.students.values() if exercise in mine}
        if len(found) > 1:
            raise Trouble(
                say(
                    "{e}-এর পূর্ণমান সব record-এ এক নয় ({p}); সবাইকে একই check দিয়ে আবার grade করো।",
                    "{e} is not worth the same in every record ({p}); grade everyone again with the same checks.",
                    e=exercise,
                    p=", ".join(map(str, sorted(found))),
                )
            )
        return found.pop()

    def waiting(self, students: Iterable[str]) -> str:
        """Return the deferred points of `students`, as text; empty where none wait."""
        waits = sum(g.deferred for s in students for g in self.students[s].values())
        return points(waits) if waits > HAIR else ""

    def cut(self) -> bool:
        """Tell whether lateness took something off anybody's score."""
        return any(g.lateness and g.lateness.penalty for mine in self.students.values() for g in mine.values())

    def unsettled(self, students: Iterable[str]) -> list[tuple[str, str]]:
        """Return (student, exercise) of every record that a person must look at."""
        return [(s, e) for s in students for e, g in self.students[s].items() if not g.settled]
