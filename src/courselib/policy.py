"""The late policy of an exercise, as course.yaml tells it: what a day costs, what is forgiven, when it is too late."""

from __future__ import annotations

import re
from datetime import timedelta
from fractions import Fraction
from typing import Annotated

from pydantic import AfterValidator, Field, model_validator

from courselib.strict_yaml import Strict
from courselib.text import say

GRACE = re.compile(r"(\d{1,4}) (min|h)", re.ASCII)
UNITS = {"min": timedelta(minutes=1), "h": timedelta(hours=1)}


def _grace(text: str) -> str:
    if not GRACE.fullmatch(text):
        raise ValueError(say("{t}: লেখো “15 min” বা “2 h”-এর মতো।", "{t}: write it like “15 min” or “2 h”.", t=text))
    return text


class Policy(Strict):
    """What lateness costs: points, or per cent of what the exercise is worth, for every day that has begun.

    Within `grace` nothing is late; after it days count from the due time. Work more than `most_days` late earns nothing.
    """

    points_per_day: float | None = Field(default=None, gt=0, le=10_000, allow_inf_nan=False)
    percent_per_day: float | None = Field(default=None, gt=0, le=100, allow_inf_nan=False)
    grace: Annotated[str, AfterValidator(_grace)] = "0 min"
    most_days: int | None = Field(default=None, ge=1, le=1000)

    @model_validator(mode="after")
    def _one_price(self) -> Policy:
        if (self.points_per_day is None) == (self.percent_per_day is None):
            raise ValueError(
                say("points_per_day আর percent_per_day-র ঠিক একটি দাও।", "give exactly one of points_per_day and percent_per_day.")
            )
        return self

    @property
    def forgiven(self) -> timedelta:
        """Return the grace."""
        number, unit = self.grace.split()
        return int(number) * UNITS[unit]

    def penalty(self, earned: Fraction, possible: Fraction, days: int) -> Fraction:
        """Return what `days` late cost: never more than was earned."""
        if self.most_days is not None and days > self.most_days:
            return earned
        share = Fraction(str(self.percent_per_day or 0)) / 100 * possible
        return min(earned, days * (share + Fraction(str(self.points_per_day or 0))))
