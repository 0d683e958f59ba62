from __future__ import annotations

import json
from pathlib import Path

import made
import pytest

from courselib import cli, selfcheck
from courselib.course import Course, load_course
from courselib.stubs import build, notebook_of
from courselib.text import in_language
from courselib.trouble import Trouble

# What only Linux, or only Unix, has; sitecustomize takes it away before anything of ours is imported, in every process.
ELSEWHERE = """\
import os, socket, sys
for name in ("resource", "fcntl", "pwd", "grp", "termios", "pty"):
    sys.modules[name] = None
for name in ("fork", "forkpty", "getuid", "geteuid", "setsid", "killpg", "sched_getaffinity", "sched_setaffinity", "O_PATH"):
    if hasattr(os, name):
        delattr(os, name)
for name in ("send_fds", "recv_fds", "socketpair", "AF_UNIX", "SOCK_SEQPACKET"):
    if hasattr(socket, name):
        delattr(socket, name)
with open({log!r}, "a") as log:
    log.write("x")
"""
TROUBLED = """\
import os, sys

def double(n):
    while True:
        pass

def square(n):
    os._exit(0)

def cube(n):
    return n ** 3

answer = 42
"""


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    course = load_course(made.course(tmp_path_factory.mktemp("course")))
    build(course)
    return course


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line.strip() for line in capsys.readouterr().out.splitlines() if line.strip()]


def test_a_right_file_beside_is_found_and_hidden_checks_are_counted_but_not_shown(
    course: Course, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "powers.py").write_text(made.RIGHT, encoding="utf-8")
    (here / "greeting.py").write_text("def greet(name): return f'hello {name}'\n", encoding="utf-8")
    assert selfcheck.check(course, []) == 0
    assert said(capsys) == [
        "first/powers  powers.py",
        "✓ double doubles (1)", "✓ square squares (1)", "✓ cube cubes (0.5)", "✓ answer is right (1)",
        "3.5/3.5 points",
        "1 more checks (0.5 points) run when you hand in.",
        "first/greeting  greeting.py",
        "✓ greet greets by name (2)",
        "2/2 points",
    ]  # fmt: skip


def test_a_loop_and_an_exit_each_cost_their_own_part_and_the_next_parts_go_on(
    course: Course, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(selfcheck, "PATIENCE", 1)
    (here / "powers.py").write_text(TROUBLED, encoding="utf-8")
    assert selfcheck.check(course, [Path("powers.py")]) == 1
    assert said(capsys) == [
        "first/powers  powers.py",
        "✗ double doubles (1)",
        "stopped after 2 seconds without an answer; look for an endless loop.",
        "✗ square squares (1)",
        "your code ended its process (exit 0); look for exit, os._exit, kill or a crash.",
        "✓ cube cubes (0.5)", "✓ answer is right (1)",
        "1.5/3.5 points",
        "1 more checks (0.5 points) run when you hand in.",
        "Think about: How many times n",
    ]  # fmt: skip


def test_a_notebook_is_read_in_bangla_and_a_file_beside_it_does_not_hide_a_library(
    course: Course, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = made.RIGHT.replace("41 + 1", "41").replace("def double", "import helper\ndef double")
    book = notebook_of(text, course.named("powers"), "bn")
    book["cells"] = book["cells"][:-1]  # Otter's own check has tests of its own
    (here / "powers.ipynb").write_text(json.dumps(book), encoding="utf-8")
    (here / "helper.py").write_text("", encoding="utf-8")
    (here / "random.py").write_text("raise SystemExit('not the library')\n", encoding="utf-8")
    with in_language("bn"):
        assert selfcheck.check(course, [Path("powers.ipynb")]) == 1
    assert said(capsys) == [
        "first/powers  powers.ipynb",
        "✓ double দ্বিগুণ করে (1)", "✓ square বর্গ করে (1)", "✓ cube ঘন করে (0.5)",
        "✗ answer ঠিক (1)", "answer: 42 হওয়ার কথা, এসেছে 41।",
        "2.5/3.5 নম্বর",
        "আরও 1টি check (0.5 নম্বর) জমা দেওয়ার পরে চলবে।",
        "ভেবে দেখো: n কতবার",
    ]  # fmt: skip


def test_without_files_beside_the_stubs_of_the_course_are_checked(course: Course, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert selfcheck.check(course, []) == 1
    lines = said(capsys)
    assert f"first/powers  {course.tree.stub('first/powers')}" in lines
    assert "double(3) is not written yet." in lines
    assert "0/3.5 points" in lines
    assert "0/2 points" in lines


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("power.py", "There is no exercise called power. Did you mean powers? There are: first/powers, first/greeting."),
        ("powers.py", "powers.py does not exist."),
    ],
)
def test_a_wrong_name_gives_one_sentence_and_exit_code_2(
    course: Course, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str, sentence: str
) -> None:
    monkeypatch.chdir(course.tree.root)
    with pytest.raises(SystemExit) as end:
        cli.main(["check", name])
    assert end.value.code == 2
    assert capsys.readouterr() == ("", f"courselib: {sentence}\n")


def test_where_there_is_nothing_to_check_one_sentence_says_so(here: Path) -> None:
    bare = load_course(made.course(here / "bare"))
    with pytest.raises(Trouble, match=r"^No file of an exercise is here; name the file"):
        selfcheck.check(bare, [])


@pytest.mark.parametrize("data", [b"", b"\x00\x01"])
def test_a_file_that_cannot_be_read_says_why_and_is_not_full(
    course: Course, here: Path, capsys: pytest.CaptureFixture[str], data: bytes
) -> None:
    (here / "powers.py").write_bytes(data)
    assert selfcheck.check(course, [Path("powers.py")]) == 1
    assert said(capsys)[1].startswith("powers.py: ")


def test_a_process_that_does_not_start_is_told_at_once(course: Course, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selfcheck, "START", "raise SystemExit({port}, {token!r}, {folder!r})")
    (here / "powers.py").write_text(made.RIGHT, encoding="utf-8")
    with pytest.raises(Trouble, match=r"^the process for your code did not start; see whether this works:"):
        selfcheck.check(course, [Path("powers.py")])


def test_it_works_with_no_bubblewrap_and_without_what_windows_and_macos_lack(course: Course, tmp_path: Path) -> None:
    log = tmp_path / "log"
    made.write(tmp_path / "site" / "sitecustomize.py", ELSEWHERE.format(log=str(log)))
    made.write(tmp_path / "powers.py", made.RIGHT.replace("def square", "print('শুভ')\ndef square"))
    env = {
        **made.ENVIRONMENT,
        "PYTHONPATH": str(tmp_path / "site"),
        "PATH": "",
        "PYTHONUTF8": "0",
        "PYTHONCOERCECLOCALE": "0",
        "LC_ALL": "C",
    }
    done = made.command("check", tmp_path / "powers.py", cwd=course.tree.root, env=env)
    assert done.stderr == ""
    assert done.returncode == 0
    assert "3.5/3.5 points" in done.stdout
    assert "✓ double doubles (1)" in done.stdout
    assert log.read_text() == "xx", "checker and worker both ran without"
