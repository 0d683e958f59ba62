from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from courselib.record import Machine, Record, Verdict
from courselib.reports import CHECK_COLUMNS, deferred_line, status, write_reports
from courselib.results import Results

EXERCISES = ["u/one", "u/two"]
MACHINE = Machine(torch="2", python="3", system="x", device="cpu", isolation="process")
HEADER = ["student", "u/one", "u/two", "total", "possible", "percent", "deferred", "status", "penalty"]


def verdict(outcome: Any = "passed", earned: float = 1, **told: Any) -> Verdict:
    return Verdict(**{"id": "a", "name": "n", "part": "p", "outcome": outcome, "earned": earned, "points": 1, "hidden": False} | told)


def record(student: str, exercise: str = "u/one", score: float = 1, *checks: Verdict, **told: Any) -> Record:
    plain: dict[str, Any] = {"status": "graded", "possible": 2, "deferred": 0, "checks": checks or (verdict(),), "machine": MACHINE}
    return Record(student=student, exercise=exercise, score=score, **plain | told)


def nothing(student: str, exercise: str) -> Record:
    return record(student, exercise, 0, verdict("not_run", 0), status="not_submitted", message="nothing was handed in.")


def tables(folder: Path, *records: Record) -> tuple[list[list[str]], list[list[str]]]:
    """Write the reports and read them back as another program would."""
    results = Results(folder)
    for each in records:
        results.add(each)
    results.finish(EXERCISES)
    write_reports(folder, EXERCISES)
    return rows(folder / "grades.csv"), rows(folder / "checks.csv")


def rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize(
    "name", ["Doe, Jr.", 'A "B" C', "two\nlines", "a\r\nb", "0042", "1e5", "00123456789012345", " space ", "রহিম", "a;b", "\u00a0x"]
)
def test_names_of_every_kind_come_back_whole_in_their_own_column(tmp_path: Path, name: str) -> None:
    grades, checks = tables(tmp_path, record(name), record(name, "u/two", 0.5, verdict(message=f"{name},\n{name}")))
    assert grades == [HEADER, [name, "1", "0.5", "1.5", "4", "37.5", "0", "graded", ""]]
    assert checks[0] == list(CHECK_COLUMNS)
    assert [row[0] for row in checks[1:]] == [name, name]
    assert checks[2] == [name, "u/two", "a", "n", "p", "passed", "1", "1", "False", "", f"{name},\n{name}", "", ""]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@sum", "\t=1", "\r=1"])
def test_no_students_text_runs_as_a_formula(tmp_path: Path, name: str) -> None:
    grades, checks = tables(tmp_path, record(name, "u/one", 1, verdict(message=name)))
    assert grades[1][0] == checks[1][0] == checks[1][-3] == f"'{name}"


def test_a_spreadsheet_is_told_that_the_file_is_utf8(tmp_path: Path) -> None:
    tables(tmp_path, record("রহিম"))
    assert (tmp_path / "grades.csv").read_bytes().startswith(b"\xef\xbb\xbfstudent,")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["checks.csv", "grades.csv", "results.jsonl", "store.sqlite"]


def test_a_student_with_nothing_is_a_row_of_zeros(tmp_path: Path) -> None:
    grades, checks = tables(tmp_path, *(nothing("a", e) for e in EXERCISES))
    assert grades[1] == ["a", "0", "0", "0", "4", "0", "0", "not_submitted", ""]
    assert checks[1][5:7] == ["not_run", "0"]
    assert checks[1][-3:] == ["nothing was handed in.", "", ""]


def test_deferred_points_are_in_possible_and_not_in_the_percentage(tmp_path: Path) -> None:
    waits = verdict("deferred", 0, requires="cuda", message="runs later")
    grades, checks = tables(tmp_path, record("a", "u/one", 3, waits, possible=6, deferred=2))
    assert grades[1] == ["a", "3", "", "3", "6", "75", "2", "graded", ""]
    assert checks[1] == ["a", "u/one", "a", "n", "p", "deferred", "0", "1", "False", "cuda", "runs later", "", ""]


@pytest.mark.parametrize(("possible", "deferred"), [(0, 0), (2, 2)])
def test_where_nothing_could_be_earned_nothing_is_divided(tmp_path: Path, possible: float, deferred: float) -> None:
    grades, _ = tables(tmp_path, record("a", "u/one", 0, possible=possible, deferred=deferred))
    assert grades[1][5] == "0"


def test_thirds_do_not_leave_crumbs(tmp_path: Path) -> None:
    grades, _ = tables(tmp_path, record("a", "u/one", 0.1), record("a", "u/two", 0.2))
    assert grades[1][3] == "0.3"


@pytest.mark.parametrize(
    ("words", "word"),
    [
        (["graded", "graded"], "graded"),
        (["graded", "not_submitted"], "incomplete"),
        (["not_submitted", "not_submitted"], "not_submitted"),
        (["graded", "unreadable"], "unreadable"),
        (["refused", "unreadable", "not_submitted"], "refused"),
        (["refused", "fault"], "fault"),
    ],
)
def test_the_word_for_a_students_work_is_the_worst_of_it(words: list[str], word: str) -> None:
    assert status([{"status": w} for w in words]) == word


def test_who_needs_a_person_is_named_with_the_reason(tmp_path: Path) -> None:
    broken = verdict("fault", 0, message="a fault of the grader")
    tables(
        tmp_path,
        record("a"),
        nothing("b", "u/one"),
        record("c", "u/one", 0, verdict("not_run", 0), status="unreadable", message="cut off"),
        record("d", "u/two", 0, verdict(), broken, status="fault"),
        record("e", "u/two", 0, broken, status="fault", message="a shell line was not run: !pip"),
    )
    assert write_reports(tmp_path, EXERCISES).people == [
        ("c", "u/one", "cut off"),
        ("d", "u/two", "a fault of the grader"),
        ("e", "u/two", "a fault of the grader"),
    ]


def test_outcomes_are_counted_over_the_class(tmp_path: Path) -> None:
    tables(tmp_path, record("a", "u/one", 1, verdict(), verdict("deferred", 0)), record("b", "u/one", 0, verdict("deferred", 0)))
    assert write_reports(tmp_path, EXERCISES).outcomes == {"passed": 1, "deferred": 2}
    assert deferred_line(2).en.startswith("2 checks need a GPU")
    assert deferred_line(2).bn.startswith("2টি check")
