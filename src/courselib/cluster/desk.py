"""A desk: what a worker of the cluster holds for one run, and the functions that Dask calls there.

Dask's own process has threads and must not fork, so the desk owns a process that may (`courselib.cluster.host`).
It lives in the worker's memory as the result of a Dask task: when the driver lets go of that, or is gone, Dask
forgets the desk, its links close, and the process ends.
"""

from __future__ import annotations

import os
import subprocess
import sys
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

from courselib.cluster.parcel import Parcel, compare
from courselib.grader import Work
from courselib.record import Record
from courselib.text import say
from courselib.trouble import Trouble


class Gone(Exception):
    """The desk is not here any more; its works are to be done at another."""


class Desk:
    """Links to the slots of one worker; wherever it is sent, only its description arrives."""

    def __init__(self, parcel: Parcel, slots: int) -> None:
        pairs = [Pipe() for _ in range(slots)]
        self.links = [ours for ours, _ in pairs]
        self.process = _started([theirs for _, theirs in pairs], parcel["language"])
        self.links[0].send(parcel)
        self.about = _first_word(self.links[0])
        self.free: SimpleQueue[Connection] = SimpleQueue()
        for link in self.links:
            self.free.put(link)

    def __reduce__(self) -> tuple[type[dict[str, Any]], tuple[dict[str, Any]]]:
        return dict, (self.about,)

    def close(self) -> None:
        """End the process, as it ends by itself where nobody holds the desk any more."""
        for link in self.links:
            link.close()
        self.process.wait()

    def ask(self, work: Work) -> Record:
        """Have one work graded in the first slot that is free."""
        link = self.free.get()
        try:
            link.send(work)
            record: Record = link.recv()
        except (EOFError, OSError) as end:
            raise Gone from end
        finally:
            self.free.put(link)
        return record


def _started(theirs: list[Connection], language: str) -> subprocess.Popen[bytes]:
    """Start the process; a Ctrl-C in the worker's terminal is not for it: it goes when its links close."""
    numbers = [link.fileno() for link in theirs]
    command = [sys.executable, "-P", "-m", "courselib.cluster.host", *map(str, numbers)]
    environment = os.environ | {"COURSELIB_LANG": language}
    try:
        return subprocess.Popen(command, pass_fds=numbers, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)
    finally:
        for link in theirs:
            link.close()


def _first_word(link: Connection) -> dict[str, Any]:
    try:
        told = link.recv()
    except (EOFError, OSError):
        told = Trouble(say("grader-টি চালু হয়নি; worker-এর log দেখো।", "the grader did not start; see the worker's log."))
    if isinstance(told, Trouble):
        raise told
    return dict(told)


def opened(parcel: Parcel, slots: int) -> Desk:
    """Open a desk on this worker."""
    compare(parcel["versions"])
    return Desk(parcel, slots)


class Batch:
    """Some works, closed to Dask, which would look into a list for keys of its own."""

    def __init__(self, works: list[Work]) -> None:
        self.works = works


def graded(desk: Desk, batch: Batch) -> list[Record]:
    """Grade some works at this worker's desk, one after the other."""
    if not isinstance(desk, Desk):  # Dask has moved it, and so only its description is here
        raise Gone
    return [desk.ask(work) for work in batch.works]
