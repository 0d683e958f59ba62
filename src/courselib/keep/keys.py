"""Keys: the hash of all that a record is a function of. Equal key, equal record, so nothing is graded twice."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from courselib.record import Record
from courselib.text import language

if TYPE_CHECKING:
    from courselib.grader import Bench, Work

WALLS = ("process", "namespaces")  # the weaker first


@dataclass(frozen=True)
class Settings:
    """What all the records of one run share: their digest, the walls, and what this machine has that a check may require."""

    digest: bytes
    isolation: str
    able: frozenset[str] = frozenset()

    def redoes(self, isolation: str, waits: str) -> bool:
        """Tell whether a record made behind `isolation`, with checks that wait for `waits`, is to be made again here.

        A wall stronger than the one it was made behind, or a machine that has what its deferred checks require, is a
        reason; a weaker wall or a lesser machine is none, or a second run on a laptop would undo what a GPU server did.
        """
        return WALLS.index(isolation) < WALLS.index(self.isolation) or bool(self.able.intersection(waits.split(",")))


def settings(isolation: str, able: Iterable[str]) -> Settings:
    """Return the settings of a run on this machine, in the language of the moment."""
    return Settings(_digest([language(), *versions().values()]), isolation, frozenset(able))


def versions() -> dict[str, str]:
    """Return the software that a verdict depends on: where these are equal, so are the verdicts."""
    return {
        "torch": version("torch").split("+")[0],  # +cpu and +cu130 give the same verdicts
        "numpy": version("numpy"),
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "courselib": _engine(),
    }


def of_work(work: Work, bench: Bench, run: Settings) -> bytes:
    """Return the key of the record that `work` will have: every field of it counts, its bytes by their hash; its time does not."""
    told = {f.name: getattr(work, f.name) for f in fields(work) if f.name not in ("data", "beside", "submitted", "late")}
    return _digest([run.digest.hex(), told, work.sha256, bench.sha256, bench.seconds])


def of_record(record: Record) -> bytes:
    """Return a key for a record that came without its work."""
    return _digest([record.student, record.exercise, record.submission_sha256, record.checks_sha256])


def _digest(value: object) -> bytes:
    return hashlib.sha256(json.dumps(value, sort_keys=True, default=repr).encode()).digest()


@cache
def _engine() -> str:
    """Return the hash of this package's own code: in a working copy it changes while its version stays."""
    whole = hashlib.sha256(version("courselib").encode())
    package = Path(__file__).parent.parent
    for path in sorted(package.rglob("*.py")):
        whole.update(os.fsencode(path.relative_to(package)) + b"\0" + path.read_bytes())
    return whole.hexdigest()
