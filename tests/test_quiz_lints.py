"""Each lint finds its fault, and nothing in a sound quiz."""

from __future__ import annotations

from pathlib import Path

import made
import made_quiz
import pytest

from courselib.quiz.built import build
from courselib.quiz.lints import lints
from courselib.quiz.source import load
from courselib.text import in_language

RIGHT_START = "start: [move, forward, half, zero, backward, update]"


def found(folder: Path, *questions: str) -> list[str]:
    source = load(made.write(folder / "demo.yaml", made_quiz.text(*questions)))
    with in_language("en"):
        return [str(line) for line in lints(source, build("demo", source))]


def test_a_sound_quiz_has_none(tmp_path: Path) -> None:
    assert found(tmp_path, *made_quiz.ALL) == []


@pytest.mark.parametrize(
    ("source", "old", "new", "said"),
    [
        (made_quiz.CHOICE, "The GPU is that fast", "the  clock stopped EARLY", "async: two choices read alike: the clock stopped early"),
        (made_quiz.NUMBER, "value: p * 8 ", "value: p * 16.002 ", "memory: the slip no_states lies within the right answer's tolerance"),
        (made_quiz.ORDER, "\nwhy: {bn: এটাই", f"\n{RIGHT_START}\nwhy: {{bn: এটাই", "step: the start order is already right"),
        (made_quiz.CHOICE, "GPU খুব দ্রুত", "GPU very fast", "async: text: the Bangla text has no Bangla"),
        (made_quiz.CHOICE, "The GPU is that fast", "GPU খুব fast", "async: text: Bangla in the English text"),
        (made_quiz.CHOICE, "No GPU is that fast.", "No <b>GPU</b> is that fast.", "async: why: HTML, an image, a link or an open ``` ` $"),
        (made_quiz.CHOICE, '"Why so little?"', '"Why `so little?"', "async: ask: HTML"),
        (made_quiz.CHOICE, '"Why so little?"', '"Why $x so little?"', "async: ask: HTML"),
        (made_quiz.CHOICE, '"Why so little?"', "'Why $\\frac{1}{$?'", "async: ask: this maths cannot be read"),
        (made_quiz.CHOICE, "id: early", "id: right_one", "async: the id right_one gives the answer away"),
        (made_quiz.ORDER, "id: half", "id: extra_half", "step: the id extra_half gives the answer away"),
        (made_quiz.NUMBER, "[50000000, 7000000,", "[50000000, 50000000,", "memory: some variants ask the very same"),
        (made_quiz.NUMBER, "How many MB for {{p}}", "How many MB for all", "memory: some variants ask the very same"),
        (made_quiz.DTYPES, "dtype: half", "dtype: float32", "types: the slip half_grad is the right answer itself"),
        (made_quiz.SHAPE, "[8, 16, 32, 32]", "[8, 16, 30, 30]", "conv: the slip padded is the right answer itself"),
        (made_quiz.CHOICE, '"Why so little?"', '"See [this](x)"', "async: ask: HTML"),
        (made_quiz.ORDER, '"`zero_grad()`"', '"zero the old gradients now"', "step: text: one text for both languages"),
    ],
)  # fmt: skip
def test_each_fault(source: str, old: str, new: str, said: str, tmp_path: Path) -> None:
    assert old in source
    told = found(tmp_path, source.replace(old, new))
    assert any(line.startswith(said) for line in told), told


def test_a_slip_behind_another(tmp_path: Path) -> None:
    twice = made_quiz.NUMBER.replace("slips:\n", "slips:\n  - {id: first, value: p * 8.0001 / 2**20, why: {bn: ক, en: a}}\n")
    assert found(tmp_path, twice)[0] == "memory: the slip no_states is covered by an earlier one"


def test_a_habit_of_place_and_of_length(tmp_path: Path) -> None:
    ten = [made_quiz.CHOICE.replace("id: async", f"id: q{n:02}") for n in range(10)]
    assert found(tmp_path, *ten) == [
        "the right choice stands at place 1 in 10 of 10 questions",
        "the right choice is the longest in 10 of 10 questions",
    ]
    assert found(tmp_path, *ten[:7]) == []
