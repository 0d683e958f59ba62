"""`courselib release`: what students and platforms are given, each made from the three trees."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from courselib import bundle, stubs
from courselib.checks import load_checks
from courselib.course import Course, Exercise
from courselib.text import LANGUAGES, say
from courselib.trouble import Trouble


def release(course: Course, out: Path) -> int:
    """Write `student/` (the bundle), `notebooks/` (bn and en) and `otter/` (autograder zips) under `out`."""
    for exercise in course.exercises.values():
        _student(course, exercise, out / "student")
        _notebooks(course, exercise, out / "notebooks")
        otter_zip(course, exercise, out / "otter")
    shutil.copy(course.tree.manifest, out / "student")
    shutil.make_archive(str(out / "student"), "zip", out / "student")
    print(say("লেখা হয়েছে: {o}", "written: {o}", o=out).read())
    return 0


def _student(course: Course, exercise: Exercise, out: Path) -> None:
    stub = out / "exercises" / f"{exercise.id}.py"
    stub.parent.mkdir(parents=True, exist_ok=True)
    stub.write_text(stubs.stub_of(course.tree.solution(exercise.id)), encoding="utf-8", newline="\n")
    bundle.write_public(load_checks(course.tree.checks(exercise.id)), out / "autograder" / f"{exercise.id}.py")


def _notebooks(course: Course, exercise: Exercise, out: Path) -> None:
    """Write one notebook per language, each beside an `autograder` folder with the public checks."""
    stub = stubs.stub_of(course.tree.solution(exercise.id))
    for lang in LANGUAGES:
        path = out / lang / f"{exercise.name}.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        book = stubs.notebook_of(stub, exercise, lang)
        path.write_text(json.dumps(book, ensure_ascii=False, indent=1) + "\n", encoding="utf-8", newline="\n")
        bundle.write_public(load_checks(course.tree.checks(exercise.id)), path.parent / "autograder" / f"{exercise.id}.py")


def otter_zip(course: Course, exercise: Exercise, out: Path) -> Path:
    """Write the zip that `otter run` takes: the whole check file, packed by Otter's own `generate`."""
    out.mkdir(parents=True, exist_ok=True)
    path = (out / f"{exercise.name}.zip").resolve()
    tests = course.tree.checks(exercise.id).parent
    command = [sys.executable, "-m", "otter", "generate", "-t", ".", "-o", str(path)]
    with _only(tests, exercise) as folder:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Trouble(say("otter generate: {e}", "otter generate: {e}", e=done.stderr.strip()[-500:]))
    return path


class _only:
    """A folder that holds one exercise's check file and nothing else: a unit may have several."""

    def __init__(self, tests: Path, exercise: Exercise) -> None:
        import tempfile

        self.source = tests / f"{exercise.name}.py"
        self.folder = tempfile.TemporaryDirectory()

    def __enter__(self) -> Path:
        shutil.copy(self.source, self.folder.name)
        return Path(self.folder.name)

    def __exit__(self, *_: object) -> None:
        self.folder.cleanup()
