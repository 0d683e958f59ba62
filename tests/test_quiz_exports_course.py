"""The course's own quizzes: whatever a format carries of them is marked there as we mark it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import lms_canvas
import lms_moodle
import lms_qti21
import pytest
from lms_quiz import answers, render, shown, visible

from courselib.quiz.built import Built, build, of_variant
from courselib.quiz.export import FORMATS, export
from courselib.quiz.exports.losses import CHOICES_ALL, Loss
from courselib.quiz.marking import mark
from courselib.quiz.source import load

ROOT = Path(__file__).parent.parent
QUIZZES = sorted(path.stem for path in (ROOT / "quizzes").glob("*.yaml"))
Marks = Callable[[Built, Any], float]
FOUR_PLACES = re.compile(r"-?[0-9]+(\.[0-9]{1,4})?")


@cache
def course(name: str) -> Built:
    return build(name, load(ROOT / "quizzes" / f"{name}.yaml"))


def readers(to: str, data: bytes) -> dict[str, tuple[str, Marks]]:
    """Return for each question of a file, by ident, the text it shows and how it marks."""
    if to in ("moodle", "gift"):
        read = lms_moodle.read_xml if to == "moodle" else lms_moodle.read_gift
        return {a.name: (visible(a.text), lambda one, x, a=a: lms_moodle.grade(a, lms_moodle.given(a, one, x))[0]) for a in read(data)}
    if to == "canvas":
        found = [item for one in lms_canvas.read(data)[1] for item in (one.items if isinstance(one, lms_canvas.Group) else [one])]
        return {i.ident.split(".")[1]: (visible(i.text), lambda one, x, i=i: canvas(i, one, x)) for i in found}
    items = lms_qti21.read(data)[1].items()
    return {n: (visible(i.text), lambda one, x, i=i: lms_qti21.run(i, **lms_qti21.given(i, one, x))[0]) for n, i in items}


def canvas(item: lms_canvas.Item, one: Built, answer: Any) -> float:
    """Mark in New Quizzes; Classic must agree wherever no part credit and no fifth decimal place is at stake."""
    given = lms_canvas.given(item, one, answer)
    marks = lms_canvas.new_quizzes(item, given)
    if one["type"] not in ("choices", "order") and (one["type"] != "number" or FOUR_PLACES.fullmatch(answer)):
        assert lms_canvas.classic(item, given) == marks
    return marks


def expected(to: str, one: Built, answer: Any) -> float | None:
    """Return the mark that a format should give, as its losses say; None where it counts a part in its own way."""
    ours = float(mark(one, answer).score)
    if one["type"] == "order":
        several = to == "moodle" and ours != 1
        return None if several else float(ours == 1)
    if one["type"] == "choices" and to == "canvas":
        return float(ours == 1)
    if one["type"] == "choices" and to != "qti21":
        return float(mark({**one, "credit": "each"}, answer).score)
    return ours


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize("name", QUIZZES)
def test_what_is_carried_is_marked_as_we_mark_it(tmp_path: Path, name: str, to: str) -> None:
    built = course(name)
    losses = export(name, built, to, "both", tmp_path / "out", render=render)
    found = readers(to, (tmp_path / "out").read_bytes())
    refused = {loss.question for loss in losses if loss.severity == "refused"}
    for question in built["questions"]:
        many = len(question["variants"] or [])
        idents = [f"{question['id']}-{n + 1}" for n in range(many)] if many > 1 else [question["id"]]
        assert all((ident in found) is (question["id"] not in refused) for ident in idents)
        for n, ident in enumerate(idents):
            if ident in found and question["type"] != "reveal":
                agree(to, of_variant(question, n), *found[ident], losses)


def agree(to: str, one: Built, text: str, marks: Marks, losses: list[Loss]) -> None:
    if to != "canvas":  # there maths is LaTeX
        assert shown(one["ask"]) in text
    told = {loss.sentence for loss in losses if loss.question == one["id"]}
    several = to == "moodle" and any("Only one order" in sentence.en for sentence in told)
    for answer in answers(one):
        wanted = expected(to, one, answer)
        if wanted is not None and not (several and wanted == 1):
            assert marks(one, answer) == pytest.approx(wanted, abs=1e-6), (one["id"], answer)
    if one["type"] == "choices" and one["credit"] == "all" and to in ("moodle", "gift"):
        assert CHOICES_ALL in told or sum(c["right"] for c in one["choices"]) == 1
