"""What an author writes is read strictly: every fault with its place and what to do."""

from __future__ import annotations

import json
import re
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
        (made_quiz.CHOICE, "right: true", "right: false", "demo.yaml:9:7: questions.0.choices: mark exactly one choice"),
        (made_quiz.CHOICE, "id: fast", "id: early", "demo.yaml:13:14: questions.0.choices.1.id: the id early stands twice"),
        (made_quiz.CHOICE, "choices:", "choises:", "demo.yaml:8:5: unknown key choises. Did you mean choices?"),
        (made_quiz.CHOICE, "type: choice", "type: chioce", "demo.yaml:5:11: questions.0.type: there is no type chioce. Did"),
        (made_quiz.CHOICE, ", en: The GPU is that fast", "", "demo.yaml:13:26: questions.0.choices.1.text.en is missing"),
        (made_quiz.CHOICES, "    left_out: {bn: ওজন বাদ গেছে, en: the weights are left out}\n", "", "weight: left_out is missing"),
        (made_quiz.NUMBER, "{absolute: 0.1}", "{absolute: 0.1, exact: true}", "give just one of absolute, relative, figures, exact"),
        (made_quiz.NUMBER, "{absolute: 0.1}", "{}", "give just one of"),
        (made_quiz.NUMBER, "answer: p * 16", "answer: q * 16", "demo.yaml:4:5: memory: q * 16 / 2**20: q is not among the given numbers."),
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
        (made_quiz.NUMBER, "units: {GB: 1024}", "units: {GB: 0}", "memory: units: one GB must be worth more than 0"),
        (made_quiz.NUMBER, "answer: p * 16", "answer: p / 0 * 16", "memory: p / 0 * 16 / 2**20 divides by zero."),
        (made_quiz.NUMBER, "{absolute: 0.1}", "{absolute: .nan}", "demo.yaml:9:27: questions.0.tolerance.absolute: a number is needed"),
        (made_quiz.NUMBER, "{absolute: 0.1}", "0.1", "demo.yaml:9:16: questions.0.tolerance: keys with values are needed here"),
        (made_quiz.DTYPES, "loss.backward()", "raise SystemExit(3)", "types: the program fails: SystemExit: 3"),
        (made_quiz.DTYPES, "policy: cuda", "policy: CUDA", "questions.0.policy: write one of: cuda"),
        (made_quiz.REVEAL, "id: think", "id: Think-1", "demo.yaml:4:9: questions.0.id: “Think-1” will not do here; the rule: a-z first"),
        (made_quiz.REVEAL, "id: think", "id: 12", "questions.0.id: text is needed here; put a number or true in quotes"),
        (made_quiz.REVEAL, "type: reveal\n", "", "demo.yaml:4:5: questions.0: type is missing: say which kind it is"),
        (made_quiz.REVEAL, "id: think", "id: think\npoints: 0", "points: must be at least 1"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_place(source: str, old: str, new: str, said: str, tmp_path: Path) -> None:
    assert old in source
    assert said in refused(tmp_path, made_quiz.text(source.replace(old, new)))


@pytest.mark.parametrize("old", ["id: think", "type: reveal", 'bn: "কেন?"', "model: {bn: কারণ আছে।, en: For a reason.}"])
@pytest.mark.parametrize("new", ["", "x: 1", "[1]", "id: true", "type: 5", "bn: ''", "model: [no]"])
def test_no_fault_is_told_in_pydantics_english(old: str, new: str, tmp_path: Path) -> None:
    path = made.write(tmp_path / "demo.yaml", made_quiz.text(made_quiz.REVEAL.replace(old, new)))
    with in_language("bn"), pytest.raises(Trouble) as trouble:
        of_file(path)
    assert str(trouble.value).startswith("demo.yaml:")
    assert not re.search(r"(?i)input|should|valid\b|string|tag\b", str(trouble.value))


def test_two_questions_of_one_name(tmp_path: Path) -> None:
    assert "demo.yaml:8:9: questions.1.id: the id think stands twice" in refused(
        tmp_path, made_quiz.text(made_quiz.REVEAL, made_quiz.REVEAL)
    )


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
