"""Each part is graded on the names that its own cells left: the same in a class, on a student's machine and in Otter."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import made
import pytest
from conftest import Grade

from courselib import judge, selfcheck
from courselib.checks import check, load_checks
from courselib.course import Course, load_course
from courselib.parts import parts_of
from courselib.stubs import build, marked, notebook_of

SOLUTION = """\
# %% [markdown]
# # Two parts

# %% [markdown] part="first"
# ## First

# %% part="first"
t = 3  # SOLUTION
net = [1, 2]  # SOLUTION


def size(more):
    return len(net) + more  # SOLUTION


# %% [markdown] part="second"
# ## Second

# %% part="second"
t = 4  # SOLUTION
net = [5, 6, 7]  # SOLUTION
"""
CHECKS = '''\
"""Checks of first/powers."""

from courselib import judge
from courselib.checks import check

OK_FORMAT = False
name = "powers"
points = None


@check("first", 1, bn="t প্রথমে 3", en="t is 3 at first")
def first_t(t):
    judge.equal(t, 3, "t")


@check("first", 1, bn="net প্রথমে 1, 2", en="net is 1, 2 at first")
def first_net(net):
    judge.equal(net, [1, 2], "net")


@check("first", 1, bn="size প্রথম net গোনে", en="size counts the first net")
def first_size(size):
    judge.equal(size(1), 3, "size(1)")


@check("second", 1, bn="t পরে 4", en="t is 4 later")
def second_t(t):
    judge.equal(t, 4, "t")


@check("second", 1, bn="net পরে 5, 6, 7", en="net is 5, 6, 7 later")
def second_net(net):
    judge.equal(net, [5, 6, 7], "net")


@check("second", 1, bn="size শেষের net গোনে", en="size counts the second net")
def second_size(size):
    judge.equal(size(1), 4, "size(1)")
'''
FIRST = "t = 3\nnet = [1, 2]\ndef size(more): return len(net) + more\n"
SECOND = "t = 4\nnet = [5, 6, 7]\n"
SETUP = "import otter\ngrader = otter.Notebook(tests_dir='autograder')\n"
STUB = "t = ...\nnet = ...\ndef size(more):\n    raise NotImplementedError\n"
ALL = {"first_t", "first_net", "first_size", "second_t", "second_net", "second_size"}
FINAL = {"second_t", "second_net", "second_size"}

Part = tuple[str, str]  # the part that a cell is marked with, and its source


def book(*cells: str | Part) -> bytes:
    told = [("", c) if isinstance(c, str) else c for c in cells]
    made_cells = [{"cell_type": "code", "metadata": {"part": p} if p else {}, "source": s} for p, s in told]
    return json.dumps({"cells": made_cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def question(part: str, *more: str) -> str:
    return "\n".join([*more, f"grader.check('first/powers/{part}')"])


BOOKS: dict[str, tuple[bytes, set[str]]] = {
    "checked": (book(SETUP, FIRST, question("first"), SECOND, question("second")), ALL),
    "checked in the same cell": (book(SETUP, question("first", FIRST), question("second", SECOND)), ALL),
    "checked by the part's bare name": (book(SETUP, FIRST, "grader.check('first')", SECOND), ALL),
    "marked": (book(("first", FIRST), ("second", SECOND)), ALL),
    "marked, with a new cell in the part": (book(("first", "t = 0"), FIRST, ("second", "0"), SECOND), ALL),
    "marked, the second part first": (book(("second", f"{FIRST}\n{SECOND}"), ("first", FIRST)), ALL),
    "its own check outranks the end of its cells": (book(SETUP, ("first", FIRST), question("first"), "t = 7", ("second", SECOND)), ALL),
    "neither": (book(FIRST, SECOND), FINAL),
    "checked as a whole": (book(SETUP, FIRST, SECOND, "grader.check('first/powers')"), FINAL),
    "answered below the check": (
        book(SETUP, ("first", STUB), question("first"), ("second", SECOND.replace("net", "other")), FIRST, "t = 4"),
        {"first_net", "first_size", "second_t"},
    ),
    "a helper at the end": (
        book(SETUP, FIRST.replace("len(net)", "count(net)"), question("first"), SECOND, "def count(x): return len(x)"),
        ALL,
    ),
    "changed in place": (book(SETUP, FIRST, question("first"), "net[:] = [5, 6, 7]\nt = 4"), ALL - {"first_size"}),
    "repaired, and checked again": (book(SETUP, "t = 1", question("first"), FIRST, question("first"), SECOND), ALL),
    "checked without a grader": (book(FIRST, question("first"), SECOND), FINAL),
    "a script": (b"", FINAL),
}
SCRIPT = f"{SETUP}{FIRST}{SECOND}".encode()


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    root = made.course(tmp_path_factory.mktemp("parts"))
    made.write(root / "solutions/first/powers.py", SOLUTION)
    made.write(root / "autograder/first/powers.py", CHECKS)
    course = load_course(root)
    build(course)
    return course


def passed(record: Any) -> set[str]:
    return {v.id for v in record.checks if v.outcome == "passed"}


@pytest.mark.parametrize("kind", BOOKS)
def test_each_part_is_graded_on_what_its_own_cells_left(put: Grade, course: Course, kind: str) -> None:
    data, right = BOOKS[kind]
    checks = load_checks(course.tree.checks("first/powers")).checks
    assert passed(put(data or SCRIPT, *checks, name="powers.ipynb" if data else "powers.py")) == right


@pytest.mark.parametrize("kind", ["checked", "marked", "neither", "answered below the check"])
def test_a_students_own_check_says_the_same(course: Course, tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    data, right = BOOKS[kind]
    (tmp_path / "powers.ipynb").write_bytes(data)
    selfcheck.check(course, [tmp_path / "powers.ipynb"])
    assert capsys.readouterr().out.count("✓") == len(right)


def test_a_failed_check_says_that_a_later_cell_has_changed_the_name(put: Grade) -> None:
    @check("first", 1, bn="t ঠিক", en="t is right")
    def first_t(t: object) -> None:
        judge.equal(t, 3, "t")

    record = put(book(SETUP, "t = 1", "grader.check('first')", "t = 3"), first_t, name="n.ipynb")
    assert record.checks[0].message == (
        "t: expected 3, 1 came. (Graded is t as it stood at the end of the part first; a later cell has changed it.)"
    )
    plain = put(book(SETUP, "t = 1", "grader.check('first')"), first_t, name="n.ipynb")
    assert plain.checks[0].message == "t: expected 3, 1 came."


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("x = iter([1, 2])", [1, 2]),
        ("x = (n for n in (1, 2))", [1, 2]),
        ("x = {1: [2]}", {1: [2]}),
        ("x = [1]\nx.append(x[0] + 1)", [1, 2]),
    ],
)
def test_a_value_is_read_once_and_stays_as_it_was(put: Grade, source: str, value: object) -> None:
    def asks(part: str) -> Any:
        def body(x: object) -> None:
            judge.equal(x, value, "x")

        body.__name__ = f"in_{part}"
        return check(part, 1, bn="x ঠিক", en="x is right")(body)

    record = put(book(SETUP, source, "grader.check('a')", "1", "grader.check('b')"), *map(asks, "abc"), name="n.ipynb")
    assert passed(record) == {"in_a", "in_b", "in_c"}


def test_what_a_parts_functions_bind_stays_with_the_part(put: Grade) -> None:
    def asks(part: str, turn: int) -> Any:
        def body(count: Callable[[], int]) -> None:
            judge.equal(count(), turn, "count()")

        body.__name__ = f"{part}{turn}"
        return check(part, 1, bn="গোনে", en="counts up")(body)

    source = "n = 0\ndef count():\n    global n\n    n += 1\n    return n\n"
    cells = book(SETUP, source, "grader.check('a')", "n = 10", "grader.check('b')")
    record = put(cells, *(asks(p, n) for p, n in (("a", 1), ("b", 11), ("a", 2), ("b", 12), ("c", 11))), name="n.ipynb")
    assert all(v.outcome == "passed" for v in record.checks)


def test_a_cell_belongs_to_the_nearest_mark_at_or_above_it() -> None:
    cells: list[Any] = [
        {},
        {"metadata": {"part": "a"}},
        {"metadata": {}},
        {"metadata": {"part": "b"}},
        {"metadata": {"part": 3}},
        "x",
        {"metadata": None},
    ]
    assert parts_of(cells) == ["", "a", "a", "b", "b", "b", "b"]


def test_a_notebook_checks_each_part_after_its_last_cell(course: Course) -> None:
    assert marked(SOLUTION) == ["first", "second"]
    cells = notebook_of(SOLUTION, course.exercises["first/powers"], "en", "../checks")["cells"]
    assert [c["source"].splitlines()[-1] for c in cells] == [
        "# Two parts", 'grader = otter.Notebook(tests_dir="../checks")',
        "## First", "    return len(net) + more  # SOLUTION", 'grader.check("first/powers/first")',
        "## Second", "net = [5, 6, 7]  # SOLUTION", 'grader.check("first/powers/second")',
    ]  # fmt: skip
