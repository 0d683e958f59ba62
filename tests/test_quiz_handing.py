"""What of the quizzes leaves the instructor's hands: nothing of a graded one's keys."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from typing import Any

import made
import made_quiz
import pytest

from courselib.course import load_course
from courselib.quiz import export, handing, shelf
from courselib.text import in_language
from courselib.trouble import Trouble

SECRETS = {"right", "why", "left_out", "key", "within", "shown", "slips", "after", "extra", "width", "shape", "dtype", "model"}
COURSE = """\
title: {bn: ক, en: A}
units: {unit: {title: {bn: ক, en: A}, exercises: {one: {hint: {bn: ক, en: A}}}}}
quizzes: {practice: {}, counts: {graded: true}}
"""


@pytest.fixture
def course(tmp_path: Path) -> Any:
    made.write(tmp_path / "course.yaml", COURSE)
    for name in ("practice", "counts"):
        made.write(tmp_path / "quizzes" / f"{name}.yaml", made_quiz.text(*made_quiz.ALL))
    return load_course(tmp_path)


def data_of(page: str) -> dict[str, Any]:
    packed = max(re.findall(r"[A-Za-z0-9+/=]{200,}", page.split("</style>")[-1]), key=len)
    return dict(json.loads(gzip.decompress(base64.b64decode(packed))))


def keys_in(value: Any) -> set[str]:
    if isinstance(value, dict):
        return set(value).union(*map(keys_in, value.values()))
    return set().union(*map(keys_in, value)) if isinstance(value, list) else set()


def test_a_graded_page_holds_no_key_and_a_practice_page_all(course: Any) -> None:
    pages = handing.pages(course, {name: shelf.built(course, name) for name in shelf.names(course)})
    assert keys_in(data_of(pages["counts"])["questions"]) & SECRETS == set()
    assert keys_in(data_of(pages["practice"])["questions"]) >= SECRETS


def test_a_graded_pages_steps_stand_as_the_learner_finds_them(course: Any) -> None:
    """The author has written the steps down in a right order, what does not belong last."""
    page = handing.pages(course, {"counts": shelf.built(course, "counts")})["counts"]
    order = next(q for q in data_of(page)["questions"] if q["type"] == "order")
    assert [s["id"] for s in order["steps"]] == order["start"]
    assert order["start"] != [s["id"] for s in shelf.built(course, "counts")["questions"][3]["steps"]]


def test_the_source_of_a_graded_quiz_stays(course: Any) -> None:
    assert set(handing.sources(course)) == {"practice"}


def test_every_lms_gets_every_quiz_and_a_word_on_what_it_loses(course: Any, tmp_path: Path) -> None:
    told = list(handing.for_lms(course, {name: shelf.built(course, name) for name in shelf.names(course)}, tmp_path / "lms"))
    for to, suffix in export.SUFFIXES.items():
        for name in ("practice", "counts"):
            assert (tmp_path / "lms" / to / f"{name}{suffix}").stat().st_size > 500
            assert any(line.en.startswith(f"{to}/{name}{suffix}: ") for line in told)


def test_a_student_without_the_source_is_told_where_a_quiz_that_counts_is_answered(course: Any) -> None:
    course.tree.quiz("counts").unlink()
    with in_language("en"), pytest.raises(Trouble) as trouble:
        shelf.built(course, "counts")
    assert str(trouble.value) == (
        "counts counts, so its answers are not here: open quizzes/counts.html, answer there, and hand in the file that it saves."
    )


def test_a_quiz_that_is_not_there_is_told(course: Any) -> None:
    with in_language("en"), pytest.raises(Trouble) as trouble:
        shelf.built(course, "practise")
    assert str(trouble.value) == "There is no quiz called practise. Did you mean practice? There are: practice, counts."
