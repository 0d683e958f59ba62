"""Every kind of question: right answers in other guises are right, wrong ones are told why, the unreadable costs nothing."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import made_quiz
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from courselib.ordering import longest_right_part
from courselib.quiz import order
from courselib.quiz.built import Built, of_variant
from courselib.quiz.marking import mark
from courselib.quiz.telling import told
from courselib.text import LANGUAGES

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=70),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@pytest.mark.parametrize("source", made_quiz.ALL, ids=lambda s: s.split("type: ")[1].split()[0])
@pytest.mark.parametrize("empty", [None, "", "  \u200b", [], {}])
def test_no_answer_is_no_attempt(source: str, empty: object, tmp_path: Path) -> None:
    assert mark(made_quiz.question(tmp_path, source), empty).plain == {"state": "unanswered", "score": "0/1", "notes": []}


@settings(max_examples=60)
@given(answer=PLAIN)
@pytest.mark.parametrize("source", made_quiz.ALL, ids=lambda s: s.split("type: ")[1].split()[0])
def test_nothing_that_a_sheet_holds_breaks_it_and_all_is_told(source: str, answer: Any) -> None:
    question = once(source)
    verdict = mark(question, answer)
    assert 0 <= verdict.score <= 1
    assert (verdict.score == 1) == (verdict.state == "right")
    for text in told(question, verdict):
        assert text.bn
        assert text.en


@cache
def once(source: str) -> Built:
    with TemporaryDirectory() as folder:
        return made_quiz.question(Path(folder), source)


@pytest.mark.parametrize(
    ("answer", "state", "notes"),
    [
        ("early", "right", [["why", "early"]]),
        ("fast", "wrong", [["why", "fast"]]),
        ("Early", "unreadable", [["unknown_choice", "Early"]]),
        (["early"], "unreadable", [["unknown_choice", "list"]]),
        (1, "unreadable", [["unknown_choice", "int"]]),
    ],
)
def test_choice(answer: Any, state: str, notes: list[Any], tmp_path: Path) -> None:
    verdict = mark(made_quiz.question(tmp_path, made_quiz.CHOICE), answer)
    assert (verdict.state, verdict.notes) == (state, notes)


@pytest.mark.parametrize(
    ("picked", "score", "notes"),
    [
        (["weight", "loss"], "1", [["why", "weight"], ["why", "loss"]]),
        (["loss", "weight", "loss"], "1", [["why", "weight"], ["why", "loss"]]),
        (["loss"], "1/2", [["left_out", "weight"], ["why", "loss"]]),
        ("loss", "1/2", [["left_out", "weight"], ["why", "loss"]]),
        (["weight", "loss", "conv"], "1/2", [["why", "weight"], ["why", "loss"], ["why", "conv"]]),
        (["weight", "loss", "conv", "linear"], "0", [["why", "weight"], ["why", "loss"], ["why", "linear"], ["why", "conv"]]),
        (["conv", "linear"], "0", [["left_out", "weight"], ["left_out", "loss"], ["why", "linear"], ["why", "conv"]]),
    ],
)
def test_choices(picked: Any, score: str, notes: list[Any], tmp_path: Path) -> None:
    verdict = mark(made_quiz.question(tmp_path, made_quiz.CHOICES), picked)
    assert (verdict.score, verdict.notes) == (Fraction(score), notes)
    all_or_none = made_quiz.question(tmp_path, made_quiz.CHOICES + "credit: all\n")
    assert mark(all_or_none, picked).score == (1 if score == "1" else 0)


@pytest.mark.parametrize(
    ("answer", "state", "notes"),
    [
        ("762.9", "right", [["why"]]),
        (762.9, "right", [["why"]]),
        (763, "right", [["why"]]),
        ("৭৬২.৮৪ MB", "right", [["why"]]),
        ("762.83", "wrong", [["wrong"]]),
        ("0.745 GB", "right", [["why"]]),
        ("381.5", "wrong", [["slip", "no_states"]]),
        ("781250", "wrong", [["off_by", "1024/1"]]),
        ("800,000,000", "wrong", [["off_by", "1048576/1"]]),
        ("-762.9", "wrong", [["off_by", "-1/1"]]),
        ("76২.9", "right", [["why"], ["mixed"]]),
        ("about 760", "unreadable", [["hint", "not_number"]]),
        (True, "unreadable", [["hint", "not_number"]]),
        (["762.9"], "unreadable", [["hint", "not_number"]]),
        (float("nan"), "unreadable", [["hint", "special"]]),
        (float("inf"), "unreadable", [["hint", "special"]]),
        (1e300, "wrong", [["wrong"]]),
    ],
)
def test_number(answer: Any, state: str, notes: list[Any], tmp_path: Path) -> None:
    verdict = mark(made_quiz.question(tmp_path, made_quiz.NUMBER), answer)
    assert (verdict.state, verdict.notes) == (state, notes)


def test_each_variant_has_its_own_key_and_words(tmp_path: Path) -> None:
    question = made_quiz.question(tmp_path, made_quiz.NUMBER)
    seven = of_variant(question, 1)
    assert mark(seven, "106.8").state == "right"
    assert mark(seven, "762.9").state == "wrong"
    assert seven["ask"] == {"bn": "৭০,০০,০০০টি parameter-এর জন্য কত MB?", "en": "How many MB for 7,000,000 parameters?"}
    assert seven["why"]["bn"] == "`7000000 * 16 / 2**20` = ১০৬.৮ MB।"


def test_every_order_is_marked_as_the_partial_order_says(tmp_path: Path) -> None:
    question = made_quiz.question(tmp_path, made_quiz.ORDER)
    before = {s["id"]: s["after"] for s in question["steps"] if not s["extra"]}
    right = 0
    for line in permutations(before):
        verdict = mark(question, list(line))
        holds = all(line.index(b) < line.index(s) for s in before for b in before[s])
        assert (verdict.state == "right") == holds
        kept = len(longest_right_part(line, before))
        assert verdict.score == Fraction(kept - 2, 3)  # two steps may always be kept: move and zero_grad never conflict
        right += holds
    assert right == 3


@pytest.mark.parametrize(
    ("answer", "score", "notes"),
    [
        (["move", "forward", "zero", "backward", "update", "half"], "2/3", [["extra", "half"]]),
        (["move", "forward", "zero", "backward"], "2/3", [["missing", "update"]]),
        (["move", "forward", "backward", "zero", "update"], "2/3", [["below", "backward", "zero"]]),
        (["update", "backward", "forward", "zero", "move"], "0", None),
        (["half"], "0", [["extra", "half"], *(["missing", s] for s in ("move", "forward", "zero", "backward", "update"))]),
    ],
)
def test_order(answer: list[str], score: str, notes: list[Any] | None, tmp_path: Path) -> None:
    verdict = mark(made_quiz.question(tmp_path, made_quiz.ORDER), answer)
    assert verdict.score == Fraction(score)
    assert notes is None or verdict.notes == notes


def test_an_order_with_a_step_twice_or_unknown_is_no_attempt(tmp_path: Path) -> None:
    question = made_quiz.question(tmp_path, made_quiz.ORDER)
    assert mark(question, ["move", "move"]).notes == [["repeated_step", "move"]]
    assert mark(question, ["moved"]).notes == [["unknown_step", "moved"]]


def test_what_every_order_gets_for_nothing() -> None:
    assert order.width({"a": [], "b": ["a"], "c": ["b"]}) == 1
    assert order.width({"a": [], "b": [], "c": [], "d": ["a"]}) == 3
    assert order.width({"a": [], "b": ["a"], "c": ["a"], "d": ["b", "c"]}) == 2


def test_the_start_is_never_right_and_always_the_same(tmp_path: Path) -> None:
    starts = {tuple(made_quiz.question(tmp_path, made_quiz.ORDER)["start"]) for _ in range(3)}
    assert len(starts) == 1
    question = made_quiz.question(tmp_path, made_quiz.ORDER)
    assert mark(question, [s for s in starts.pop() if s != "half"]).state != "right"


@pytest.mark.parametrize(
    ("answer", "score", "first"),
    [
        ({"h": "float16", "loss": "float32", "layer.weight.grad": "float32"}, "1", ["name_right", "h"]),
        ({"h": "HALF", "loss": " torch.float ", "layer.weight.grad": "fp32"}, "1", ["name_right", "h"]),
        ({"h": "bf16", "loss": "float32", "layer.weight.grad": "float32"}, "2/3", ["name_wrong", "h"]),
        ({"loss": "float32"}, "1/3", ["name_blank", "h"]),
    ],
)
def test_dtypes(answer: dict[str, str], score: str, first: list[str], tmp_path: Path) -> None:
    verdict = mark(made_quiz.question(tmp_path, made_quiz.DTYPES), answer)
    assert (verdict.score, verdict.notes[0]) == (Fraction(score), first)


def test_dtypes_that_are_none(tmp_path: Path) -> None:
    question = made_quiz.question(tmp_path, made_quiz.DTYPES)
    assert mark(question, {"h": "float8"}).notes == [["unknown_dtype", "h", "float8"]]
    assert mark(question, {"hh": "float16"}).notes == [["unknown_name", "hh"]]
    assert mark(question, {"h": " ", "loss": ""}).state == "unanswered"
    assert mark(question, {"layer.weight.grad": "float16"}).notes[2] == ["slip", "half_grad"]


GUISES = (
    "(8, 16, 30, 30)", "8x16x30x30", "[৮, ১৬, ৩০, ৩০]", "8 × 16 × 30 × 30", "torch.Size([8, 16, 30, 30])", "8 16 30 30", "(8,16,30,30,)",
    [8, 16, 30, 30],
)  # fmt: skip


@pytest.mark.parametrize("answer", GUISES)
def test_shape_in_many_guises(answer: Any, tmp_path: Path) -> None:
    assert mark(made_quiz.question(tmp_path, made_quiz.SHAPE), answer).notes == [["why"]]


@pytest.mark.parametrize(
    ("answer", "notes"),
    [
        ("(8, 16, 32, 32)", [["slip", "padded"]]),
        ("(8, 16, 30)", [["rank"]]),
        ("()", [["rank"]]),
        ("8", [["rank"]]),
        (8, [["rank"]]),
        ("(8, 3, 30, 30)", [["dims", 3]]),
        ("8 by 16", [["not_shape"]]),
        ("(8, -1)", [["not_shape"]]),
        ("8.5", [["not_shape"]]),
        ([8, "16"], [["not_shape"]]),
        ([True], [["not_shape"]]),
        ("8" * 65, [["not_shape"]]),
    ],
)
def test_shape(answer: Any, notes: list[Any], tmp_path: Path) -> None:
    assert mark(made_quiz.question(tmp_path, made_quiz.SHAPE), answer).notes == notes


def test_a_scalar_has_an_empty_shape(tmp_path: Path) -> None:
    scalar = made_quiz.SHAPE.replace("y = F", "y = torch.sum(F").replace("3, 3, 3))", "3, 3, 3)))")
    assert mark(made_quiz.question(tmp_path, scalar), "()").state == "right"
    assert mark(made_quiz.question(tmp_path, scalar), "[]").state == "right"


def test_a_question_to_think_about_counts_nothing(tmp_path: Path) -> None:
    question = made_quiz.question(tmp_path, made_quiz.REVEAL)
    assert question["points"] == 0
    assert mark(question, {"text": "x", "rating": 2}).plain == {"state": "self", "score": "0/1", "notes": [["model"]]}


def test_a_note_reads_in_both_languages(tmp_path: Path) -> None:
    question = made_quiz.question(tmp_path, made_quiz.ORDER)
    sentence = told(question, mark(question, ["move", "forward", "backward", "zero", "update"]))[0]
    assert [sentence.read(lang) for lang in LANGUAGES] == [
        "“`backward()`” সরিয়ে “`zero_grad()`”-এর নিচে নাও।",
        "Move “`backward()`” below “`zero_grad()`”.",
    ]
