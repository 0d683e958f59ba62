"""nbgrader on the same answers and the same checks: one test cell for each check, `nbgrader autograde` once for the class.

nbgrader lives in a virtual environment of its own, made at first use: `out/bench-nbgrader`. It sees this one's torch
and courselib behind its own packages. Where it cannot be installed, the row is left out and says why.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from shutil import rmtree
from time import perf_counter
from typing import Any

VERSION = "nbgrader>=0.9.5,<1"
ASSIGNMENT = "ps1"
KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}, "language_info": {"name": "python"}}
SETUP = """\
from pathlib import Path
from courselib.checks import load_checks
from courselib.proxy import local
checks = load_checks(Path({checks!r})).checks
"""
CHECK = "checks[{n}].run({{name: local(name, value) for name, value in list(globals().items())}})"
MARKS = """\
import json
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as book:
    print(json.dumps({s.student.id: s.score for s in book.assignment_submissions("ps1")}))
"""


def installed(folder: Path) -> str:
    """Make the environment in `folder` if it is not there; return why that is not possible, or nothing."""
    if (folder / "ready").is_file():
        return ""
    rmtree(folder, ignore_errors=True)
    for command in (
        [sys.executable, "-m", "venv", folder],
        [folder / "bin/pip", "install", "--quiet", "--disable-pip-version-check", VERSION],
    ):
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
        if done.returncode:
            return (done.stderr.strip() or "it cannot be installed").splitlines()[-1]
    purelib = next(folder.glob("lib/python*/site-packages"))
    (purelib / "behind.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    (folder / "ready").touch()
    return ""


class Autograde:
    """A course of nbgrader's, with one assignment: our checks, one point for each."""

    def __init__(self, venv: Path, folder: Path, checks: Path, points: dict[int, float], environment: dict[str, str]) -> None:
        self.venv, self.folder = venv, folder
        self.environment = environment | {"PATH": f"{venv / 'bin'}{os.pathsep}{os.environ['PATH']}", "PYTHONDONTWRITEBYTECODE": "1"}
        self.environment.pop("PYTHONPATH", None)
        _write(folder / "nbgrader_config.py", 'c = get_config()\nc.CourseDirectory.course_id = "bench"\n')
        cells = [_cell("", "answer", solution=True), _cell(SETUP.format(checks=str(checks)), "setup", locked=True)]
        cells += [_cell(CHECK.format(n=n), f"check_{n}", points=worth, locked=True) for n, worth in points.items()]
        _write(
            folder / "source" / ASSIGNMENT / "answer.ipynb",
            json.dumps({"cells": cells, "metadata": KERNEL, "nbformat": 4, "nbformat_minor": 5}),
        )
        self._nbgrader("generate_assignment", ASSIGNMENT)

    def _nbgrader(self, *words: str) -> int:
        line = [str(self.venv / "bin" / "nbgrader"), *words]
        with (self.folder / "log").open("ab") as log:
            return subprocess.run(line, cwd=self.folder, env=self.environment, stdout=log, stderr=log, check=False).returncode

    def grade(self, files: Sequence[Path]) -> tuple[float, dict[str, float], int]:
        """Grade files as a class; return the seconds it took, what each got, and the exit code."""
        released = json.loads((self.folder / "release" / ASSIGNMENT / "answer.ipynb").read_text(encoding="utf-8"))
        for made in ("submitted", "autograded"):
            rmtree(self.folder / made, ignore_errors=True)
        for file in files:
            released["cells"][0]["source"] = file.read_text(encoding="utf-8")
            _write(self.folder / "submitted" / file.parent.name / ASSIGNMENT / "answer.ipynb", json.dumps(released))
        began = perf_counter()
        code = self._nbgrader("autograde", ASSIGNMENT, "--force")
        return perf_counter() - began, self._marks(), code

    def _marks(self) -> dict[str, float]:
        line = [str(self.venv / "bin" / "python"), "-W", "ignore", "-c", MARKS]
        done = subprocess.run(line, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False)
        found: dict[str, float] = json.loads(done.stdout or "{}")
        return found


def _cell(source: str, name: str, *, solution: bool = False, locked: bool = False, points: float = 0) -> dict[str, Any]:
    """Return a code cell as nbgrader marks it."""
    told: dict[str, Any] = {
        "grade": bool(points),
        "grade_id": name,
        "locked": locked,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    told |= {"points": points} if points else {}
    return {"cell_type": "code", "id": name, "metadata": {"nbgrader": told}, "execution_count": None, "outputs": [], "source": source}


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
