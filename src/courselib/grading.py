"""Grading many pieces of work: one zygote, one or more slots, every record handed on as it comes."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

import torch

from courselib import sandbox
from courselib.checks import CheckFile, load_checks
from courselib.course import Course
from courselib.grader import Bench, Work, grade, here, lost
from courselib.proxy import local
from courselib.record import Machine, Record
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


@contextmanager
def _on_core(core: int | None) -> Iterator[None]:
    """Run this process on `core` inside the block."""
    before = os.sched_getaffinity(0)
    if core is not None:
        os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


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


def records(crew: Crew, works: Iterable[Work], jobs: int) -> Iterator[Record]:
    """Yield a record for every piece of work, as it is done."""
    if jobs == 1:
        slot = crew.slots[0]
        for work in works:
            with _on_core(slot.core):
                record = grade(work, crew.benches[work.exercise], slot, crew.machine, hidden=crew.hidden)
            yield record
    else:
        yield from _by_processes(crew, works, jobs)


_mine: tuple[Crew, Slot] | None = None


def _take_slot(crew: Crew, numbers: Any) -> None:
    global _mine
    slot = crew.slots[numbers.get()]
    if slot.core is not None:
        os.sched_setaffinity(0, {slot.core})
    _mine = crew, slot


def _grade_here(work: Work) -> Record:
    assert _mine is not None
    crew, slot = _mine
    return grade(work, crew.benches[work.exercise], slot, crew.machine, hidden=crew.hidden)


def _by_processes(crew: Crew, works: Iterable[Work], jobs: int) -> Iterator[Record]:
    """Keep every slot busy with a few works in hand; a checker that dies costs its works a `fault`, no more."""
    context = multiprocessing.get_context("fork")  # forks share the expected values computed so far
    numbers = context.SimpleQueue()
    for n in range(jobs):
        numbers.put(n)
    todo = iter(works)
    with ProcessPoolExecutor(jobs, context, _take_slot, (crew, numbers)) as pool:
        running: dict[Future[Record], Work] = {pool.submit(_grade_here, w): w for w in islice(todo, 3 * jobs)}
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                work = running.pop(future)
                yield _result(future, work, crew)
            for work in islice(todo, len(done)):
                running[pool.submit(_grade_here, work)] = work


def _result(future: Future[Record], work: Work, crew: Crew) -> Record:
    try:
        return future.result()
    except BrokenProcessPool:
        raise
    except Exception as fault:
        return lost(work, crew.benches[work.exercise], crew.machine, f"{type(fault).__name__}: {fault}")
