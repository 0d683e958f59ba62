from __future__ import annotations

import multiprocessing
import os
from multiprocessing.connection import Connection

from courselib.worker import family

SIZE = 200 * 2**20


def hold(size: int) -> bytearray:
    return bytearray(os.urandom(2**20)) * (size >> 20)


def child(link: Connection, grandchild: bool) -> None:
    kept = None if grandchild else hold(SIZE)
    if grandchild:
        mine, theirs = multiprocessing.Pipe()
        process = multiprocessing.get_context("fork").Process(target=child, args=(theirs, False))
        process.start()
        mine.recv()
    link.send(os.getpid())
    link.recv()
    del kept
    if grandchild:
        process.kill()
        process.join()


def test_what_a_child_has_started_is_held_by_it() -> None:
    context = multiprocessing.get_context("fork")
    for grandchild in (False, True):
        mine, theirs = multiprocessing.Pipe()
        shared = family.resident()
        process = context.Process(target=child, args=(theirs, grandchild), daemon=not grandchild)
        process.start()
        pid = mine.recv()
        assert pid in family.children()
        held = family.held([pid], shared)
        assert SIZE * 0.9 < held[pid] < SIZE * 1.5
        assert family.held([os.getpid()], shared) == {}
        mine.send("end")
        process.join()
        assert pid not in family.children()
