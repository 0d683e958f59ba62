"""What Gradescope takes as results.json, as a model: nothing is written that it would refuse."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from courselib.exports.cells import plain

Visibility = Literal["visible", "hidden", "after_due_date", "after_published"]


def _plain_float(value: Any) -> float:
    """Take a number by its value, whatever its type; no text, no truth value."""
    if isinstance(value, bool | str | bytes) or value is None:
        raise ValueError(f"{value!r} is no number")
    return round(float(value), 6) + 0.0  # no negative zero


Points = Annotated[float, BeforeValidator(_plain_float), Field(ge=0, allow_inf_nan=False)]
Words = Annotated[str, AfterValidator(plain)]


class Exact(BaseModel):
    """A part of results.json: these keys and no others."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Test(Exact):
    """One check. Without a score it is told, and counts nowhere: that is how a deferred one waits."""

    __test__ = False  # pytest would take it for a test of ours

    name: Words
    number: str
    score: Points | None = None
    max_score: Points | None = None
    status: Literal["passed", "failed"] | None = None
    output: Words = ""
    output_format: Literal["text"] = "text"
    visibility: Visibility = "visible"

    @model_validator(mode="after")
    def _both_or_none(self) -> Test:
        if (self.score is None) != (self.max_score is None):
            raise ValueError("a score and its maximum go together")
        if self.score is not None and self.max_score is not None and self.score > self.max_score:
            raise ValueError(f"score {self.score} is above its maximum {self.max_score}")
        return self


class Extra(Exact):
    """What Gradescope only keeps: the maximum of this file, of the whole, and what waits."""

    total: Points
    possible: Points
    deferred: Points
    status: str


class ResultsJson(Exact):
    """A whole results.json; the maxima of its tests add up to `extra_data.total` exactly."""

    score: Points
    output: Words
    output_format: Literal["text"] = "text"
    visibility: Visibility = "visible"
    stdout_visibility: Literal["hidden"] = "hidden"
    tests: tuple[Test, ...]
    extra_data: Extra

    @model_validator(mode="after")
    def _adds_up(self) -> ResultsJson:
        total = sum((Decimal(str(t.max_score)) for t in self.tests if t.max_score is not None), Decimal(0))
        if total != Decimal(str(self.extra_data.total)):
            raise ValueError(f"the maxima add up to {total}, not to {self.extra_data.total}")
        if self.score > self.extra_data.total:
            raise ValueError(f"score {self.score} is above the total {self.extra_data.total}")
        return self

    def text(self) -> str:
        """Return strict JSON in ASCII, which no reader can decode wrongly."""
        return json.dumps(self.model_dump(exclude_none=True), allow_nan=False, indent=1) + "\n"


def shares(points: list[float], total: float) -> list[float]:
    """Return `points` so that they add up to `total` exactly: millionths lost in rounding go to the largest."""
    millionths = [round(p * 10**6) for p in points]
    lost = round(total * 10**6) - sum(millionths)
    if abs(lost) > len(points):
        raise ValueError(f"the points of the checks do not add up to {total}")
    if millionths:
        millionths[millionths.index(max(millionths))] += lost
    return [m / 10**6 for m in millionths]
