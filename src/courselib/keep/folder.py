"""The folder of a class's results: which store is its own, and that only one run writes there at a time."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any
from uuid import uuid4

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from courselib.keep.database import bare, in_file, parsed, shown, told
from courselib.keep.store import Store
from courselib.text import say
from courselib.trouble import Trouble

FILE = "store.sqlite"
NOTE = "store.json"  # where the store is when it is not FILE, and what the class is called there; never a password
LOCK = "store.lock"


class Busy(Trouble):
    """Another run is writing in the folder."""


def open_store(folder: Path, asked: str | None = None, *, durable: bool = False, make: bool = True) -> Store:
    """Open the store of `folder`: the one it has, else the one `asked` for, else a new SQLite file inside it."""
    before = _noted(folder)
    if not (make or before):
        raise Trouble(
            say(
                "{f}-এ কোনো ফল নেই; আগে চালাও: courselib grade CLASS --out {f}",
                "there are no results in {f}; first run: courselib grade CLASS --out {f}",
                f=folder,
            )
        )
    url, class_ = before or (in_file(folder / FILE), "")
    if asked is not None:
        url, class_ = _named(folder, asked, before)
    store = Store(url, class_, durable=durable)
    if asked is not None and not before:
        _note(folder, url, class_)
    return store


def _named(folder: Path, asked: str, before: tuple[URL, str] | None) -> tuple[URL, str]:
    """Return the store that was asked for; a folder that has one does not change it, or its marks would be left behind."""
    url = parsed(asked)
    named = str(url.query.get("class", ""))
    url = url.difference_update_query(["class"])
    if before and (bare(url) != bare(before[0]) or (named and named != before[1])):
        raise Trouble(
            say(
                "{f}-এর ফল আর নম্বর আছে {b}-এ; --store বাদ দাও, নয়তো নতুন --out দাও।",
                "the results and marks of {f} are in {b}; leave --store out, or give another --out.",
                f=folder,
                b=shown(before[0]),
            )
        )
    return url, before[1] if before else named or uuid4().hex


def _noted(folder: Path) -> tuple[URL, str] | None:
    """Return the store that `folder` has, and its class there."""
    path = folder / NOTE
    if path.is_file():
        try:
            note = json.loads(path.read_text(encoding="utf-8"))
            return make_url(note["store"]), str(note["class"])
        except (ValueError, KeyError, TypeError, ArgumentError) as fault:
            raise Trouble(
                say(
                    "{p}: পড়া গেল না ({f}); ফাইলটি আগের মতো করো, নয়তো নতুন --out দাও।",
                    "{p}: cannot be read ({f}); put it back as it was, or give another --out.",
                    p=path,
                    f=fault,
                )
            ) from None
    return (in_file(folder / FILE), "") if (folder / FILE).is_file() else None


def _note(folder: Path, url: URL, class_: str) -> None:
    with replacing(folder / NOTE) as file:
        file.write(json.dumps({"store": bare(url).render_as_string(), "class": class_}).encode())


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Write a file in one step: at any moment, even with the power gone, there is the old one or the new one, whole."""
    whole = path.with_suffix(".tmp")
    with told(path):
        try:
            with whole.open("wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            whole.replace(path)
        except BaseException:
            whole.unlink(missing_ok=True)
            raise


def claim(folder: Path) -> IO[Any]:
    """Take `folder` for this process until the returned file is closed, or the process dies; raise `Busy` where another has it."""
    file = (folder / LOCK).open("a")
    if sys.platform == "win32":
        return file  # marks may be given there, and nothing is graded
    import fcntl

    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # of the process, not of its forks: an orphan never holds it
    except (BlockingIOError, PermissionError):
        file.close()
        raise Busy(
            say(
                "{f}-এ আরেকটি courselib grade চলছে; শেষ হলে আবার চালাও।",
                "another courselib grade is at work in {f}; run this again when it has ended.",
                f=folder,
            )
        ) from None
    except OSError:
        pass  # a disk that knows no locks
    return file
