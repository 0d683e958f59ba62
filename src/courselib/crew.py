"""The crew that grades: one zygote, a slot or more, the checks of each exercise proved on its own reference."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from typing import Any

import torch

from courselib import sandbox
from courselib.checks import CheckFile, load_checks
from courselib.course import Course
from courselib.grader import Bench, here
from courselib.proxy import local
from courselib.record import Machine
from courselib.slot import Slot
from courselib.text import say
from courselib.trouble import Trouble


@dataclass
class Crew:
    """A zygote and what its slots share: the checks of each exercise, this machine's description."""

    zygote: sandbox.Zygote
    benches: dict[str, Bench]
    machine: Machine
    slots: list[Slot]
    hidden: bool = True

    def close(self) -> None:
        """End the zygote."""
        self.zygote.close()


def start(course: Course, exercises: list[str], jobs: int, isolation: Any = "auto", *, hidden: bool = True) -> Crew:
    """Start a zygote; meanwhile load the checks and prove each on its own reference solution."""
    zygote = sandbox.start(jobs, isolation)
    try:
        torch.set_num_threads(1)  # a thread pool would not survive the forks below
        benches = {e: _bench(course, e) for e in exercises}
        return Crew(zygote, benches, here(zygote.isolation), _slots(zygote), hidden)
    except BaseException:
        zygote.close()
        raise


def _slots(zygote: sandbox.Zygote) -> list[Slot]:
    """Give each slot a core of its own where there are enough.

    A checker and its worker take turns and never run together: on one core a call costs a third of what it
    costs between two.
    """
    cores = sorted(os.sched_getaffinity(0))
    enough = len(zygote.controls) <= len(cores)
    return [Slot(c, cores[i] if enough else None) for i, c in enumerate(zygote.controls)]


def _bench(course: Course, exercise: str) -> Bench:
    path = course.tree.checks(exercise)
    checks = load_checks(path)
    prove(checks, course.tree.solution(exercise).read_text(encoding="utf-8") if course.tree.solution(exercise).is_file() else None)
    return Bench(checks, course.exercises[exercise].seconds, hashlib.sha256(path.read_bytes()).hexdigest())


def prove(checks: CheckFile, solution: str | None) -> None:
    """Put the checks to the reference solution in this process: it must pass, and expected values are then at hand.

    Where there is no solution (a student's bundle) there is nothing to prove.
    """
    if solution is None:
        return
    space: dict[str, Any] = {"__name__": "solution"}
    exec(compile(solution, f"solutions/{checks.path.parent.name}/{checks.path.name}", "exec"), space)
    names = {n: local(n, v) for n, v in space.items() if not n.startswith("__")}
    for check in checks.checks:
        if check.deferred:
            continue
        try:
            check.run(names)
        except Exception as fault:
            raise Trouble(
                say(
                    "{p}: reference solution-ই “{c}” check-এ পাশ করে না: {f}",
                    "{p}: the reference solution itself does not pass the check “{c}”: {f}",
                    p=checks.path.name,
                    c=check.name,
                    f=fault,
                )
            ) from fault
