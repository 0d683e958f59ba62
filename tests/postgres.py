"""A real PostgreSQL server for the tests: the one that COURSELIB_TEST_POSTGRES names, else one of our own, made and unmade."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

QUICK = "-c fsync=off -c listen_addresses='' -c max_connections=20 -c shared_buffers=1MB -c autovacuum=off"


@contextmanager
def server() -> Iterator[str]:
    """Yield the URL of a database; skip where there is none and no way to make one."""
    if given := os.environ.get("COURSELIB_TEST_POSTGRES"):
        yield given
        return
    binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda p: float(p.parts[-3]))
    if not binaries:
        pytest.skip("no PostgreSQL here: set COURSELIB_TEST_POSTGRES, or apt-get install postgresql")
    short = tempfile.TemporaryDirectory(prefix="courselib-pg-")  # a socket's path may have 107 letters
    with short as folder, _started(binaries[-1].parent, Path(folder)):
        yield f"postgresql://courselib@/postgres?host={folder}"


@contextmanager
def _started(binaries: Path, folder: Path) -> Iterator[None]:
    """Run a server whose data and socket lie in `folder`; PostgreSQL refuses to be root."""
    user = _ordinary() if os.getuid() == 0 else None
    if user:
        shutil.chown(folder, user)
    data, log = folder / "data", folder / "log"
    pg_ctl = [binaries / "pg_ctl", "-D", data, "-s", "-w"]
    _run(user, folder, binaries / "initdb", "-D", data, "-U", "courselib", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
    _run(user, folder, *pg_ctl, "-l", log, "-o", f"{QUICK} -k {folder}", "start")
    try:
        yield
    finally:
        _run(user, folder, *pg_ctl, "-m", "immediate", "stop")


def _ordinary() -> str:
    names = {u.pw_name for u in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _run(user: str | None, folder: Path, *command: object) -> None:
    words = [str(word) for word in command]
    with (folder / "told").open("wb") as told:  # a pipe would be held open by the server
        done = subprocess.run(
            words, cwd=folder, user=user, stdout=told, stderr=told, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"}, check=False
        )
    assert done.returncode == 0, (folder / "told").read_text(errors="replace")
