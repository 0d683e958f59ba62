from __future__ import annotations

from pathlib import Path

import pytest

from courselib.course import Course, load_course
from courselib.moments import written
from courselib.policy import Policy
from courselib.text import in_language
from courselib.trouble import Trouble

ROOT = Path(__file__).parent.parent
GOOD = """\
title: {bn: ক, en: a}
units:
  second: {title: {bn: খ, en: b}, exercises: {zeta: {hint: {bn: গ, en: c}}, alpha: {hint: {bn: ঘ, en: d}, seconds: 2.5}}}
  first: {title: {bn: ঙ, en: e}, exercises: {x1: {hint: {bn: চ, en: f}, seconds: 600}}}
"""
DUE = "due: 2026-12-01 23:59 Asia/Dhaka"


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
        ("seconds: 600", "due: 2026-12-01 23:59", "course.yaml:4:78", "due: 2026-12-01 23:59: the zone is missing; write"),
        ("seconds: 600", "due: tomorrow", "course.yaml:4:", "write the time like 2026-12-01 23:59 Asia/Dhaka."),
        ("seconds: 600", "due: [2026-12-01 23:59 UTC]", "course.yaml:4:", "write the time like"),
        ("seconds: 600", "due: 2026-12-01 23:59 Asia/Daka", "course.yaml:4:", "Did you mean Asia/Dhaka?"),
        (
            "seconds: 600",
            f"{DUE}, late: {{grace: 15 min}}",
            "course.yaml:4:",
            "late: give exactly one of points_per_day and percent_per_day.",
        ),
        ("seconds: 600", f"{DUE}, late: {{points_per_day: 1, percent_per_day: 1}}", "course.yaml:4:", "give exactly one of"),
        (
            "seconds: 600",
            f"{DUE}, late: {{points_per_day: 1, grace: 1 day}}",
            "course.yaml:4:",
            "late.grace: 1 day: write it like “15 min” or “2 h”.",
        ),
        ("seconds: 600", f"{DUE}, late: {{point_per_day: 1}}", "course.yaml:4:", "unknown key point_per_day. Did you mean points_per_day?"),
        ("seconds: 600", f"{DUE}, late: {{points_per_day: -1}}", "course.yaml:4:", "late.points_per_day"),
        ("seconds: 600", "late: {points_per_day: 1}", "course.yaml: first/x1: there is late but no due;", ""),
        ("title: {bn: ক, en: a}\n", "title: {bn: ক, en: a}\nlate: {points_per_day: 1}\n", "course.yaml: there is late but no due;", ""),
        ("title: {bn: ক, en: a}\n", "title: {bn: ক, en: a}\ndue: 2026-12-01\n", "course.yaml:2:6", "write the time like"),
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


def test_a_due_time_and_a_late_policy_are_the_courses_or_an_exercises_own_and_null_is_none(tmp_path: Path) -> None:
    own = "due: 2026-12-05 12:00+06:00, late: {points_per_day: 0.5, grace: 2 h, most_days: 3}"
    text = GOOD.replace("units:", f"{DUE}\nlate: {{percent_per_day: 10}}\nunits:").replace("seconds: 600", own)
    course = load(tmp_path, text.replace("seconds: 2.5", "due: null"))
    assert {e.id: (e.due and written(e.due), e.late) for e in course.exercises.values()} == {
        "second/zeta": ("2026-12-01 23:59 Asia/Dhaka", Policy(percent_per_day=10)),
        "second/alpha": (None, Policy(percent_per_day=10)),
        "first/x1": ("2026-12-05 12:00+06:00", Policy(points_per_day=0.5, grace="2 h", most_days=3)),
    }
    assert list(course.due) == ["second/zeta", "first/x1"]
    assert load(tmp_path, GOOD).due == {}


def test_a_fault_of_a_due_time_is_told_in_the_language_of_the_moment(tmp_path: Path) -> None:
    with in_language("bn"):
        told = trouble(tmp_path, GOOD.replace("seconds: 600", "due: 2026-12-01 23:59"))
    assert "কোন zone-এর সময় তা নেই" in told


def test_two_exercises_of_one_name_are_refused_though_their_units_differ(tmp_path: Path) -> None:
    told = trouble(tmp_path, GOOD.replace("x1:", "alpha:"))
    assert told == "course.yaml: second/alpha and first/alpha have one name; rename one."


def test_a_title_that_yaml_would_turn_into_something_else_stays_text(tmp_path: Path) -> None:
    course = load(tmp_path, GOOD.replace("{bn: ক, en: a}", "{bn: no, en: 12:30}"))
    assert (course.manifest.title.bn, course.manifest.title.en) == ("no", "12:30")
