"""What an author writes is read strictly: every fault with its place and what to do."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import made
import made_quiz
import pytest
import yaml

from courselib.quiz.built import without_keys
from courselib.quiz.shelf import of_file
from courselib.quiz.source import schema
from courselib.text import in_language
from courselib.trouble import Trouble


def refused(folder: Path, text: str) -> str:
    with in_language("en"), pytest.raises(Trouble) as trouble:
        of_file(made.write(folder / "demo.yaml", text))
    return str(trouble.value)


def test_every_kind_is_read_and_built(tmp_path: Path) -> None:
    built = made_quiz.built(tmp_path, *made_quiz.ALL)
    assert [q["type"] for q in built["questions"]] == ["choice", "choices", "number", "order", "dtypes", "shape", "reveal"]
    assert json.loads(json.dumps(built)) == built


@pytest.mark.parametrize(
    ("source", "old", "new", "said"),
    [
        (made_quiz.CHOICE, "right: true", "right: false", "demo.yaml:4:5: questions.0: mark exactly one choice"),
        (made_quiz.CHOICE, "id: fast", "id: early", "demo.yaml:4:5: questions.0: the id early stands twice"),
        (made_quiz.CHOICE, "choices:", "choises:", "demo.yaml:8:5: unknown key choises. Did you mean choices?"),
        (made_quiz.CHOICE, "type: choice", "type: chioce", "demo.yaml:4:5: questions.0: Input tag 'chioce'"),
        (made_quiz.CHOICE, ", en: The GPU is that fast", "", "demo.yaml:13:26: questions.0.choices.1.text.en is missing"),
        (made_quiz.CHOICES, "    left_out: {bn: ওজন বাদ গেছে, en: the weights are left out}\n", "", "weight: left_out is missing"),
        (made_quiz.NUMBER, "{absolute: 0.1}", "{absolute: 0.1, exact: true}", "give just one of absolute, relative, figures, exact"),
        (made_quiz.NUMBER, "{absolute: 0.1}", "{}", "give just one of"),
        (made_quiz.NUMBER, "answer: p * 16", "answer: q * 16", "demo.yaml:4:5: memory: q * 16 / 2**20 cannot be worked out ('q')."),
        (made_quiz.NUMBER, "answer: p * 16 / 2**20", "answer: 2**10**9", "cannot be worked out"),
        (made_quiz.NUMBER, "answer: p * 16", "answer: open('x')", "cannot be worked out"),
        (made_quiz.NUMBER, "How many MB for {{p}}", "How many MB for {{r}}", "{{r}} is not among the given numbers"),
        (made_quiz.NUMBER, "unit: MB\n", "", "units need a unit"),
        (made_quiz.ORDER, "after: [move]", "after: [mov]", "forward: after names no step mov"),
        (made_quiz.ORDER, "id: move, text", "id: move, after: [update], text", "the steps go round: "),
        (made_quiz.ORDER, ", why: {bn: update হারায়।, en: It loses updates.}", "", "half: an extra step needs a why and takes no after"),
        (made_quiz.DTYPES, "layer.weight.grad: {", "layer.bias_grad: {", "a slip names layer.weight.grad, which is not asked"),
        (made_quiz.DTYPES, "h = layer(x)", "h = layer(y)", "types: the program fails: NameError: name 'y' is not defined"),
        (made_quiz.DTYPES, "dtype: half", "dtype: half_float", "types: half_float is no dtype"),
        (made_quiz.SHAPE, "name: y", "name: z", "conv: z is no tensor when the program ends"),
        (made_quiz.REVEAL, "id: think", "id: think\npoints: 0", "points: Input should be greater than or equal to 1"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_place(source: str, old: str, new: str, said: str, tmp_path: Path) -> None:
    assert old in source
    assert said in refused(tmp_path, made_quiz.text(source.replace(old, new)))


def test_two_questions_of_one_name(tmp_path: Path) -> None:
    assert "two questions are called think" in refused(tmp_path, made_quiz.text(made_quiz.REVEAL, made_quiz.REVEAL))


def test_the_lists_of_given_numbers_are_of_one_length(tmp_path: Path) -> None:
    text = made_quiz.text(made_quiz.NUMBER.replace("given: {p:", "given: {q: [1, 2], p:"))
    assert "the lists in given must be of one length" in refused(tmp_path, text)


def test_the_schema_for_editors_takes_what_the_reader_takes(tmp_path: Path) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(schema()))
    good = yaml.safe_load(made_quiz.text(*made_quiz.ALL))
    assert list(validator.iter_errors(good)) == []
    bad = yaml.safe_load(made_quiz.text(made_quiz.CHOICE.replace("choices:", "choises:")))
    assert list(validator.iter_errors(bad))


def test_no_key_is_left_in_what_a_learner_may_hold(tmp_path: Path) -> None:
    built = made_quiz.built(tmp_path, *made_quiz.ALL)
    bare = json.dumps(without_keys(built), ensure_ascii=False)
    for secret in (
        "right",
        "390625/512",
        "asynchronous",
        "106.8",
        "after",
        "extra",
        "float16 in",
        "[8, 16, 30, 30]",
        "কারণ আছে",
        "launch asynchronous",
    ):
        assert secret not in bare, secret
    assert "Why so little?" in bare
    assert "7,000,000 parameters" in bare
