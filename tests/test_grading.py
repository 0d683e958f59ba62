from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from courselib import grading, sandbox
from courselib.checks import CheckFile, check
from courselib.course import load_course
from courselib.crew import Crew, start
from courselib.grader import Bench, Work
from courselib.proof import prove
from courselib.trouble import Trouble


@check("part", 1, bn="এক", en="one")
def one(value: Any) -> None:
    if value == 9:
        os.kill(os.getpid(), signal.SIGKILL)  # the checker itself dies
    assert value == 1


@pytest.fixture(scope="module")
def crew() -> Iterator[Crew]:
    course = load_course(ROOT)
    with closing(start(course, [], sandbox.start(2))) as started:
        started.benches["unit/one"] = Bench(CheckFile(Path("one.py"), (one,)), 10, "")
        yield started


def works(*values: int) -> list[Work]:
    return [Work(f"s{i}", "unit/one", "one.py", f"value = {v}".encode()) for i, v in enumerate(values)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_every_work_has_its_record(crew: Crew, jobs: int) -> None:
    found = {r.student: r.score for r in grading.records(crew, works(*[1] * 9), jobs)}
    assert found == {f"s{i}": 1 for i in range(9)}


def test_a_checker_that_dies_costs_one_record(crew: Crew) -> None:
    values = [1, 1, 9, 1, 1, 1, 1, 1, 1, 1]
    found = {r.student: (r.status, r.score) for r in grading.records(crew, works(*values), 2)}
    assert found == {f"s{i}": ("fault", 0) if v == 9 else ("graded", 1) for i, v in enumerate(values)}


def test_a_fault_of_ours_costs_one_record(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grading, "grade", lambda work, *a, **k: 1 / 0)
    (record,) = grading.records(crew, works(1), 1)
    assert (record.status, record.possible) == ("fault", 1)
    assert "ZeroDivisionError" in record.message


def test_checks_that_refuse_their_own_reference_are_not_used() -> None:
    with pytest.raises(Trouble, match="does not pass the check “one”"):
        prove(CheckFile(Path("unit/one.py"), (one,)), "value = 2")
    prove(CheckFile(Path("unit/one.py"), (one,)), "value = 1")
