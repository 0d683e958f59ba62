"""Plain Otter 7 on our check files: the same verdicts as `courselib grade`, without the checks that need a GPU."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import made
import nbformat
import pytest
from nbclient import NotebookClient

from courselib import crew, grading, sandbox
from courselib.checks import CheckFile, load_checks
from courselib.course import load_course
from courselib.grader import Work
from courselib.record import Record
from courselib.stubs import marked, notebook_of

COURSE = load_course(Path(__file__).parent)
NAMES = {e.id: e.name for e in COURSE.exercises.values()}
EVERY = 5  # of the kept submissions, how many are left out between two that Otter sees
BEHIND_THE_WALL = ("timed_out", "out_of_memory", "your code ended its process")  # where Otter would end or hang, too
# A wrong answer of each exercise that some checks find and others do not.
WRONG = {
    "memory_arithmetic": "adamw_one_state.py",
    "cuda_ms": "mean.py",
    "dtype_prediction": "relu_in_half.py",
    "step_ordering": "clip_after_step.py",
}
CPU_POINTS = 8
HERE = "the run's own folder"
RUN, CHECKED, QUESTION = ["memory/memory_arithmetic"], ["training/step_ordering"], "timing/cuda_ms"  # seconds each: not every pair
NOTEBOOKS = [("bn", "memory/memory_arithmetic", "notebooks"), ("en", "training/step_ordering", "student/notebooks")]
TELL = """\
import json
print(json.dumps({{str(r.test_case.name): r.passed for r in grader.check("{exercise}").test_case_results}}))
"""
ENVIRONMENT = {k: v for k, v in made.ENVIRONMENT.items() if k != "PYTHONPATH"}

# Runs Otter's own test file on each submission in a child of its own, as one kernel per submission would.
OTTER = """\
import io, json, os, signal, sys
from contextlib import redirect_stdout
from otter.test_files import ExceptionTestFile

def outcomes(checks, path):
    space = {"__name__": "__main__"}
    with redirect_stdout(io.StringIO()):
        try:
            exec(compile(open(path, encoding="utf-8").read(), path, "exec"), space)
        except BaseException:
            pass
        checks.run(space)
    return {str(r.test_case.name): r.passed for r in checks.test_case_results}

files = {}
for exercise, path in json.load(sys.stdin):
    if exercise not in files:
        files[exercise] = ExceptionTestFile.from_file(f"autograder/{exercise}.py")
        outcomes(files[exercise], f"solutions/{exercise}.py")  # what the checks expect is worked out once, before the forks
    checks = files[exercise]
    read, write = os.pipe()
    if not os.fork():
        signal.alarm(60)
        os.write(write, json.dumps(outcomes(checks, path)).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as answer:
        print(json.dumps([exercise, path, json.loads(answer.read() or b"null")]), flush=True)
    os.wait()
"""


def whole(exercise: str) -> CheckFile:
    return load_checks(COURSE.tree.checks(exercise))


def wrong(exercise: str) -> Path:
    name = NAMES[exercise]
    return COURSE.tree.root / "tests" / "submissions" / name / "wrong" / WRONG[name]


def sample() -> list[tuple[str, Path]]:
    """Return every fifth submission kept for each exercise, and the chosen wrong ones."""
    kept = [(e, p) for e in NAMES for kind in ("right", "wrong") for p in COURSE.tree.examples(e, kind)[::EVERY]]
    return list(dict.fromkeys([*kept, *((e, wrong(e)) for e in NAMES)]))


@pytest.fixture(scope="module")
def graded() -> dict[tuple[str, Path], Record]:
    """Grade the sample as `courselib grade` does."""
    hands = crew.start(COURSE, list(NAMES), sandbox.start(1))
    try:
        works = [Work(str(path), e, path.name, path.read_bytes()) for e, path in sample()]
        records = grading.records(hands, works, 1)
        return {(r.exercise, Path(r.student)): r for r in records}
    finally:
        hands.close()


def passed(record: Record) -> dict[str, bool]:
    """Return by sentence whether each check that this machine can run was passed."""
    return {v.name: v.outcome == "passed" for v in record.checks if v.outcome != "deferred"}


def otter(*args: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run Otter's own command."""
    line = [sys.executable, "-m", "otter", *map(str, args)]
    return subprocess.run(line, cwd=cwd, env=ENVIRONMENT, capture_output=True, encoding="utf-8", timeout=300, check=False)


Runs = dict[tuple[str, str], "Future[subprocess.CompletedProcess[str]]"]


@pytest.fixture(scope="module")
def runs(released: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Runs]:
    """Start all Otter processes, two at a time: each spends most of its seconds on imports."""
    folder = tmp_path_factory.mktemp("otter")
    pool = ThreadPoolExecutor(2)
    started: Runs = {}

    def start(kind: str, exercise: str, *args: object) -> None:
        cwd = folder / f"{kind}-{NAMES[exercise]}"
        cwd.mkdir()
        shutil.copytree(COURSE.tree.root / "autograder", cwd / "autograder", ignore=shutil.ignore_patterns("__pycache__"))
        started[kind, exercise] = pool.submit(otter, *(cwd if a is HERE else a for a in args), cwd=cwd)

    for exercise, name in NAMES.items():
        start("reference", exercise, "run", COURSE.tree.solution(exercise), "-a", released / "otter" / f"{name}.zip", "-o", HERE)
    for exercise in RUN:
        start("wrong", exercise, "run", wrong(exercise), "-a", released / "otter" / f"{NAMES[exercise]}.zip", "-o", HERE)
    for exercise in CHECKED:
        start("wrong", exercise, "check", wrong(exercise), "-t", f"autograder/{exercise.split('/')[0]}")
    start("question", QUESTION, "check", COURSE.tree.solution(QUESTION), "-t", "autograder/timing", "-q", NAMES[QUESTION])
    yield started
    pool.shutdown(cancel_futures=True)


def lost(text: str) -> set[str]:
    """Return the sentences of the checks that have failed, from a report of Otter's."""
    told = re.findall(r"^ *(\S.*) result:\n\s+(✅|❌) Test case", text, re.MULTILINE)
    assert told
    return {sentence for sentence, mark in told if mark == "❌"}


def case(done: subprocess.CompletedProcess[str], exercise: str) -> dict[str, Any]:
    """Return what the results.json of `otter run` says of the whole check file."""
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(Path(done.args[-1], "results.json").read_text(encoding="utf-8"))
    return next(t for t in told["tests"] if t["name"] == NAMES[exercise])


@pytest.mark.parametrize("exercise", NAMES)
def test_otter_run_gives_the_reference_full_marks_and_leaves_the_gpu_checks_out_of_the_total(runs: Runs, exercise: str) -> None:
    told = case(runs["reference", exercise].result(), exercise)
    assert (told["score"], told["max_score"]) == (CPU_POINTS, CPU_POINTS)
    assert told["output"] == f"{NAMES[exercise]} results: All test cases passed!"
    checks = whole(exercise)
    assert checks.possible - sum(c.points for c in checks.checks if c.requires) == CPU_POINTS


@pytest.mark.parametrize("exercise", RUN)
def test_otter_run_takes_the_same_checks_from_a_wrong_answer_as_courselib_grade(
    runs: Runs, graded: dict[tuple[str, Path], Record], exercise: str
) -> None:
    told, record = case(runs["wrong", exercise].result(), exercise), graded[exercise, wrong(exercise)]
    assert lost(told["output"]) == {name for name, ok in passed(record).items() if not ok}
    assert (told["score"], told["max_score"]) == (record.score, record.possible - record.deferred)
    assert 0 < told["score"] < CPU_POINTS


@pytest.mark.parametrize("exercise", CHECKED)
def test_otter_check_takes_the_same_checks_from_a_wrong_answer_as_courselib_grade(
    runs: Runs, graded: dict[tuple[str, Path], Record], exercise: str
) -> None:
    done, mine = runs["wrong", exercise].result(), passed(graded[exercise, wrong(exercise)])
    assert done.returncode == 0, done.stderr[-2000:]
    assert lost(done.stdout) == {name for name, ok in mine.items() if not ok}
    assert 0 < len(lost(done.stdout)) < len(mine)


def test_otter_check_of_one_question_passes_the_reference(runs: Runs) -> None:
    done = runs["question", QUESTION].result()
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout == "All tests passed!\n"


@pytest.fixture(scope="module")
def seen_by_otter(graded: dict[tuple[str, Path], Record]) -> dict[tuple[str, Path], dict[str, bool]]:
    """Put Otter's own test files to the sample, all but what needs a wall."""
    fit = [
        (e, str(p)) for (e, p), r in graded.items() if not any(w in f"{v.outcome} {v.message}" for v in r.checks for w in BEHIND_THE_WALL)
    ]
    assert len(fit) > 0.9 * len(graded)
    done = subprocess.run(
        [sys.executable, "-c", OTTER],
        input=json.dumps(fit), cwd=COURSE.tree.root, env=ENVIRONMENT, capture_output=True, encoding="utf-8", timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return {(e, Path(p)): outcomes for e, p, outcomes in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("exercise", NAMES)
def test_every_check_has_the_same_outcome_under_otter_as_under_courselib_grade(
    graded: dict[tuple[str, Path], Record], seen_by_otter: dict[tuple[str, Path], dict[str, bool]], exercise: str
) -> None:
    mine = {path.relative_to(COURSE.tree.root): outcomes for (e, path), outcomes in seen_by_otter.items() if e == exercise}
    assert len(mine) >= 18
    assert mine == {path: passed(graded[exercise, COURSE.tree.root / path]) for path in mine}
    assert any(all(outcomes.values()) for outcomes in mine.values())
    assert any(not all(outcomes.values()) for outcomes in mine.values())


def with_reference(path: Path, exercise: str) -> nbformat.NotebookNode:
    """Return a released notebook with the reference solution in the place of the stub."""
    book = nbformat.read(path, as_version=4)
    answers = notebook_of(COURSE.tree.solution(exercise).read_text(encoding="utf-8"), COURSE.exercises[exercise], "en")["cells"]
    mine, theirs = ([c for c in cells if c["cell_type"] == "code" and "grader" not in c["source"]] for cells in (book.cells, answers))
    for cell, answer in zip(mine, theirs, strict=True):
        cell.source = answer["source"]
    return book


@pytest.mark.parametrize(("lang", "exercise", "folder"), NOTEBOOKS)
def test_grader_check_in_an_executed_notebook(
    released: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str, exercise: str, folder: str,
    graded: dict[tuple[str, Path], Record],
) -> None:  # fmt: skip
    for name in ("PYTHONUTF8", "OMP_NUM_THREADS"):
        monkeypatch.setenv(name, "1")
    shutil.copytree(released / folder.split("/")[0], tmp_path / "mine")
    path = tmp_path / "mine" / Path(*folder.split("/")[1:]) / lang / f"{NAMES[exercise]}.ipynb"
    book = with_reference(path, exercise)
    for source in (wrong(exercise).read_text(encoding="utf-8"), TELL.format(exercise=exercise)):
        book.cells.append(nbformat.v4.new_code_cell(source))
    NotebookClient(book, timeout=120, resources={"metadata": {"path": str(path.parent)}}).execute()
    right = [c.outputs[-1].data["text/plain"] for c in book.cells if c.source.startswith("grader.check(")]
    assert right == [f"{NAMES[exercise]}/{part} results: All test cases passed!" for part in marked(COURSE.tree.stub(exercise).read_text())]
    told = book.cells[-1].outputs[-1]
    record, checks = graded[exercise, wrong(exercise)], whole(exercise).checks
    by_id = {v.id: v.outcome == "passed" for v in record.checks}
    assert json.loads(told.text) == {c.name.read(lang): by_id[c.id] for c in checks if not c.hidden and not c.deferred}
    assert not all(json.loads(told.text).values())


def test_otter_reads_the_students_copies_where_the_machine_knows_no_utf8(released: Path) -> None:
    """Stand in for Windows: there a Python without UTF-8 mode opens files in a code page without Bangla."""
    env = {**ENVIRONMENT, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
    paths = [str(released / "student" / "autograder" / f"{e}.py") for e in NAMES]
    script = (
        "import sys; from otter.test_files import ExceptionTestFile as F; print([len(F.from_file(p).test_cases) for p in sys.argv[1:]])"
    )
    done = subprocess.run([sys.executable, "-c", script, *paths], env=env, capture_output=True, encoding="utf-8", check=False)
    public = [sum(not c.hidden and not c.deferred for c in whole(e).checks) for e in NAMES]
    assert (done.returncode, done.stdout) == (0, f"{public}\n"), done.stderr[-2000:]
