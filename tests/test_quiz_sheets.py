"""A sheet is read as JSON or YAML, marked whole, and what does not fit is told with its place."""

from __future__ import annotations

import json
from contextlib import suppress
from fractions import Fraction
from pathlib import Path

import made_quiz
import pytest
from hypothesis import given
from hypothesis import strategies as st

from courselib.quiz import sheets
from courselib.quiz.variants import variant_of
from courselib.text import in_language
from courselib.trouble import Trouble

ANSWERS = """\
quiz: demo
student: s01
answers:
  async: early
  kept: [weight]
  memory: "৭৬২.৯ MB"
  step: [move, zero, forward, backward, update]
  types: {h: float16, loss: float32, layer.weight.grad: half}
  conv: (8, 16, 30, 30)
  think: {text: আমার মত, rating: 2}
"""


def read(text: str, name: str = "answers.yaml") -> sheets.Sheet:
    return sheets.read(Path(name), text.encode())


def test_a_sheet_is_marked_whole(tmp_path: Path) -> None:
    built, sheet = made_quiz.built(tmp_path, *made_quiz.ALL), read(ANSWERS)
    marks = sheets.marked(built, sheet, sheets.as_told(sheet))
    assert [v.state for _, v in marks.verdicts] == ["right", "part", "right", "right", "part", "right", "self"]
    assert (marks.score, marks.possible) == (1 + 1 + 1 + 1 + Fraction(2, 3) + 1, 7)


def test_json_and_yaml_say_the_same() -> None:
    sheet = read(ANSWERS)
    assert read(json.dumps(sheet.model_dump(), ensure_ascii=False), "a.json") == sheet
    assert read(json.dumps(sheet.model_dump()), "a.json") == sheet
    assert read("\ufeff" + ANSWERS) == sheet


def test_a_student_is_marked_by_the_variant_that_was_theirs(tmp_path: Path) -> None:
    built, keys = made_quiz.built(tmp_path, made_quiz.NUMBER), ("762.9", "106.8", "381.5")
    for student in ("s01", "s02", "s03", "রহিম"):
        mine = variant_of("demo", "memory", student, 3)
        for n, key in enumerate(keys):
            sheet = sheets.Sheet(quiz="demo", answers={"memory": key}, variants={"memory": n})
            marks = sheets.marked(built, sheet, sheets.of_student("demo", student))
            assert (marks.score == 1) == (n == mine)


def test_a_variant_that_is_not_there_wraps_round_and_breaks_nothing(tmp_path: Path) -> None:
    built = made_quiz.built(tmp_path, made_quiz.NUMBER)
    for number in (-1, 3, 10**9):
        sheet = sheets.Sheet(quiz="demo", answers={"memory": "1"}, variants={"memory": number})
        assert sheets.marked(built, sheet, sheets.as_told(sheet)).score == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("quiz: demo\nanswers:\n\tasync: early\n", "answers.yaml:3:1: a tab cannot indent YAML; use spaces."),
        ("quiz: demo\nanswers: {a: 1, a: 2}\n", "answers.yaml:2:17: a stands twice; keep one."),
        ("quiz: demo\nanswer: {a: 1}\n", "answers.yaml:2:1: unknown key answer. Did you mean answers?"),
        ("quiz: demo\n", "answers.yaml:1:1: answers is missing."),
        ("- a\n", "answers.yaml:1:1: "),
        ("", "answers.yaml: the file is empty."),
        ("quiz: demo\nanswers: " + "[" * 3000 + "]" * 3000, "lists in lists go too deep"),
        ("quiz: demo\nanswers: {a: " + "1" * 5000 + "}", ""),
    ],
)
def test_what_is_no_sheet(text: str, said: str) -> None:
    with in_language("en"):
        if not said:
            assert isinstance(read(text).answers["a"], str)
            return
        with pytest.raises(Trouble) as trouble:
            read(text)
    assert said in str(trouble.value)


def test_json_with_a_fault_is_told_with_its_place() -> None:
    with in_language("en"), pytest.raises(Trouble) as trouble:
        read('{"quiz": "demo",\n "answers": {"a": 1, "a": 2}}', "a.json")
    assert str(trouble.value) == "a.json:2:22: a stands twice; keep one."


def test_json_that_is_cut_off_is_told_as_json() -> None:
    with in_language("en"), pytest.raises(Trouble) as trouble:
        read('{"quiz": "demo",\n "answers": {"a": ', "a.json")
    assert str(trouble.value).startswith("a.json:2:19: this JSON is damaged or cut off; save it")
    assert read("quiz: demo\nanswers: {a: 1}\n", "a.json").answers == {"a": 1}


def test_a_sheet_of_another_quiz_is_refused(tmp_path: Path) -> None:
    with in_language("en"), pytest.raises(Trouble) as trouble:
        sheets.marked(made_quiz.built(tmp_path, made_quiz.NUMBER), read("quiz: speed\nanswers: {}\n"), lambda _: 0)
    assert str(trouble.value) == "this sheet answers the quiz speed, not demo."


def test_an_answer_to_no_question_is_told(tmp_path: Path) -> None:
    sheet = read("quiz: demo\nanswers: {memroy: 5}\n")
    marks = sheets.marked(made_quiz.built(tmp_path, made_quiz.NUMBER), sheet, sheets.as_told(sheet))
    assert [n.en for n in marks.notes] == ["there is no question memroy (memory?); that answer was not counted."]


def test_a_sheet_has_a_size() -> None:
    with pytest.raises(Trouble):
        sheets.read(Path("a.json"), b" " * (sheets.MAX_BYTES + 1))


@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode), st.sampled_from(["a.json", "a.yaml"]))
def test_any_bytes_are_read_or_refused_in_a_sentence(data: bytes, name: str) -> None:
    with suppress(Trouble):
        assert sheets.read(Path(name), data).quiz
