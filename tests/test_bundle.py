from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from courselib.bundle import leaks, public_checks, write_public
from courselib.checks import CheckFile, load_checks
from courselib.course import load_course
from courselib.stubs import answers_of

COURSE = load_course(Path(__file__).parent)
SOURCE = '''\
"""The title, which may tell too much."""
from __future__ import annotations

import json
import math

from courselib import judge
from courselib.checks import check

OK_FORMAT = False
name = "x"
points = None

OUTER = 2
SECRET_VALUE = 41.5
TABLE = {"a": OUTER}
FILLED: list[int] = []
COUNT = 1


def shared(n: int) -> float:
    return helper(n) + math.floor(1.5)


def helper(n):
    return n * TABLE["a"]


def secret_helper(n):
    return json.dumps(n)


class Limit:
    low = 5


TABLE.update(b=Limit.low)
TABLE["c"] = OUTER + 5
for number in (OUTER, 3):
    FILLED.append(number)
COUNT += OUTER


@check("p", 1, bn="গোপন", en="the secret sentence", hidden=True)
def secret_check(n):
    judge.equal(secret_helper(n), SECRET_VALUE, "n")


@check(
    "p", "1/2",
    bn="খোলা", en="the open sentence",
)
def open_check(n):
    other_check = 7  # called like a hidden check, by chance
    judge.close(shared(n), other_check, "n")
    judge.equal([TABLE["b"], TABLE["c"], FILLED, COUNT], [5, 7, [2, 3], 3], "tables")


@check("p", "1/3", bn="গোপন ২", en="another secret", hidden=True)
def other_check(n): judge.equal(shared(n), "guarded", "n")
'''


@pytest.fixture
def file(tmp_path: Path) -> CheckFile:
    (tmp_path / "x.py").write_text(SOURCE, encoding="utf-8")
    return load_checks(tmp_path / "x.py")


@pytest.fixture
def public(tmp_path: Path, file: CheckFile) -> CheckFile:
    write_public(file, tmp_path / "bundle" / "deep" / "x.py")
    return load_checks(tmp_path / "bundle" / "deep" / "x.py")


def test_hidden_checks_and_what_only_they_use_are_gone(file: CheckFile) -> None:
    text = public_checks(file)
    for word in ("secret", "SECRET", "41.5", "গোপন", "guarded", "json", "title"):
        assert word not in text
    assert text.startswith('"""The public checks')


def test_what_the_open_checks_need_is_there_and_they_run(public: CheckFile) -> None:
    assert [c.id for c in public.checks] == ["open_check"]
    assert public.checks[0].name.bn == "খোলা"
    public.checks[0].run({"n": 3})
    with pytest.raises(AssertionError, match="expected 7, 9 came"):
        public.checks[0].run({"n": 4})


def test_what_is_left_out_still_counts(file: CheckFile, public: CheckFile) -> None:
    assert public.left_out == (Fraction(1), Fraction(1, 3))
    assert public.possible == file.possible == Fraction(11, 6)
    assert public.hidden_count == file.hidden_count == 2


def test_the_bundle_of_a_bundle_gives_nothing_more_away(public: CheckFile, file: CheckFile) -> None:
    assert leaks(public_checks(public), [], file) == []


BLOCKS = [["one = 1", "two = one + 1"], ["answer = 42"]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("x = 1\n\none = 1\nthree = 3\n", []),
        ("def f():\n    one = 1\n\n        two = one + 1\n", ["one = 1 two = one + 1"]),
        ("two = one + 1\none = 1\n", []),
        ("  answer = 42  \n", ["answer = 42"]),
        ("# answer = 42 is not said\n", []),
        ("def secret_check(n):\n", ["secret_check"]),
        ("# the secret sentence\n", ["secret_check"]),
        ("# গোপন ২\n", ["secret_check", "other_check"]),
    ],
)
def test_a_leak_is_two_lines_of_an_answer_a_whole_short_one_or_a_hidden_check(file: CheckFile, text: str, found: list[str]) -> None:
    assert leaks(text, BLOCKS, file) == found


@pytest.mark.parametrize("exercise", COURSE.exercises)
def test_the_students_copy_of_every_exercise_loads_and_leaks_nothing(tmp_path: Path, exercise: str) -> None:
    whole = load_checks(COURSE.tree.checks(exercise))
    write_public(whole, tmp_path / "x.py")
    public = load_checks(tmp_path / "x.py")
    assert [c.id for c in public.checks] == [c.id for c in whole.checks if not c.hidden]
    assert public.possible == whole.possible
    assert public.hidden_count == whole.hidden_count > 0
    text = (tmp_path / "x.py").read_text(encoding="utf-8")
    assert leaks(text, answers_of(COURSE.tree.solution(exercise)), whole) == []
