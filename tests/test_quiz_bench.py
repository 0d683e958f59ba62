"""An answer sheet beside the exercises is graded into the same record, by the student's own variants."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import made
import made_quiz
import pytest

from courselib.course import load_course
from courselib.grader import Work, grade, here
from courselib.quiz.bench import QuizBench, bench
from courselib.quiz.variants import variant_of
from courselib.text import in_language

COURSE = """\
title: {bn: ক, en: A}
units: {unit: {title: {bn: ক, en: A}, exercises: {one: {hint: {bn: ক, en: A}}}}}
quizzes: {practice: {}, counts: {graded: true, due: 2026-12-01 23:59 Asia/Dhaka}}
"""
RIGHT: dict[str, Any] = {
    "async": "early",
    "kept": ["weight", "loss"],
    "step": ["move", "zero", "forward", "backward", "update"],
    "types": {"h": "float16", "loss": "float32", "layer.weight.grad": "float32"},
    "conv": "(8, 16, 30, 30)",
}
KEYS = ("762.9", "106.8", "381.5")


@pytest.fixture
def course(tmp_path: Path) -> Path:
    made.write(tmp_path / "course" / "course.yaml", COURSE)
    for name in ("practice", "counts"):
        made.write(tmp_path / "course" / "quizzes" / f"{name}.yaml", made_quiz.text(*made_quiz.ALL))
    return tmp_path / "course"


@pytest.fixture
def counts(course: Path) -> QuizBench:
    return bench(course / "quizzes" / "counts.yaml")


def sheet(student: str, **other: Any) -> bytes:
    mine = KEYS[variant_of("counts", "memory", student, 3)]
    return json.dumps({"quiz": "counts", "answers": {**RIGHT, "memory": mine, **other}}, ensure_ascii=False).encode()


def record(counts: QuizBench, data: bytes | None, student: str = "s01", file: str = "counts.json") -> Any:
    with in_language("en"):
        return grade(Work(student, "quizzes/counts", file, data), counts, None, here("namespaces"))  # type: ignore[arg-type]


def test_a_right_sheet_has_full_marks_and_a_check_for_each_question_that_counts(counts: QuizBench) -> None:
    mine = record(counts, sheet("s01"))
    assert (mine.status, mine.score, mine.possible, mine.deferred) == ("graded", 7, 7, 0)
    assert [c.id for c in mine.checks] == ["async", "kept", "memory", "step", "types", "conv"]
    assert {c.outcome for c in mine.checks} == {"passed"}
    assert mine.checks[2].name == "How many MB for 50,000,000 parameters?"


def test_part_marks_are_exact_and_rounded_once(counts: QuizBench) -> None:
    mine = record(counts, sheet("s01", types={"h": "float16"}, step=["move", "forward", "backward", "zero", "update"], kept=["loss"]))
    assert [c.earned for c in mine.checks] == [1, 1, 1, 0.666667, 0.333333, 1]
    assert mine.score == 5
    assert [c.outcome for c in mine.checks] == ["passed", "failed", "passed", "failed", "failed", "passed"]
    assert mine.checks[3].message == "Partly right. Move “`backward()`” below “`zero_grad()`”."


def test_the_numbers_of_another_student_are_wrong(counts: QuizBench) -> None:
    students = [f"s{n:02}" for n in range(12)]
    for other in students:
        mine = record(counts, sheet(other), "s00")
        same = variant_of("counts", "memory", other, 3) == variant_of("counts", "memory", "s00", 3)
        assert (mine.score == 7) == same


def test_what_is_left_open_or_cannot_be_read_earns_nothing_and_says_so(counts: QuizBench) -> None:
    mine = record(counts, sheet("s01", conv="", memory="nan"))
    assert mine.score == 5
    assert [c.message for c in mine.checks if c.outcome == "failed"] == [
        "The answer could not be read. Not nan or inf: write an ordinary number.",
        "Not answered.",
    ]


def unlike(student: str, form: str) -> str:
    """Return the id of somebody with other numbers."""
    mine = variant_of("counts", "memory", student, 3)
    return next(name for n in range(10) if variant_of("counts", "memory", name := form.format(n), 3) != mine)


def stranger(written: str, answers_of: str) -> bytes:
    return json.dumps({**json.loads(sheet(answers_of)), "student": written}).encode()


def test_an_id_typed_another_way_is_the_same_student(counts: QuizBench) -> None:
    for student, written in (("s01", " S01 "), ("2105001", "২১০৫০০১"), ("\u09af\u09bc", "\u09df"), ("রহিম", "রহিম")):
        mine = record(counts, stranger(written, student), student)
        assert (mine.score, mine.message) == (7, "")


def test_a_sheet_that_names_another_student_is_marked_by_the_folder_and_says_so(counts: QuizBench) -> None:
    friend = unlike("s00", "s0{}")
    mine = record(counts, stranger(friend, friend), "s00")
    assert (mine.status, mine.score) == ("graded", 6)
    assert mine.message == (f"The sheet names the student “{friend}”, but it was handed in as s00's; it is marked by the numbers of s00.")
    (evidence,) = mine.tamper  # what the friend's numbers would give is for the instructor alone
    assert (evidence.where, evidence.what.en) == (
        "counts.json",
        f"the sheet names the student “{friend}”; by the numbers of s00 it has 6 of 7, by those of “{friend}” it would have 7",
    )
    assert record(counts, stranger("<b>\x1b[1m" + "x" * 5000, "s00"), "s00").score == 7


def test_an_id_that_the_class_list_knows_is_the_students_own(counts: QuizBench) -> None:
    friend = unlike("karim_77", "2105{}")
    work = Work("karim_77", "quizzes/counts", "counts.json", stranger(friend, friend), ids=("77", friend))
    with in_language("en"):
        mine = grade(work, counts, None, here("namespaces"))  # type: ignore[arg-type]
    assert mine.score == 7
    assert mine.message == (
        f"The sheet's own id is “{friend}”, which the class list gives to karim_77 too: it is marked by the numbers of that id."
    )


def test_answers_that_could_not_be_read_are_named(counts: QuizBench) -> None:
    assert record(counts, sheet("s01", conv="?")).message == "One answer could not be read: conv."
    assert record(counts, sheet("s01", conv="?", memory="x")).message == "2 answers could not be read: memory, conv."


@pytest.mark.parametrize(
    ("data", "file", "status", "said"),
    [
        (None, "", "not_submitted", "nothing was handed in."),
        (b"{", "counts.json", "unreadable", "counts.json:1:2: this JSON is damaged or cut off"),
        (b'{"quiz": "practice", "answers": {}}', "counts.json", "unreadable", "this sheet answers the quiz practice, not counts."),
        (b"\xff\xfe", "counts.yaml", "unreadable", "counts.yaml: not UTF-8 (byte 0)."),
        (b" " * 2_000_000, "counts.json", "unreadable", "counts.json: 2000000 bytes; at most 1000000."),
    ],
)
def test_what_is_no_sheet(counts: QuizBench, data: bytes | None, file: str, status: str, said: str) -> None:
    mine = record(counts, data, file=file)
    assert (mine.status, mine.score, mine.possible) == (status, 0, 7)
    assert said in mine.message
    assert {c.outcome for c in mine.checks} == {"not_run"}


def test_a_course_hands_in_its_exercises_and_the_quizzes_that_count(course: Path) -> None:
    assert list(load_course(course).assigned) == ["unit/one", "quizzes/counts"]
    assert list(load_course(course).due) == ["quizzes/counts"]


def test_a_class_is_graded_with_its_sheets(course: Path, tmp_path: Path) -> None:
    klass = tmp_path / "class"
    (klass / "s01").mkdir(parents=True)
    (klass / "s01" / "counts (1).json").write_bytes(sheet("s01"))
    made.write(klass / "s02" / "sub" / "Counts.yaml", "quiz: counts\nanswers: {async: fast, conv: ৮×১৬×৩০×৩০}\n")
    made.write(klass / "s03" / "practice.json", '{"quiz": "practice", "answers": {}}')
    made.write(klass / "s05" / "counts.json", sheet("2105005").decode().replace("{", '{"student": "2105005", ', 1))
    made.write(tmp_path / "roster.csv", "student id,username\n" + "".join(f"s0{n},210500{n}\n" for n in range(1, 6)))
    made.write(klass / "s04" / "counts.json", "{}")
    made.write(klass / "s04" / "counts.yaml", "quiz: counts")
    done = made.command(
        "grade", klass, "--out", tmp_path / "out", "--exercise", "counts", "--lang", "en", "--roster", tmp_path / "roster.csv", cwd=course
    )
    assert done.returncode == 1, done.stderr
    with (tmp_path / "out" / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = {r["student"]: (r["quizzes/counts"], r["possible"], r["status"]) for r in csv.DictReader(file)}
    assert rows == {
        "s01": ("7", "7", "graded"),
        "s02": ("1", "7", "graded"),
        "s03": ("0", "7", "not_submitted"),
        "s04": ("0", "7", "refused"),
        "s05": ("7", "7", "graded"),
    }
    page = (tmp_path / "out" / "students" / "s02.html").read_text(encoding="utf-8")
    assert "No GPU is that fast." in page
    assert "A launch is asynchronous." not in page
