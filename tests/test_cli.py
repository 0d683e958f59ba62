from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import made
import pytest
from fake import stored

from courselib import cli, grading
from courselib.checks import REQUIREMENTS

RUNNING = 5  # processes of a run with two slots: two checkers, a zygote, its workers
INTERRUPTIBLE = """\
import signal  # a shell's background job starts with SIGINT ignored, and so does all that is under it
signal.signal(signal.SIGINT, signal.default_int_handler)
from courselib.cli import main
main()
"""
NUMBERS = ("first/powers", "first/greeting", "total", "possible", "percent", "deferred")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a small course and a class of three: one right, one half right in a notebook, one with a damaged notebook."""
    root = made.course(tmp_path_factory.mktemp("course"))
    everyone = root / "class"
    made.write(everyone / "asha" / "powers.py", made.RIGHT)
    made.write(everyone / "asha" / "greeting.py", "def greet(name): return 'hello ' + name\n")
    cell = {
        "cell_type": "code",
        "source": "def double(n): return n + n\ndef square(n): return n\nanswer = 42",
        "metadata": {},
        "outputs": [],
    }
    made.write(everyone / "বীথি" / "powers.ipynb", json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}))
    made.write(everyone / "chandan" / "powers.py", "import os\nos._exit(0)\n")
    made.write(everyone / "chandan" / "greeting.py", "def greet(name): return name\n")
    return root


def told(argv: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as end:
        cli.main(argv)
    out = capsys.readouterr()
    return end.value.code, out.out, out.err


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["nope"], "No such command 'nope'; see courselib --help."),
        (["grade"], "Missing argument 'CLASS'; see courselib --help."),
        (["grade", "class"], "Missing option '--out'; see courselib --help."),
        (["release"], "Missing option '--out'; see courselib --help."),
        (["grade", "class", "--out", "out", "--jobs", "0"], "Invalid value for '--jobs':"),
        (["grade", "class", "--out", "out", "--jobs", "many"], "Invalid value for '--jobs':"),
        (["grade", "class", "--out", "out", "--isolation", "none"], "Invalid value for '--isolation':"),
        (["grade", "class", "--out", "out", "--require", "tpu"], "Invalid value for '--require':"),
        (["grade", "class", "--out", "out", "--lang", "fr"], "Invalid value for '--lang':"),
        (["grade", "class", "--out", "out", "--exercise", "power"], "There is no exercise called power. Did you mean powers?"),
        (["doctor", "greetings"], "There is no exercise called greetings. Did you mean greeting?"),
        (["grade", "nowhere", "--out", "out"], "nowhere does not exist."),
        (["grade", "course.yaml", "--out", "out"], "course.yaml is not a folder"),
        (["build", "--lang"], "Option '--lang' requires an argument; see courselib --help."),
        (["build", "--nope"], "No such option: --nope"),
    ],
)
def test_a_mistake_of_use_is_one_sentence_and_exit_code_2(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], argv: list[str], sentence: str
) -> None:
    monkeypatch.chdir(root)
    code, out, err = told(argv, capsys)
    assert (code, out) == (2, "")
    assert err.startswith(f"courselib: {sentence}")
    assert err.count("\n") == 1
    assert not (root / "out").exists()


BANGLA = {
    ("nope",): "nope নামে কোনো command নেই; দেখো: courselib --help",
    ("grade",): "CLASS দেওয়া হয়নি; দেখো: courselib --help",
    ("grade", "class"): "--out দেওয়া হয়নি; দেখো: courselib --help",
    ("grade", "class", "--out"): "--out-এর পরে একটি মান লাগে; দেখো: courselib --help",
    ("grade", "class", "--out", "out", "--fresh=3"): "--fresh-এর কোনো মান হয় না; দেখো: courselib --help",
    ("grade", "class", "more", "--out", "out"): "বাড়তি লেখা আছে: more; দেখো: courselib --help",
    ("grade", "class", "--out", "out", "--jobs", "0"): "--jobs কমপক্ষে 1 হতে হবে; দেখো: courselib --help",
    ("grade", "class", "--out", "out", "--jobs", "999"): "--jobs বড়জোর 256 হতে পারে; দেখো: courselib --help",
    ("grade", "class", "--out", "out", "--jobs", "many"): "--jobs-এ একটি পূর্ণসংখ্যা লেখো; দেখো: courselib --help",
    ("grade", "class", "--out", "out", "--require", "tpu"): "--require-এ tpu চলে না; লেখো এর একটি: 'cuda'; দেখো: courselib --help",
    ("grade", "class", "--jbos", "3"): "--jbos নামে কোনো option নেই; আছে --jobs; দেখো: courselib --help",
    ("build", "--nope"): "--nope নামে কোনো option নেই; দেখো: courselib --help",
}


@pytest.mark.parametrize("argv", BANGLA)
def test_a_mistake_of_use_is_told_in_bangla_too(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], argv: tuple[str, ...]
) -> None:
    monkeypatch.chdir(root)
    assert told(["--lang", "bn", *argv], capsys) == (2, "", f"courselib: {BANGLA[argv]}\n")


def test_quiz_alone_says_what_it_can_do(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = told(["quiz"], capsys)
    assert (code, err) == (0, "")
    assert {line.split()[0] for line in out.splitlines() if line.startswith("  ")} >= {"list", "take", "mark", "page", "export"}


def test_a_gpu_that_is_required_and_missing_is_told_before_anything_runs(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    monkeypatch.setitem(REQUIREMENTS, "cuda", lambda: False)
    monkeypatch.setattr(grading, "records", lambda *args, **kwargs: pytest.fail("grading began"))
    code, out, err = told(["grade", "class", "--out", "out", "--require", "cuda"], capsys)
    assert (code, out) == (2, "")
    assert err == "courselib: --require cuda: this machine has none; run on a machine with a GPU, or leave the option out.\n"
    assert not (root / "out").exists()


def test_where_no_course_is_one_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for argv in (["build"], ["check"], ["doctor"], ["grade", ".", "--out", "out"], ["release", "--out", "out"]):
        code, out, err = told(argv, capsys)
        assert (code, out) == (2, "")
        assert err.startswith(f"courselib: No course.yaml in {tmp_path} or any folder above it; go to")


def test_a_place_that_cannot_be_written_is_one_sentence(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    assert told(["release", "--out", "course.yaml"], capsys) == (
        2,
        "",
        f"courselib: {Path('course.yaml/student/exercises/first')}: Not a directory\n",
    )


def test_a_file_error_of_our_own_is_not_made_a_mistake_of_use(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*args: object, **kwargs: object) -> None:
        raise ConnectionError("gone")

    monkeypatch.setattr("courselib.stubs.build", broken)
    monkeypatch.chdir(made.ROOT)
    with pytest.raises(ConnectionError):
        cli.main(["build"])


@pytest.mark.parametrize(
    "argv",
    [["--lang", "bn", "check", "x.py"], ["--lang=bn", "check", "x.py"], ["check", "--lang", "bn", "x.py"], ["check", "x.py", "--lang=bn"]],
)
def test_the_language_may_be_asked_for_anywhere(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], argv: list[str]
) -> None:
    monkeypatch.chdir(root)
    assert told(argv, capsys) == (2, "", "courselib: x নামে কোনো exercise নেই। আছে: first/powers, first/greeting।\n")


@pytest.mark.parametrize(("asked", "argv", "word"), [("", [], "নেই"), ("en", [], "There is"), ("bn", ["--lang", "en"], "There is")])
def test_the_option_outranks_the_environment_and_that_the_course(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], asked: str, argv: list[str], word: str
) -> None:
    monkeypatch.chdir(root)
    monkeypatch.setenv("COURSELIB_LANG", asked)
    assert word in told(["check", "x.py", *argv], capsys)[2]


def test_without_a_command_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = told([], capsys)
    assert (code, err) == (0, "")
    for word in ("grade", "check", "build", "doctor", "release"):
        assert f"\n  {word} " in out


def test_help_is_in_the_language_asked_for_and_in_utf8_whatever_the_terminal() -> None:
    env = {**made.ENVIRONMENT, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
    done = made.command("grade", "--help", "--lang", "bn", cwd=made.ROOT, env=env)
    assert done.returncode == 0
    assert "পুরো class গ্রেড করো" in done.stdout


def test_build_writes_the_stubs_once_and_then_nothing(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(root)
    assert told(["build"], capsys) == (
        0,
        f"written: {Path('exercises/first/powers.py')}\nwritten: {Path('exercises/first/greeting.py')}\n",
        "",
    )
    stubs = {p: p.stat().st_mtime_ns for p in (root / "exercises").rglob("*.py")}
    assert told(["build"], capsys) == (0, "", "")
    assert {p: p.stat().st_mtime_ns for p in (root / "exercises").rglob("*.py")} == stubs


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def lasting(out: Path) -> list[dict[str, Any]]:
    """Return the records of a run without what differs from run to run."""
    records = [json.loads(line) for line in (out / "results.jsonl").read_text(encoding="utf-8").splitlines()]
    return [{k: v for k, v in r.items() if k != "seconds"} for r in records]


@pytest.fixture(scope="module")
def graded(root: Path) -> dict[int, subprocess.CompletedProcess[str]]:
    """Grade the class with one slot and with two."""
    return {jobs: made.command("grade", "class", "--out", f"out{jobs}", "--jobs", jobs, cwd=root) for jobs in (1, 2)}


def test_a_class_is_graded_from_end_to_end(root: Path, graded: dict[int, subprocess.CompletedProcess[str]]) -> None:
    assert "Traceback" not in graded[1].stderr
    assert graded[1].returncode == 0
    assert {p.name for p in (root / "out1").iterdir()} >= {"results.jsonl", "grades.csv", "checks.csv"}
    grades = [[r["student"], *(float(r[c]) for c in NUMBERS), r["status"]] for r in rows(root / "out1" / "grades.csv")]
    assert grades == [
        ["asha", 4, 2, 6, 6, 100, 0, "graded"],
        ["chandan", 0, 0, 0, 6, 0, 0, "graded"],
        ["বীথি", 2, 0, 2, 6, 33.33, 0, "incomplete"],
    ]
    checks = {(r["student"], r["check"]): r["outcome"] for r in rows(root / "out1" / "checks.csv")}
    assert len(checks) == 18
    assert [checks["বীথি", c] for c in ("doubles", "squares", "cubes", "cubes_below_zero", "answers", "greets")] == [
        "passed", "failed", "failed", "failed", "passed", "not_run",
    ]  # fmt: skip
    assert [checks["chandan", c] for c in ("doubles", "squares", "greets")] == ["error", "not_run", "failed"]
    assert all(checks["asha", c] == "passed" for c in ("doubles", "squares", "cubes", "cubes_below_zero", "answers", "greets"))
    assert "asha" in graded[1].stdout
    assert "isolation: " in graded[1].stdout


def test_one_slot_and_two_give_the_same_results(root: Path, graded: dict[int, subprocess.CompletedProcess[str]]) -> None:
    assert graded[2].returncode == 0
    assert lasting(root / "out1") == lasting(root / "out2")
    for name in ("grades.csv", "checks.csv"):
        assert (root / "out1" / name).read_bytes() == (root / "out2" / name).read_bytes()


def test_somebody_who_needs_a_person_is_named_and_the_exit_code_is_1(root: Path, tmp_path: Path) -> None:
    made.write(tmp_path / "class" / "asha" / "greeting.py", "def greet(name): return 'hello ' + name\n")
    made.write(tmp_path / "class" / "dipa" / "greeting.ipynb", '{"cells": [')
    done = made.command("grade", tmp_path / "class", "--out", tmp_path / "out", "--exercise", "greeting", "--jobs", 1, cwd=root)
    assert done.returncode == 1
    assert "1 need a person:\n  dipa · first/greeting: greeting.ipynb:1: the notebook is damaged or cut off" in done.stdout
    assert [r["status"] for r in rows(tmp_path / "out" / "grades.csv")] == ["graded", "unreadable"]


def test_checks_that_their_own_reference_fails_grade_nobody(root: Path, tmp_path: Path) -> None:
    made.course(tmp_path)
    made.write(tmp_path / "solutions" / "first" / "greeting.py", "def greet(name): return 'bye ' + name\n")
    done = made.command("grade", root / "class", "--out", tmp_path / "out", "--exercise", "greeting", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(
        "courselib: greeting.py: the reference solution itself does not pass the check “greet greets by name”"
    )
    assert not (tmp_path / "out").exists()


@pytest.fixture
def endless(tmp_path: Path, root: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Start to grade a class that would take minutes, in a session of its own."""
    for n in range(40):
        made.write(tmp_path / "class" / f"s{n}" / "greeting.py", "def greet(name):\n    while True:\n        pass\n")
    args = ["grade", tmp_path / "class", "--out", tmp_path / "out", "--exercise", "greeting", "--jobs", "2"]
    line = [sys.executable, "-c", INTERRUPTIBLE, *map(str, args)]
    process = subprocess.Popen(line, cwd=root, env=made.ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not stored(tmp_path / "out"):  # a Ctrl-C in the midst of a fork is lost
        time.sleep(0.05)
    yield process
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def children(pid: int) -> set[int]:
    """Return all the processes under `pid`, those of its sandbox included."""
    found = {int(c) for task in Path(f"/proc/{pid}/task").glob("*") for c in (task / "children").read_text().split()}
    return found.union(*(children(c) for c in found))


def alive(pid: int) -> bool:
    """Tell whether a process still runs; one that waits to be reaped does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1][0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("to_all", [False, True], ids=["to the process", "as a terminal does, to all"])
def test_ctrl_c_ends_the_run_with_130_and_leaves_no_process(endless: subprocess.Popen[bytes], to_all: bool) -> None:
    started = children(endless.pid)
    assert len(started) >= RUNNING
    (os.killpg if to_all else os.kill)(endless.pid, signal.SIGINT)
    out, err = endless.communicate(timeout=30)
    assert b"Traceback" not in err, err.decode()
    assert endless.returncode == 130
    assert out == b""
    deadline = time.monotonic() + 5  # the kernel takes a sandbox down behind our back
    while time.monotonic() < deadline and any(map(alive, started)):
        time.sleep(0.05)
    assert [pid for pid in started if alive(pid)] == []
