"""What a submission may try against the grader, and what must come of it (design.md, the wall)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Grade

from courselib import judge
from courselib.checks import check

HOSTILE = sorted((Path(__file__).parent / "hostile").glob("*.py"))
SECRET = 987_654_321


@check("part", 1, bn="দ্বিগুণ", en="doubles a number")
def doubles(double: Any) -> None:
    judge.close(judge.function(double, "double")(SECRET), 2 * SECRET, "double", reveal=False)


@check("part", 1, bn="একই মান", en="a number")
def value(answer: Any) -> None:
    judge.close(answer, SECRET + 1, "answer", reveal=False)


@check("part", 1, bn="দৈর্ঘ্য", en="three ones")
def ones(three: Any) -> None:
    judge.equal(judge.function(three, "three")(), [1, 1, 1], "three()")


@pytest.mark.parametrize("path", HOSTILE, ids=lambda p: p.stem)
def test_no_attack_gains_a_point(put: Grade, path: Path) -> None:
    record = put(path.read_text(encoding="utf-8"), doubles, value, ones, seconds=3)
    assert record.score == 0, [(v.id, v.outcome, v.message) for v in record.checks]
    assert record.status == "graded"
    assert str(SECRET + 1) not in record.line()


def test_after_all_of_them_an_honest_answer_earns_its_points(put: Grade) -> None:
    source = f"def double(x): return 2 * x\nanswer = {SECRET + 1}\ndef three(): return [1, 1, 1]\n"
    assert put(source, doubles, value, ones).score == 3


def test_there_are_attacks() -> None:
    assert len(HOSTILE) >= 20
