"""What a class's records add up to: pass rates, difficulty, discrimination, wrong answers, and the plot of marks."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from statistics import median

from courselib import lateness
from courselib.kinds import Kind, add_kinds
from courselib.lateness import Lateness
from courselib.record import NEEDS_A_PERSON
from courselib.reports import grade_row, status
from courselib.results import Row

FEW = 5  # below this many students a correlation says nothing


@dataclass
class Pairs:
    """Pairs of numbers seen one at a time; nothing is kept but their moments (Welford)."""

    n: int = 0
    x: float = 0.0
    y: float = 0.0
    xx: float = 0.0
    yy: float = 0.0
    xy: float = 0.0

    def add(self, x: float, y: float) -> None:
        """See one more pair."""
        self.n += 1
        dx, dy = x - self.x, y - self.y
        self.x += dx / self.n
        self.y += dy / self.n
        self.xx += dx * (x - self.x)
        self.yy += dy * (y - self.y)
        self.xy += dx * (y - self.y)

    @property
    def correlation(self) -> float | None:
        """Return Pearson's r; None for few pairs, or where one side never varies."""
        if self.n < FEW or min(self.xx, self.yy) < 1e-9:
            return None
        return max(-1.0, min(1.0, self.xy / math.sqrt(self.xx * self.yy)))


@dataclass
class Item:
    """One check, or one exercise as a whole, over the class: x is the share earned, y the points earned elsewhere."""

    exercise: str
    id: str = ""
    name: str = ""
    part: str = ""
    points: float = 0.0
    hidden: bool = False
    outcomes: Counter[str] = field(default_factory=Counter)
    pairs: Pairs = field(default_factory=Pairs)

    @property
    def rate(self) -> float | None:
        """Return the mean share earned, 0 to 1, of those it was put to."""
        return self.pairs.x if self.pairs.n else None

    @property
    def discrimination(self) -> float | None:
        """Return how what is earned here goes with what is earned elsewhere, -1 to 1."""
        return self.pairs.correlation


@dataclass
class Figures:
    """Everything that the instructor's page says of the class as a whole."""

    students: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    percents: list[float] = field(default_factory=list)
    exercises: dict[str, Item] = field(default_factory=dict)
    checks: dict[tuple[str, str], Item] = field(default_factory=dict)
    kinds: dict[str, dict[str, Kind]] = field(default_factory=dict)
    people: list[tuple[str, str, str, str]] = field(default_factory=list)
    tamper: list[tuple[str, str, list[Row]]] = field(default_factory=list)
    deferred: int = 0
    late: list[tuple[str, str, Lateness]] = field(default_factory=list)
    machines: Counter[tuple[tuple[str, str], ...]] = field(default_factory=Counter)

    @property
    def median(self) -> float | None:
        """Return the middle per cent of those who handed something in."""
        return median(self.percents) if self.percents else None

    def commonest(self, exercise: str, most: int) -> list[Kind]:
        """Return the commonest kinds of wrong answer to one exercise."""
        return sorted(self.kinds.get(exercise, {}).values(), key=lambda k: (-k.students, -k.checks.total(), k.diagnosis))[:most]


def gather(students: Iterable[list[Row]], exercises: list[str]) -> Figures:
    """Add up a class, a student at a time; what is kept does not grow with what students write."""
    figures = Figures(exercises={e: Item(e) for e in exercises})
    for rows in students:
        add(figures, rows, exercises)
    return figures


def add(figures: Figures, rows: list[Row], exercises: list[str]) -> None:
    """Add the records of one more student."""
    word = status(rows)
    figures.students += 1
    figures.statuses[word] += 1
    if word != "not_submitted":
        figures.percents.append(float(str(grade_row(rows, exercises)[-3])))
    total = sum(map(lateness.earned, rows))
    for row in rows:
        _add(figures, row, total)


def _add(figures: Figures, row: Row, total: float) -> None:
    """Add one record of a student who has `total` points in all, before anything is taken off for lateness."""
    figures.machines[tuple(sorted(row["machine"].items()))] += 1
    if row["status"] in NEEDS_A_PERSON:
        why = next((c["message"] for c in row["checks"] if c["outcome"] == "fault"), "") or row["message"]
        figures.people.append((row["student"], row["exercise"], row["status"], why[:600]))
    if row.get("tamper"):
        figures.tamper.append((row["student"], row["exercise"], row["tamper"]))
    whole = figures.exercises.setdefault(row["exercise"], Item(row["exercise"]))
    whole.points = row["possible"]
    ready = row["possible"] - row["deferred"]
    if row["status"] == "graded" and ready:
        whole.pairs.add(lateness.earned(row) / ready, total - lateness.earned(row))
    if (when := lateness.of(row)) and when.days:
        figures.late.append((row["student"], row["exercise"], when))
    for check in row["checks"]:
        _add_check(figures, row, check, total)
    add_kinds(figures.kinds.setdefault(row["exercise"], {}), row)


def _add_check(figures: Figures, row: Row, check: Row, total: float) -> None:
    key = row["exercise"], check["id"]
    if key not in figures.checks:
        figures.checks[key] = Item(row["exercise"], check["id"], check["name"], check["part"], check["points"], check["hidden"])
    item, outcome = figures.checks[key], check["outcome"]
    figures.deferred += outcome == "deferred"
    if row["status"] == "graded" or (row["status"] == "fault" and outcome != "not_run"):
        item.outcomes[outcome] += 1
        if outcome not in ("deferred", "fault"):
            item.pairs.add(float(outcome == "passed"), total - check["earned"])


@dataclass(frozen=True)
class Bar:
    """One bar of the plot: `low` to `high` per cent, and its height from 0 to 1."""

    low: int
    high: int
    count: int
    height: float


def bars(percents: Iterable[float]) -> list[Bar]:
    """Return the marks in ten bars of ten per cent; 100 is in the last."""
    counted = Counter(max(0, min(9, int(p // 10))) for p in percents)
    most = max(counted.values(), default=0)
    return [Bar(10 * i, 10 * i + 10, counted[i], round(counted[i] / most, 4) if most else 0.0) for i in range(10)]


def shares(outcomes: Counter[str], order: Iterable[str]) -> Iterator[tuple[str, int, float, float]]:
    """Yield (outcome, count, start, width) of a bar 100 wide that holds every outcome in `order`."""
    order = list(order)
    total, at = sum(outcomes[o] for o in order), 0.0
    for outcome in order:
        if outcomes[outcome]:
            width = 100 * outcomes[outcome] / total
            yield outcome, outcomes[outcome], round(at, 2), round(width, 2)
            at += width
