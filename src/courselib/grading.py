"""Grading many pieces of work, one slot or several at a time; every record is handed on as it comes."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from typing import Any

from courselib.crew import Crew
from courselib.grader import Work, grade, lost
from courselib.record import Record
from courselib.slot import Slot
from courselib.text import say
from courselib.worker.walls import die_with_parent

IN_HAND = 3  # works that wait for each slot, so that none is ever idle
TWICE = say("এই কাজটি ধরতে গিয়ে checker দুবার মারা গেছে", "the checker died twice on this work")


def records(crew: Crew, works: Iterable[Work], jobs: int) -> Iterator[Record]:
    """Yield a record for every piece of work, as it is done; a fault of ours costs one record, not the class."""
    if jobs > 1:
        yield from _by_processes(crew, iter(works), jobs)
        return
    for work in works:
        with _on_core(crew.slots[0].core):
            record = safely(crew, crew.slots[0], work)
        yield record


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


def safely(crew: Crew, slot: Slot, work: Work) -> Record:
    """Grade one piece of work; a fault of ours is its record, too."""
    bench = crew.benches[work.exercise]
    try:
        return grade(work, bench, slot, crew.machine)
    except Exception as fault:
        return lost(work, bench, crew.machine, f"{type(fault).__name__}: {fault}")


_mine: tuple[Crew, Slot] | None = None  # in a checker's process: what it works with


def _take_slot(crew: Crew, numbers: Any) -> None:
    global _mine
    die_with_parent()
    slot = crew.slots[numbers.get()]
    if slot.core is not None:
        os.sched_setaffinity(0, {slot.core})
    _mine = crew, slot


def _grade_here(work: Work) -> Record:
    assert _mine is not None
    return safely(*_mine, work)


def _pool(crew: Crew, jobs: int) -> ProcessPoolExecutor:
    """Fork `jobs` checkers, which share the expected values computed so far."""
    context = multiprocessing.get_context("fork")
    numbers = context.SimpleQueue()
    for n in range(jobs):
        numbers.put(n)
    return ProcessPoolExecutor(jobs, context, _take_slot, (crew, numbers))


def _by_processes(crew: Crew, works: Iterator[Work], jobs: int) -> Iterator[Record]:
    """Grade in several checkers; where one dies, what was in hand is done again, one by one."""
    while in_hand := (yield from _until_broken(crew, works, jobs)):
        for work in in_hand:
            yield _once_more(crew, work)


def _until_broken(crew: Crew, works: Iterator[Work], jobs: int) -> Generator[Record, None, list[Work]]:
    """Keep every slot busy; return the works that were in hand when a checker died, none at the end."""
    with _pool(crew, jobs) as pool:
        running: dict[Future[Record], Work] = {}
        try:
            with _undisturbed():
                for work in islice(works, IN_HAND * jobs):
                    running[pool.submit(_grade_here, work)] = work
            while running:
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    record = future.result()
                    del running[future]
                    yield record
                for work in islice(works, len(done)):
                    running[pool.submit(_grade_here, work)] = work
        except BrokenProcessPool:
            return list(running.values())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return []


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold Ctrl-C back while checkers are forked: one that falls into a fork is lost. The checkers keep it held back."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _once_more(crew: Crew, work: Work) -> Record:
    with _pool(crew, 1) as pool:
        try:
            return pool.submit(_grade_here, work).result()
        except BrokenProcessPool:
            return lost(work, crew.benches[work.exercise], crew.machine, TWICE.read())
