"""The process that a desk owns: a crew, and for each slot a checker, forked here where there are no threads.

Usage: python -m courselib.cluster.host LINK..., a file descriptor for each slot. The first message of the first
link is the parcel; each link then takes one work at a time and gives back its record. When the other end goes,
so does all of this.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from contextlib import closing, suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from courselib.checks import REQUIREMENTS
from courselib.cluster.parcel import unpacked
from courselib.crew import Crew
from courselib.grader import Work, lost
from courselib.grading import TWICE, safely
from courselib.record import Record
from courselib.slot import Slot
from courselib.text import both
from courselib.trouble import Trouble
from courselib.worker.walls import die_with_parent

FORK = multiprocessing.get_context("fork")


class Seat:
    """A slot with its checker: one work at a time comes over `link`, and is done again once where the checker dies."""

    def __init__(self, crew: Crew, slot: Slot, link: Connection) -> None:
        self.crew, self.slot, self.link = crew, slot, link
        self.work: Work | None = None
        self.deaths = 0
        self.checker = self._forked()

    def _forked(self) -> Connection:
        ours, theirs = FORK.Pipe()
        FORK.Process(target=_check, args=(self.crew, self.slot, theirs), daemon=True).start()
        theirs.close()
        return ours

    def take(self) -> None:
        """Take a work from the link and hand it to the checker; `EOFError` where nobody asks any more."""
        self.work, self.deaths = self.link.recv(), 0
        self._hand_over()

    def give(self) -> None:
        """Give the checker's record back over the link, or learn that it has died."""
        try:
            record = self.checker.recv()
        except (EOFError, ConnectionError):
            self.checker.close()
            self.checker = self._forked()
            record = self._after_death()
        if record:
            self.work = None
            self.link.send(record)

    def _after_death(self) -> Record | None:
        self.deaths += 1
        if self.work is None:
            return None
        if self.deaths > 1:
            return lost(self.work, self.crew.benches[self.work.exercise], self.crew.machine, TWICE.read())
        self._hand_over()
        return None

    def _hand_over(self) -> None:
        with suppress(ConnectionError):  # a checker that has just died is heard of by its link's end
            self.checker.send(self.work)


def _check(crew: Crew, slot: Slot, link: Connection) -> None:
    """Be a checker."""
    die_with_parent()
    if slot.core is not None:
        os.sched_setaffinity(0, {slot.core})
    while True:
        link.send(safely(crew, slot, link.recv()))


def serve(crew: Crew, links: list[Connection]) -> None:
    """Pass works and records to and fro until a link ends."""
    seats = [Seat(crew, slot, link) for slot, link in zip(crew.slots, links, strict=True)]
    with suppress(EOFError, ConnectionError):
        while True:
            ready = wait([c for seat in seats for c in (seat.link, seat.checker)])
            for seat in seats:
                if seat.checker in ready:
                    seat.give()
                if seat.link in ready:
                    seat.take()


def about(crew: Crew) -> dict[str, Any]:
    """Describe a crew to the driver, in plain data."""
    note = both(crew.zygote.note)
    able = [r for r, here in REQUIREMENTS.items() if here()]
    return {"machine": crew.machine.model_dump(), "note": (note.bn, note.en), "able": able, "slots": len(crew.slots)}


def main() -> None:
    """Serve the links named on the command line."""
    links = [Connection(int(word)) for word in sys.argv[1:]]
    try:
        crew = unpacked(links[0].recv(), len(links))
    except Trouble as trouble:
        links[0].send(trouble)
        return
    with closing(crew):
        crew.wait()
        links[0].send(about(crew))
        serve(crew, links)


if __name__ == "__main__":
    main()
