from __future__ import annotations

from pathlib import Path

import lms_canvas
import pytest
from lms_canvas import Group, Item, given
from lms_quiz import answers, both, made_quiz, question, render, shown, visible

from courselib.quiz.built import Built, of_variant
from courselib.quiz.export import export
from courselib.quiz.exports.losses import Loss
from courselib.quiz.marking import mark

BUILT = made_quiz()
Read = dict[str, Item | Group]


def written(folder: Path, built: Built = BUILT, lang: str = "both") -> tuple[Read, list[Loss]]:
    losses = export("sample", built, "canvas", lang, folder / "out.zip", render=render)
    _, found, _ = lms_canvas.read((folder / "out.zip").read_bytes())
    return {one.title: one for one in found}, losses


@pytest.fixture
def read(tmp_path: Path) -> Read:
    return written(tmp_path)[0]


@pytest.mark.parametrize("name", ["one", "fixed", "single", "chain", "dtypes", "dtype", "shape", "scalar"])
def test_both_kinds_of_quizzes_give_the_mark_that_we_give(read: Read, name: str) -> None:
    one, item, seen = question(BUILT, name), read[name], set()
    for answer in answers(one):
        ours = mark(one, answer).score
        if one["type"] == "order":
            ours = int(ours == 1)  # all or nothing, and said so
        for marks in (lms_canvas.new_quizzes, lms_canvas.classic):
            assert marks(item, given(item, one, answer)) == pytest.approx(float(ours)), (marks, answer)
        seen.add(float(ours))
    assert seen >= {0.0, 1.0}


@pytest.mark.parametrize("name", ["several", "whole"])
def test_several_choices_are_marked_as_the_losses_say(tmp_path: Path, name: str) -> None:
    read, losses = written(tmp_path)
    one, item = question(BUILT, name), read[name]
    for answer in answers(one):
        each, whole = (float(mark({**one, "credit": rule}, answer).score) for rule in ("each", "all"))
        assert lms_canvas.new_quizzes(item, given(item, one, answer)) == whole
        assert lms_canvas.classic(item, given(item, one, answer)) == pytest.approx(each)
    assert any(loss.question == name and "New Quizzes" in loss.sentence.en for loss in losses)


@pytest.mark.parametrize("lang", ["bn", "both"])
def test_numbers_are_marked_alike_and_never_hold_a_bangla_digit(tmp_path: Path, lang: str) -> None:
    read, _ = written(tmp_path, lang=lang)
    cases = [(question(BUILT, "memory"), read["memory"])]
    cases += [(of_variant(question(BUILT, "variants"), n), item) for n, item in enumerate(read["variants"].items)]
    for one, item in cases:
        assert all(v.text.isascii() for v in item.node.iter() if v.tag.endswith(("varequal", "vargte", "varlte")))
        for typed in answers(one):
            ours = float(mark(one, typed).score)
            assert lms_canvas.new_quizzes(item, typed) == ours, typed
            assert lms_canvas.classic(item, typed) == ours, typed


def test_an_exact_number_is_exact_but_for_what_classic_cuts(tmp_path: Path) -> None:
    read, losses = written(tmp_path)
    one = question(BUILT, "exactly")
    for typed in answers(one):
        assert lms_canvas.new_quizzes(read["exactly"], typed) == float(mark(one, typed).score)
    assert [lms_canvas.classic(read["exactly"], typed) for typed in ("4096", "4096.001", "4095.9999", "4096.00001")] == [1, 0, 0, 1]
    assert any(loss.question == "" and "four decimal places" in loss.sentence.en for loss in losses)


def test_variants_become_a_group_of_which_one_is_drawn(read: Read) -> None:
    group = read["variants"]
    assert (group.pick, group.points, len(group.items)) == (1, 1, 3)
    assert len({item.ident for item in group.items}) == 3


def test_what_canvas_would_mark_wrong_is_refused_and_named(tmp_path: Path) -> None:
    read, losses = written(tmp_path)
    refused = {loss.question: loss.sentence.en for loss in losses if loss.severity == "refused"}
    assert set(refused) == {"partial", "distracted"}
    assert "several orders" in refused["partial"]
    assert not set(refused) & set(read)


@pytest.mark.parametrize(
    ("answer", "tolerance", "fine"),
    [
        (0.00009, {"absolute": 0.00001}, False),
        (0.00125, {"relative": 0.005}, False),
        (0.00125, {"relative": 0.1}, True),
        (0.0625, {"exact": True}, True),
        (0.03125, {"exact": True}, False),
        (-0.00004, {"absolute": 1}, False),
        (0, {"absolute": 0.00001}, True),
        ("1/3", {"exact": True}, False),
        ("1/3", {"figures": 3}, True),
        ("2**300", {"exact": True}, True),
        ("2**500 * 2**500", {"exact": True}, False),
    ],
)
def test_a_number_too_fine_for_canvas_is_refused(tmp_path: Path, answer: object, tolerance: dict[str, object], fine: bool) -> None:
    more = {"type": "number", "answer": answer, "tolerance": tolerance, "why": both("why"), "ask": both("fine")}
    read, losses = written(tmp_path, made_quiz("one", fine=more))
    assert ("fine" in read) is fine
    assert any(loss == Loss("fine", loss.sentence, "refused") for loss in losses) is not fine


def test_texts_and_feedback_arrive_as_they_were_written(read: Read) -> None:
    for name, item in read.items():
        one = question(BUILT, name)
        for each in item.items if isinstance(item, Group) else [item]:
            assert visible(each.text).startswith(shown(one["ask"]).split("[dtype_1]")[0])
            assert shown(one["ask"]) in visible(each.text)
    for choice in question(BUILT, "one")["choices"]:
        assert visible(read["one"].feedback(f"{choice['id']}_fb")) == shown(choice["why"])
    for name in ("memory", "chain", "shape"):
        assert visible(read[name].feedback("correct_fb")) == shown(question(BUILT, name)["why"])
    assert visible(read["think"].feedback("general_fb")) == shown(question(BUILT, "think")["model"])
    assert all(shown(n["why"]) in visible(read["dtypes"].feedback("correct_fb")) for n in question(BUILT, "dtypes")["names"])


def test_a_text_that_reads_like_a_blank_is_none(read: Read) -> None:
    assert read["dtypes"].text.count("[dtype_1]") == 1
    assert "[dtype_1]" in shown(question(BUILT, "dtypes")["ask"])


def test_an_essay_and_the_points(read: Read) -> None:
    assert read["think"].kind == "essay_question"
    assert lms_canvas.interaction(read["think"]) == "essay"
    assert {name: one.points for name, one in read.items() if one.points != 1} == {
        "one": 2,
        "memory": 3,
        "chain": 2,
        "dtype": 2,
        "think": 0,
    }


def test_formulas_become_latex_and_code_stays(tmp_path: Path) -> None:
    more = {"ask": {"bn": "$2n^3 < 4$ আর `$x$`", "en": "$2n^3 < 4$ and `$x$`, $5 or $6"}, "type": "reveal", "model": "m"}
    built = made_quiz("one", maths=more)
    losses = export("sample", built, "canvas", "both", tmp_path / "out.zip", render=render)
    text = next(one for one in lms_canvas.read((tmp_path / "out.zip").read_bytes())[1] if one.title == "maths").text
    assert text.count(r"\(2n^3 &lt; 4\)") == 2
    assert "<code>$x$</code>" in text
    assert "$5 or $6" in text
    assert any(loss.question == "" and "LaTeX" in loss.sentence.en for loss in losses)
    assert not any("LaTeX" in loss.sentence.en for loss in written(tmp_path)[1])


def test_the_package_is_the_same_every_time_and_carries_its_title(tmp_path: Path) -> None:
    written(tmp_path)
    first = (tmp_path / "out.zip").read_bytes()
    written(tmp_path)
    assert (tmp_path / "out.zip").read_bytes() == first
    title, _, settings = lms_canvas.read(first)
    assert title == "কুইজ / এক: $x$ / Quiz / one & {two}"
    assert next(settings.iter("{http://canvas.instructure.com/xsd/cccv1p0}shuffle_answers")).text == "false"
