from __future__ import annotations

from pathlib import Path

import pytest

from courselib.course import Course, load_course
from courselib.trouble import Trouble

ROOT = Path(__file__).parent.parent
GOOD = """\
title: {bn: ক, en: a}
units:
  second: {title: {bn: খ, en: b}, exercises: {zeta: {hint: {bn: গ, en: c}}, alpha: {hint: {bn: ঘ, en: d}, seconds: 2.5}}}
  first: {title: {bn: ঙ, en: e}, exercises: {x1: {hint: {bn: চ, en: f}, seconds: 600}}}
"""


def load(folder: Path, text: str) -> Course:
    (folder / "course.yaml").write_text(text, encoding="utf-8")
    return load_course(folder)


def trouble(folder: Path, text: str) -> str:
    with pytest.raises(Trouble) as caught:
        load(folder, text)
    return str(caught.value)


def test_the_real_course_loads_from_anywhere_in_it() -> None:
    course = load_course(ROOT / "src" / "courselib")
    assert list(course.exercises) == ["memory/memory_arithmetic", "timing/cuda_ms", "precision/dtype_prediction", "training/step_ordering"]
    assert course.manifest.language == "bn"
    for exercise in course.exercises.values():
        assert course.tree.solution(exercise.id).is_file()
        assert course.tree.checks(exercise.id).is_file()
        assert exercise.hint.bn != exercise.hint.en


def test_exercises_come_in_teaching_order_with_their_hints_and_limits(tmp_path: Path) -> None:
    course = load(tmp_path, GOOD)
    assert [(e.id, e.name, e.hint.bn, e.hint.en, e.seconds) for e in course.exercises.values()] == [
        ("second/zeta", "zeta", "গ", "c", 10), ("second/alpha", "alpha", "ঘ", "d", 2.5), ("first/x1", "x1", "চ", "f", 600),
    ]  # fmt: skip
    assert course.manifest.title.text.en == "a"
    assert course.tree.root == tmp_path.resolve()


@pytest.mark.parametrize("name", ["alpha", "second/alpha"])
def test_an_exercise_is_known_with_and_without_its_unit(tmp_path: Path, name: str) -> None:
    assert load(tmp_path, GOOD).named(name).id == "second/alpha"


@pytest.mark.parametrize(
    ("name", "hint"),
    [("alhpa", " Did you mean alpha?"), ("second/alfa", " Did you mean second/alpha?"), ("wholly different", ""), ("", "")],
)
def test_an_unknown_name_is_told_with_the_one_that_looks_like_it(tmp_path: Path, name: str, hint: str) -> None:
    with pytest.raises(Trouble) as caught:
        load(tmp_path, GOOD).named(name)
    assert str(caught.value) == f"There is no exercise called {name}.{hint} There are: second/zeta, second/alpha, first/x1."


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ("seconds: 2.5", "secodns: 2.5", "course.yaml:3:", "unknown key secodns. Did you mean seconds?"),
        ("seconds: 2.5", "seconds: 0", "course.yaml:3:", "seconds"),
        ("seconds: 2.5", "seconds: 601", "course.yaml:3:", "seconds"),
        ("seconds: 2.5", "seconds: fast", "course.yaml:3:", "seconds"),
        ("seconds: 2.5", "seconds: 1:30", "course.yaml:3:", "seconds"),
        ("seconds: 600", "points: 3", "course.yaml:4:", "unknown key points"),
        ("x1:", "X1:", "course.yaml:4:", "X1"),
        ("x1:", "../x:", "course.yaml:4:", "../x"),
        ("x1:", "x:", "course.yaml:4:", "units.first.exercises.x"),
        ("en: e}", "en: ''}", "course.yaml:4:", "en"),
        ("en: e}", "en: }", "course.yaml:4:", "en"),
        ("bn: ঙ, en: e", "bn: ঙ", "course.yaml:4:", "units.first.title.en is missing"),
        ("first:", "second:", "course.yaml:4:3", "second stands twice"),
        ("title: {bn: ক, en: a}\n", "title: {bn: ক, en: a}\nlanguage: fr\n", "course.yaml:2:11", "language"),
        ("title: {bn: ক, en: a}\n", "", "course.yaml:1:1", "title is missing"),
        (GOOD, "title: {bn: ক, en: a}\nunits: {}\n", "course.yaml:2:8", "units"),
        (GOOD, "", "course.yaml", "the file is empty"),
        (GOOD, "just words", "course.yaml:1:1", ""),
    ],
)
def test_every_fault_of_the_manifest_has_its_place(tmp_path: Path, old: str, new: str, place: str, words: str) -> None:
    assert old in GOOD
    told = trouble(tmp_path, GOOD.replace(old, new, 1))
    assert told.startswith(place)
    assert words in told


def test_two_exercises_of_one_name_are_refused_though_their_units_differ(tmp_path: Path) -> None:
    told = trouble(tmp_path, GOOD.replace("x1:", "alpha:"))
    assert told == "course.yaml: second/alpha and first/alpha have one name; rename one."


def test_a_title_that_yaml_would_turn_into_something_else_stays_text(tmp_path: Path) -> None:
    course = load(tmp_path, GOOD.replace("{bn: ক, en: a}", "{bn: no, en: 12:30}"))
    assert (course.manifest.title.bn, course.manifest.title.en) == ("no", "12:30")
