"""Checks: functions with a sentence, points and a part, in Otter's exception-based test files.

An autograder file runs unchanged under `courselib` and under Otter itself. Under Otter (that is, where
Otter's test files are loaded in this process) `check` hands Otter its own `test_case`; Otter has no word
for "deferred", so there a check that needs a GPU on a machine without one is left out of the file.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Any

import torch

from courselib.proxy import StudentError
from courselib.text import Text, did_you_mean, say

REQUIREMENTS: dict[str, Callable[[], bool]] = {"cuda": torch.cuda.is_available}


class Missing(Exception):
    """A name that the check needs is not in the submission."""

    def __init__(self, name: str, near: str | None) -> None:
        super().__init__(name)
        self.name, self.near = name, near

    def __str__(self) -> str:
        return str(self.sentence)

    @property
    def sentence(self) -> Text:
        """Say which name is missing, and which one looks like it."""
        hint = did_you_mean(self.near)
        return say(
            "{name} তোমার ফাইলে নেই; স্টাবের নামটি ঠিক সেভাবেই রাখো।{hint}",
            "{name} is not defined in your file; keep the stub's name exactly.{hint}",
            name=self.name,
            hint=hint,
        )


@dataclass(frozen=True)
class Check:
    """One check: `run` takes the student's names (values or proxies) and raises if the answer is wrong."""

    id: str
    part: str
    name: Text
    points: Fraction
    hidden: bool
    requires: str | None
    body: Callable[..., None]
    needs: tuple[str, ...] = field(default=())

    def run(self, names: Mapping[str, Any]) -> None:
        """Run the check on a submission's `names`; a name that is not there raises `Missing`."""
        if missing := self.missing(names):
            raise missing
        self.body(**{name: names[name] for name in self.needs})

    def missing(self, names: Mapping[str, Any]) -> Missing | None:
        """Return the complaint about the first name that is not there, if any."""
        for name in self.needs:
            if name not in names:
                near = get_close_matches(name, [n for n in names if not n.startswith("_")], 1, 0.7)
                return Missing(name, near[0] if near else None)
        return None

    @property
    def deferred(self) -> bool:
        """Tell whether this machine lacks what the check requires."""
        return self.requires is not None and not REQUIREMENTS[self.requires]()


def check(
    part: str, points: int | str, *, bn: str, en: str, hidden: bool = False, requires: str | None = None
) -> Callable[[Callable[..., None]], Any]:
    """Make a function a check of `part` worth `points` (an int, or an exact fraction such as "1/2").

    `bn` and `en` are the sentence a student reads. The function's parameters are names of the submission.
    """

    def wrap(body: Callable[..., None]) -> Any:
        needs = tuple(inspect.signature(body).parameters)
        made = Check(body.__name__, part, say(bn, en), Fraction(points), hidden, requires, body, needs)
        return _for_otter(made) if "otter.test_files" in sys.modules else made

    return wrap


def _for_otter(made: Check) -> Any:
    if made.deferred:
        return made
    from courselib.otter import case

    return case(made)


@dataclass(frozen=True)
class CheckFile:
    """The checks of one exercise, in the order of the file."""

    path: Path
    checks: tuple[Check, ...]
    left_out: tuple[Fraction, ...] = ()  # points of the hidden checks that a student's copy does not hold

    @property
    def possible(self) -> Fraction:
        """Return the points of every check, deferred ones too."""
        return sum((c.points for c in self.checks), Fraction(0)) + sum(self.left_out, Fraction(0))

    @property
    def hidden_count(self) -> int:
        """Return how many checks a student does not see."""
        return len(self.left_out) + sum(c.hidden for c in self.checks)


def load_checks(path: Path) -> CheckFile:
    """Execute the autograder file at `path` (ours, trusted) and collect its checks."""
    space: dict[str, Any] = {"__name__": f"autograder.{path.stem}", "__file__": str(path)}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), space)
    found = (getattr(getattr(v, "test_func", v), "check", v) for v in space.values())
    checks = tuple(c for c in found if isinstance(c, Check))
    return CheckFile(path, checks, tuple(Fraction(p) for p in space.get("left_out", ())))


__all__ = ["Check", "CheckFile", "Missing", "StudentError", "check", "load_checks"]
