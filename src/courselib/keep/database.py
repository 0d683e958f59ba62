"""Reaching a database, SQLite or PostgreSQL, and saying in one sentence why it cannot be reached."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from courselib.text import Text, say
from courselib.trouble import Trouble

WAIT = 30  # seconds for another writer to be done
DRIVERS = {
    "sqlite": "sqlite",
    "postgres": "postgresql+psycopg",
    "postgresql": "postgresql+psycopg",
    "postgresql+psycopg": "postgresql+psycopg",
}
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)


def parsed(text: str) -> URL:
    """Read the URL of a store; a relative SQLite path becomes an absolute one."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        url = None
    driver = DRIVERS.get(url.drivername) if url else None
    if url is None or driver is None or (driver == "sqlite" and url.database in (None, "", ":memory:")):
        what = bare(url).render_as_string() if url else text.split("@")[-1]  # a password is not to be repeated
        raise Trouble(
            say(
                "--store {u}: এটি store-এর URL নয়; লেখো postgresql://USER@HOST/DATABASE বা sqlite:////path/to/file।",
                "--store {u} is no URL of a store; write postgresql://USER@HOST/DATABASE or sqlite:////path/to/file.",
                u=what,
            )
        )
    return url.set(drivername=driver, database=str(Path(str(url.database)).absolute()) if driver == "sqlite" else url.database)


def in_file(path: Path) -> URL:
    """Return the URL of the SQLite database at `path`."""
    return URL.create("sqlite", database=str(path.absolute()))


def connected(url: URL, *, durable: bool) -> Engine:
    """Return an engine for `url`; `durable` waits for the disk at every commit."""
    if url.drivername == "sqlite":
        engine = create_engine(url, connect_args={"timeout": WAIT})
        event.listen(engine, "connect", _durable if durable else _quick)
        return engine
    try:
        return create_engine(url, pool_pre_ping=True, connect_args={"connect_timeout": WAIT})
    except ImportError as fault:
        raise Trouble(
            say(
                "{u}: PostgreSQL-এর driver নেই ({f}); চালাও: pip install 'courselib[postgres]'",
                "{u}: the driver for PostgreSQL is missing ({f}); run: pip install 'courselib[postgres]'",
                u=shown(url),
                f=fault,
            )
        ) from None


def _quick(connection: Any, _: object) -> None:
    """Lose nothing when a process dies; when the power goes, perhaps the last few commits, which are then made again."""
    _pragmas(connection, "NORMAL")


def _durable(connection: Any, _: object) -> None:
    _pragmas(connection, "FULL")


def _pragmas(connection: Any, synchronous: str) -> None:
    cursor = connection.cursor()
    _log_ahead(cursor)
    cursor.execute(f"PRAGMA synchronous={synchronous}")
    cursor.close()


def _log_ahead(cursor: Any) -> None:
    """Ask for the write-ahead log; SQLite does not wait for others by itself when it changes over to it."""
    end = monotonic() + WAIT
    while True:
        try:
            cursor.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or monotonic() > end:
                raise
            sleep(0.01)


def bare(url: URL) -> URL:
    """Return a URL without its password, wherever that stands."""
    query = {k: v for k, v in url.query.items() if k != "password"}
    return URL.create(url.drivername, url.username, None, url.host, url.port, url.database, query)


def shown(url: URL) -> str:
    """Return how a person is told of a store, without its password."""
    return str(url.database) if url.drivername == "sqlite" else bare(url).render_as_string()


@contextmanager
def told(where: object) -> Iterator[None]:
    """Turn what a database or a full disk says into a sentence with `where` it was and what to do."""
    try:
        yield
    except DBAPIError as fault:
        raise Trouble(_sentence(where, fault)) from fault
    except OSError as fault:
        if fault.errno not in NO_ROOM:
            raise
        raise Trouble(_full(where, fault.strerror or str(fault))) from fault


def _sentence(where: object, fault: DBAPIError) -> Text:
    name = str(getattr(fault.orig, "sqlite_errorname", "") or type(fault.orig).__name__)
    why = (str(fault.orig).strip().splitlines() or [name])[0]
    if name.startswith(("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "DiskFull")):
        return _full(where, why)
    if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
        return say(
            "{w}: store-এর ফাইলটি নষ্ট ({y}); সরিয়ে রাখো, মুছো না (মানুষের দেওয়া নম্বর এতে আছে), তারপর আবার চালাও।",
            "{w}: the store's file is damaged ({y}); move it aside, do not delete it (marks that people gave are in it), and run again.",
            w=where,
            y=why,
        )
    return say(
        "{w}: store-এ পৌঁছানো যাচ্ছে না ({y}); ঠিক করে আবার চালাও, যা গ্রেড হয়েছে তা থাকছে।",
        "{w}: the store cannot be used ({y}); mend that and run again: what is graded is kept.",
        w=where,
        y=why,
    )


def _full(where: object, why: str) -> Text:
    return say(
        "{w}: লেখা গেল না ({y}); জায়গা খালি করে আবার চালাও, যা গ্রেড হয়েছে তা থাকছে।",
        "{w}: it cannot be written ({y}); make room and run again: what is graded is kept.",
        w=where,
        y=why,
    )
