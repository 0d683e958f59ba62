from __future__ import annotations

import importlib
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from courselib import checks
from courselib.checks import Check, CheckFile, Missing, check, load_checks
from courselib.judge import Wrong
from courselib.proxy import Proxy
from courselib.text import in_language

SOURCE = """
from courselib import judge
from courselib.checks import check

OK_FORMAT = False
name = "x"
points = None


@check("one", 1, bn="f দ্বিগুণ করে", en="f doubles")
def doubles(f):
    judge.close(f(2), 4, "f(2)")


@check("one", "1/2", bn="n ঠিক", en="n is right", hidden=True)
def n_is_three(n):
    judge.equal(n, 3, "n")


@check("two", 2, bn="GPU-তে চলে", en="f runs on a GPU", requires="cuda")
def on_gpu(f):
    f(1)
"""


@pytest.fixture(scope="module")
def test_files() -> Any:
    """Otter's test files, imported once and out of sight until a test asks for them."""
    before = sys.modules.get("otter.test_files")
    module = importlib.import_module("otter.test_files")
    if before is None:
        del sys.modules["otter.test_files"]
    return module


@pytest.fixture
def otter(test_files: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setitem(sys.modules, "otter.test_files", test_files)
    return test_files


@pytest.fixture
def no_otter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "otter.test_files", raising=False)


@pytest.fixture
def gpu(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(checks.REQUIREMENTS, "cuda", lambda: request.param)


@pytest.fixture
def file(tmp_path: Path, no_otter: None) -> CheckFile:
    (tmp_path / "x.py").write_text(SOURCE, encoding="utf-8")
    return load_checks(tmp_path / "x.py")


def test_a_file_gives_its_checks_in_order_with_all_that_was_said_of_them(file: CheckFile) -> None:
    told = [(c.id, c.part, c.points, c.hidden, c.requires, c.needs) for c in file.checks]
    assert told == [
        ("doubles", "one", Fraction(1), False, None, ("f",)),
        ("n_is_three", "one", Fraction(1, 2), True, None, ("n",)),
        ("on_gpu", "two", Fraction(2), False, "cuda", ("f",)),
    ]
    assert (file.checks[0].name.bn, file.checks[0].name.en) == ("f দ্বিগুণ করে", "f doubles")
    assert (file.possible, file.hidden_count) == (Fraction(7, 2), 1)


def test_what_a_students_copy_leaves_out_still_counts(tmp_path: Path, no_otter: None) -> None:
    (tmp_path / "x.py").write_text(SOURCE + 'left_out = ["1/3", "2"]\n', encoding="utf-8")
    file = load_checks(tmp_path / "x.py")
    assert file.left_out == (Fraction(1, 3), Fraction(2))
    assert (file.possible, file.hidden_count) == (Fraction(35, 6), 3)


def test_thirds_add_up_exactly(no_otter: None) -> None:
    made = [check("p", "1/3", bn="", en="")(lambda: None) for _ in range(3)]
    assert CheckFile(Path("x"), tuple(made)).possible == 1


def test_a_check_is_given_just_the_names_that_it_needs(file: CheckFile) -> None:
    names = {"f": lambda x: 2 * x, "n": 4, "g": 0}
    file.checks[0].run(names)
    with pytest.raises(Wrong, match="n: expected 3, 4 came"):
        file.checks[1].run(names)


@pytest.mark.parametrize(
    ("present", "hint"),
    [({}, ""), ({"wieght": 1, "_weight": 2}, " Did you mean wieght?"), ({"_weight": 2}, ""), ({"other": 1}, "")],
)
def test_a_missing_name_is_told_with_the_one_that_looks_like_it(present: dict[str, int], hint: str, no_otter: None) -> None:
    made: Check = check("p", 1, bn="", en="")(lambda weight: None)
    with pytest.raises(Missing) as caught:
        made.run(present)
    assert str(caught.value) == f"weight is not defined in your file; keep the stub's name exactly.{hint}"
    with in_language("bn"):
        assert str(caught.value).startswith("weight তোমার ফাইলে নেই")


def test_a_name_that_holds_none_is_there(no_otter: None) -> None:
    seen: list[object] = []
    check("p", 1, bn="", en="")(lambda n: seen.append(n)).run({"n": None})
    assert seen == [None]


@pytest.mark.parametrize(("gpu", "deferred"), [(True, False), (False, True)], indirect=["gpu"])
def test_a_check_is_deferred_where_the_machine_lacks_what_it_requires(gpu: None, deferred: bool, file: CheckFile) -> None:
    assert [c.deferred for c in file.checks] == [False, False, deferred]


@pytest.mark.parametrize("gpu", [True, False], indirect=True)
def test_a_file_loads_the_same_where_otter_is_there(gpu: None, tmp_path: Path, file: CheckFile, otter: Any) -> None:
    again = load_checks(tmp_path / "x.py")
    assert [(c.id, c.points, c.hidden) for c in again.checks] == [(c.id, c.points, c.hidden) for c in file.checks]


def under_otter(otter: Any, source: str, **names: object) -> Any:
    made = otter.ExceptionTestFile.from_string(source, path="x.py")
    made.run(names)
    return made


@pytest.mark.parametrize(("gpu", "possible"), [(True, 3.5), (False, 1.5)], indirect=["gpu"])
def test_under_otter_the_total_leaves_out_only_what_this_machine_cannot_run(gpu: None, possible: float, otter: Any) -> None:
    made = under_otter(otter, SOURCE, f=lambda x: 2 * x, n=3)
    assert (made.score, made.possible) == (possible, possible)
    assert made.passed_all


@pytest.mark.parametrize("gpu", [False], indirect=True)
@pytest.mark.parametrize(
    ("names", "score", "words"),
    [
        ({"f": lambda x: 2 * x, "n": 4}, 1, ["n: expected 3, 4 came."]),
        ({"f": lambda x: 3 * x, "n": 3}, 0.5, ["f(2): expected 4, 6 came."]),
        ({"n": 3}, 0.5, ["f is not defined in your file"]),
        ({"f": lambda x: exit(), "n": 3}, 0.5, ["f(2): your code stopped with SystemExit"]),
        ({"f": lambda x: float("nan")}, 0, ["f(2): nan is not a finite number.", "n is not defined in your file"]),
    ],
)
def test_under_otter_each_check_fails_alone_with_its_sentence(
    gpu: None, otter: Any, names: dict[str, object], score: float, words: list[str]
) -> None:
    made = under_otter(otter, SOURCE, **names)
    assert (made.score, made.possible) == (score, 1.5)
    failed = [r.message for r in made.test_case_results if not r.passed]
    assert len(failed) == len(words)
    assert all(word in message for word, message in zip(words, failed, strict=True))


def test_under_otter_a_check_holds_proxies_and_plain_values_as_behind_the_wall(otter: Any) -> None:
    seen: list[object] = []
    check("p", 1, bn="", en="")(lambda f, n: seen.extend([f, n])).call_func({"f": len, "n": (1, 2)})
    assert isinstance(seen[0], Proxy)
    assert seen[1] == (1, 2)


def test_under_otter_a_failure_shows_no_line_of_another_check(otter: Any) -> None:
    secrets = "".join(f"# secret {i}\n" for i in range(1000))  # Otter shows the line that raised, by its number
    made = under_otter(otter, SOURCE + secrets, f=lambda x: x, n=3)
    message = next(r.message for r in made.test_case_results if not r.passed)
    assert "secret" not in message
    assert 'judge.close(f(2), 4, "f(2)")' in message
