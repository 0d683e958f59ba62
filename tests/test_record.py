from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from pydantic import ValidationError

from courselib.record import Machine, Record, Verdict, rounded

MACHINE = Machine(torch="2", python="3.11", system="Linux x", device="cpu", isolation="process")


def verdict(**told: Any) -> Verdict:
    plain: dict[str, Any] = {"id": "a", "name": "ক", "part": "p", "outcome": "passed", "earned": 1, "points": 1, "hidden": False}
    return Verdict(**plain | told)


def record(**told: Any) -> Record:
    plain: dict[str, Any] = {
        "student": "0042",
        "exercise": "u/x",
        "status": "graded",
        "score": 1,
        "possible": 2,
        "deferred": 0,
        "checks": (verdict(),),
    }
    return Record(**plain | {"machine": MACHINE} | told)


def test_a_line_is_one_strict_json_object_with_its_schema_first() -> None:
    line = record(student="দোলা\n, \"'").line()
    assert line.startswith('{"schema": 1, "student": "দোলা')
    assert "\n" not in line
    data = json.loads(line)
    assert data["student"] == "দোলা\n, \"'"
    assert "schema_" not in data
    assert data["checks"][0] == {
        "id": "a", "name": "ক", "part": "p", "outcome": "passed", "earned": 1.0, "points": 1.0, "hidden": False,
        "requires": None, "message": "",
    }  # fmt: skip
    assert data["machine"]["isolation"] == "process"


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_a_score_that_is_no_number_is_never_written(score: float) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - pydantic's or json's, both will do
        record(score=score).line()


@pytest.mark.parametrize("told", [{"outcome": "skipped"}, {"outcome": ""}, {"earned": None}, {"extra": 1}])
def test_a_verdict_is_one_of_the_known_outcomes_and_nothing_else(told: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        verdict(**told)


@pytest.mark.parametrize("told", [{"status": "late"}, {"schema_": 2}, {"checks": None}, {"student": 42}])
def test_a_record_takes_nothing_that_it_does_not_know(told: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        record(**told)


def test_a_record_never_changes() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        record().score = 2


def test_its_key_is_the_student_and_the_exercise() -> None:
    assert record().key == ("0042", "u/x")


@pytest.mark.parametrize(
    ("points", "written"), [(Fraction(1, 3), 0.333333), (sum([Fraction(1, 3)] * 3), 1.0), (Fraction(0), 0.0), (Fraction(7, 2), 3.5)]
)
def test_points_are_rounded_once(points: Fraction, written: float) -> None:
    assert rounded(points) == written
    assert type(rounded(points)) is float
