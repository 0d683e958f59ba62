"""Lateness: a pure function of when work came in, when it was due, and what the course takes off for a day.

A record is graded without it and kept without it; it goes on top whenever results are written, so a deadline that changes
costs no grading, and one that is taken away takes its penalty with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

from courselib.moments import Due, day_ends, told_by_lms, written
from courselib.policy import Policy
from courselib.record import Frozen, rounded
from courselib.text import Text, say

Row = dict[str, Any]


class Terms(Frozen):
    """All that the lateness of one piece of work is a function of, besides its record."""

    due: Due
    extended: bool = False
    submitted: str = ""  # as the export of an LMS writes it
    marked: bool = False  # late by the LMS's own mark
    policy: Policy | None = None


class Lateness(Frozen):
    """What a record says of time; `handed_in` where there is work to be late with, `days` None where its time is not known."""

    due: str
    extended: bool
    submitted: str
    marked: bool
    handed_in: bool
    days: int | None
    before: float
    penalty: float

    @property
    def unknown(self) -> bool:
        """Tell whether work came in at a time that nobody knows."""
        return self.handed_in and self.days is None

    def told(self) -> Text:
        """Say what was due, when it came in, and what that cost."""
        due = say("শেষ সময় {d}", "due {d}", d=self.due)
        if self.extended:
            due = say("{t} (বাড়ানো)", "{t} (extended)", t=due)
        if not self.handed_in:
            return say("{t}।", "{t}.", t=due)
        if self.days is None:
            return say("{t}; কখন জমা পড়েছে জানা নেই, কিছু কাটা হয়নি।", "{t}; no time known, nothing is taken off.", t=due)
        came = say("{t}; জমা {s}", "{t}; came in {s}", t=due, s=self.submitted)
        if not self.days:
            return say("{t}: সময়মতো।", "{t}: on time.", t=came)
        late = say("{t}: {n} দিন দেরি", "{t}: 1 day late" if self.days == 1 else "{t}: {n} days late", t=came, n=self.days)
        if not self.penalty:
            return say("{t}, কিছু কাটা হয়নি।", "{t}, nothing is taken off.", t=late)
        return say("{t}, {b:g} থেকে {p:g} কাটা।", "{t}, {p:g} taken off {b:g}.", t=late, b=self.before, p=self.penalty)


def of(row: Row) -> Lateness | None:
    """Return what a record says of time; None where nothing was due."""
    return Lateness(**row["lateness"]) if "lateness" in row else None


def earned(row: Row) -> float:
    """Return what a record's work is worth without regard to when it came in."""
    return float(row["lateness"]["before"] if "lateness" in row else row["score"])


def days_late(submitted: datetime, due: datetime, grace: timedelta = timedelta()) -> int:
    """Return how many days have begun since `due`: 0 at its second and within the grace, 1 until the same time the next day."""
    since = submitted.astimezone(UTC) - due.astimezone(UTC)
    if since <= grace:
        return 0
    days = max(1, since // timedelta(days=1) - 1)
    while day_ends(due, days) < submitted:
        days += 1
    return days


def applied(row: Row, terms: Terms, *, final: bool = False) -> Row:
    """Return the record with its lateness in it and its penalty off its score; `final` is a score that a person gave."""
    graded = row["manual"]["automatic"] if "manual" in row else row  # a person may give points for what never came in
    handed_in = graded["status"] in ("graded", "fault")
    moment = told_by_lms(terms.submitted) if handed_in else None
    policy = terms.policy
    days = None if moment is None else days_late(moment, terms.due, policy.forgiven if policy else timedelta())
    before = Fraction(str(row["score"]))
    penalty = policy.penalty(before, Fraction(str(row["possible"])), days) if policy and days and not final else Fraction(0)
    lateness = Lateness(
        due=written(terms.due),
        extended=terms.extended,
        submitted=written(moment.astimezone(terms.due.tzinfo)) if moment else terms.submitted,
        marked=terms.marked,
        handed_in=handed_in,
        days=days,
        before=rounded(before),
        penalty=rounded(penalty),
    )
    return row | {"score": rounded(before - penalty), "lateness": lateness.model_dump()}


@dataclass(frozen=True)
class Deadlines:
    """When each exercise is due, with what policy, and for whom later; and when work came in, where a person tells it."""

    due: Mapping[str, tuple[datetime, Policy | None]] = field(default_factory=dict)
    extensions: Mapping[tuple[str, str], datetime] = field(default_factory=dict)
    times: Mapping[tuple[str, str], datetime] = field(default_factory=dict)

    def terms(self, student: str, exercise: str, submitted: str = "", marked: bool = False) -> str:
        """Return the terms of one piece of work as JSON, or nothing where nothing is due; an extension never takes time away."""
        if exercise not in self.due:
            return ""
        due, policy = self.due[exercise]
        later = self.extensions.get((student, exercise), due)
        extended = later.astimezone(UTC) > due.astimezone(UTC)
        if (student, exercise) in self.times:
            submitted = self.times[student, exercise].astimezone(UTC).isoformat(" ")
        terms = Terms(due=later if extended else due, extended=extended, submitted=submitted, marked=marked, policy=policy)
        return terms.model_dump_json()
