"""A small course made for the tests: one unit, two exercises, checks that take no time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONUTF8": "1", "COURSELIB_LANG": "en"}

MANIFEST = """\
title: {bn: ছোট কোর্স, en: A small course}
language: bn
units:
  first:
    title: {bn: প্রথম, en: First}
    exercises:
      powers:
        seconds: 2
        hint: {bn: n কতবার, en: How many times n}
      greeting:
        seconds: 2
        hint: {bn: কাকে, en: Whom}
"""
POWERS = """\
# %% [markdown] lang="bn"
# # ঘাত

# %% [markdown] lang="en"
# # Powers

# %%
def double(n):
    # BEGIN SOLUTION
    return 2 * n
    # END SOLUTION


def square(n):
    # BEGIN SOLUTION
    return n * n
    # END SOLUTION


def cube(n):
    # BEGIN SOLUTION
    return n * n * n
    # END SOLUTION


answer = 41 + 1  # SOLUTION
"""
POWERS_CHECKS = '''\
"""Checks of first/powers."""

from courselib import judge
from courselib.checks import check

OK_FORMAT = False
name = "powers"
points = None


@check("double", 1, bn="double দ্বিগুণ করে", en="double doubles")
def doubles(double):
    judge.equal(double(3), 6, "double(3)")


@check("square", 1, bn="square বর্গ করে", en="square squares")
def squares(square):
    judge.equal(square(3), 9, "square(3)")


@check("cube", "1/2", bn="cube ঘন করে", en="cube cubes")
def cubes(cube):
    judge.equal(cube(3), 27, "cube(3)")


@check("cube", "1/2", hidden=True, bn="cube ঋণাত্মকেও ঠিক", en="cube is right below zero")
def cubes_below_zero(cube):
    judge.equal(cube(-3), -27, "cube(-3)")


@check("answer", 1, bn="answer ঠিক", en="answer is right")
def answers(answer):
    judge.equal(answer, 42, "answer")
'''
GREETING = '# %%\ndef greet(name):\n    return "hello " + name  # SOLUTION\n'
GREETING_CHECKS = '''\
"""Checks of first/greeting."""

from courselib import judge
from courselib.checks import check

OK_FORMAT = False
name = "greeting"
points = None


@check("greet", 2, bn="greet সম্ভাষণ জানায়", en="greet greets by name")
def greets(greet):
    judge.equal(greet("you"), "hello you", "greet")
'''
RIGHT = POWERS.replace("n * n * n", "n ** 3")


def course(root: Path) -> Path:
    """Write the small course, without stubs, into `root`."""
    write(root / "course.yaml", MANIFEST)
    for name, solution, checks in (("powers", POWERS, POWERS_CHECKS), ("greeting", GREETING, GREETING_CHECKS)):
        write(root / "solutions" / "first" / f"{name}.py", solution)
        write(root / "autograder" / "first" / f"{name}.py", checks)
    return root


def write(path: Path, text: str) -> Path:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def command(*args: object, cwd: Path, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    """Run `python -m courselib` as a person would, in a process of its own."""
    line = [sys.executable, "-m", "courselib", *map(str, args)]
    return subprocess.run(
        line, cwd=cwd, env=env or ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=240, check=False
    )
