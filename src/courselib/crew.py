"""The crew that grades: one zygote, a slot or more, the checks of each exercise proved on its own reference."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass

import torch

from courselib import sandbox
from courselib.checks import load_checks
from courselib.course import Course
from courselib.grader import Bench, here
from courselib.proof import prove
from courselib.quiz.bench import bench
from courselib.record import Machine
from courselib.session import SLOW_IMPORTS
from courselib.slot import Slot


@dataclass
class Crew:
    """A zygote and what its slots share: the checks of each exercise, this machine's description."""

    zygote: sandbox.Zygote
    benches: dict[str, Bench]
    machine: Machine
    slots: list[Slot]

    def wait(self) -> None:
        """Wait until the zygote has imported all that any submission may need and forks for every slot."""
        for slot in self.slots:
            slot.spawn(list(SLOW_IMPORTS)).end()

    def close(self) -> None:
        """End the zygote."""
        self.zygote.close()


def start(course: Course, exercises: list[str], zygote: sandbox.Zygote, cores: Sequence[int] | None = None) -> Crew:
    """Load the checks and prove each on its own reference solution, while the zygote imports what it needs.

    The slots share `cores` out, by default all that this process may use.
    """
    try:
        torch.set_num_threads(1)  # a thread pool would not survive the forks below
        benches = {e: _proved(course, e) for e in exercises}
        return Crew(zygote, benches, here(zygote.isolation), _slots(zygote, sorted(os.sched_getaffinity(0)) if cores is None else cores))
    except BaseException:
        zygote.close()
        raise


def _slots(zygote: sandbox.Zygote, cores: Sequence[int]) -> list[Slot]:
    """Give each slot a core of its own where there are enough.

    A checker and its worker take turns and never run together: on one core a call costs a third of what it
    costs between two.
    """
    enough = len(zygote.controls) <= len(cores)
    return [Slot(c, cores[i] if enough else None) for i, c in enumerate(zygote.controls)]


def _proved(course: Course, exercise: str) -> Bench:
    found, solution = loaded(course, exercise), course.tree.solution(exercise)
    prove(found.checks, solution.read_text(encoding="utf-8") if solution.is_file() else None)
    return found


def loaded(course: Course, exercise: str) -> Bench:
    """Load the checks of an exercise, unproved: enough to know what a record of it depends on."""
    if exercise in course.quizzes:
        return bench(course.tree.quiz(course.quizzes[exercise].name))
    path = course.tree.checks(exercise)
    return Bench(load_checks(path), course.exercises[exercise].seconds, hashlib.sha256(path.read_bytes()).hexdigest())
