"""A class of attackers among honest neighbours, on a course whose answers are worth stealing."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from made import write

from courselib import local, run, sandbox
from courselib.course import load_course

ATTACKS = sorted((Path(__file__).parent / "hostile").glob("*.py"))
SECRET = 987_654_321
CANARY = "CANARY-5f1c0e"
SECONDS = 1
EXERCISE = "wall/attack"
CHECKS = 4

MANIFEST = f"""\
title: {{bn: দেয়াল, en: The wall}}
language: bn
units:
  wall:
    title: {{bn: দেয়াল, en: The wall}}
    exercises:
      attack:
        seconds: {SECONDS}
        hint: {{bn: সৎ থাকো, en: Be honest}}
"""
SOLUTION = f"""\
# %%
def double(x):
    return x + x  # SOLUTION

def three():
    return [1] * 3  # SOLUTION

answer = {SECRET} + 1  # SOLUTION
"""
AUTOGRADER = f'''\
"""Checks of wall/attack."""

from courselib import judge
from courselib.checks import check

OK_FORMAT = False
name = "attack"
points = None


@check("double", 1, bn="দ্বিগুণ করে", en="doubles a number")
def doubles(double):
    judge.close(judge.function(double, "double")({SECRET}), {2 * SECRET}, "double", reveal=False)


@check("double", 1, hidden=True, bn="ভগ্নাংশও দ্বিগুণ করে", en="doubles a fraction too")
def doubles_more(double):
    judge.close(judge.function(double, "double")(0.8125), 1.625, "double(0.8125)")


@check("answer", 1, bn="একই মান", en="a number")
def value(answer):
    judge.close(answer, {SECRET + 1}, "answer", reveal=False)


@check("three", 1, bn="তিনটি এক", en="three ones")
def ones(three):
    judge.equal(judge.function(three, "three")(), [1, 1, 1], "three()")
'''
HONEST = {
    "a_first": SOLUTION,
    "h_middle": "def double(x): return 2 * x\n",
    "r_middle": f"answer = {SECRET - 5}\ndef three(): return [1, 1]\n",
    "z_last": SOLUTION.replace("x + x", "2 * x"),
}
UNTOLD = (str(SECRET + 1), str(2 * SECRET), "x + x", "[1] * 3", CANARY)  # what no report may hold
HIDDEN = ("1.625", "0.8125")  # what only the instructor's may


@dataclass(frozen=True)
class Graded:
    """What grading a class left: its records by student, its folder, its time, and what was left of it on the machine."""

    records: dict[str, dict[str, Any]]
    out: Path
    course: Path
    seconds: float
    left_over: list[str]


def course(root: Path) -> Path:
    """Write the course."""
    write(root / "course.yaml", MANIFEST)
    write(root / "solutions" / "wall" / "attack.py", SOLUTION)
    write(root / "autograder" / "wall" / "attack.py", AUTOGRADER)
    return root


def graded(root: Path, works: dict[str, str], isolation: Any, jobs: int) -> Graded:
    """Grade a class of `works` by student, and look at what is left of it on this machine."""
    for student, source in works.items():
        write(root / "class" / student / "attack.py", source)
    course(root / "course")
    mark, out = f"run-{os.urandom(8).hex()}", root / "out"
    with _marked(mark) as temporary:
        before = set(_traces(mark, temporary))
        began = monotonic()
        made = load_course(root / "course")
        run.grade(made, root / "class", out, [EXERCISE], partial(local.employ, made, [EXERCISE], jobs, sandbox.start(jobs, isolation)))
        seconds = monotonic() - began
        left = _left_over(before, mark, temporary)
    lines = (out / "results.jsonl").read_text(encoding="utf-8").splitlines()
    return Graded({r["student"]: r for r in map(json.loads, lines)}, out, root / "course", seconds, left)


@contextmanager
def _marked(mark: str) -> Iterator[str]:
    """Let the zygote's processes bear `mark`, its files lie in a folder of their own, and our environment hold a secret."""
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory(prefix="wall-", dir="/tmp") as temporary:
        os.chmod(temporary, 0o711)
        patch.setattr(tempfile, "tempdir", temporary)
        patch.setitem(sandbox.ENVIRONMENT, "RUN_MARK", mark)
        patch.setenv("COURSELIB_TEST_SECRET", CANARY)
        yield temporary


def _left_over(before: set[str], mark: str, temporary: str) -> list[str]:
    """Return what is there that was not, after the kernel has had a moment to bury the last."""
    for _ in range(50):
        if not (left := [t for t in _traces(mark, temporary) if t not in before]):
            break
        sleep(0.1)
    return left


def _traces(mark: str, temporary: str) -> Iterator[str]:
    """Yield this process's descriptors, the processes that bear `mark`, and the files where workers may try to write."""
    for folder in ("/tmp", "/dev/shm", "/var/tmp", "/run"):
        yield from (f"{folder}/{name}" for name in os.listdir(folder) if name.startswith(("word", "sitecustomize", "f0")))
    yield from (f"{temporary}/{name}" for name in os.listdir(temporary))
    for entry in os.listdir("/proc"):
        if entry.isdigit() and mark.encode() in _read(f"/proc/{entry}/environ") and entry != str(os.getpid()):
            yield f"process {entry}"
    for fd in os.listdir("/proc/self/fd"):
        with suppress(OSError):  # the one that lists them
            yield f"descriptor {fd}: {os.readlink(f'/proc/self/fd/{fd}')}"


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""
