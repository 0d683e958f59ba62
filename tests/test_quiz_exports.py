from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from pathlib import Path

import lms_moodle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lms_quiz import both, made_quiz, render, visible

from courselib.quiz.export import FORMATS, LANGS, export
from courselib.quiz.exports.decimals import decimal, is_decimal
from courselib.quiz.exports.draft import fenced, ticked
from courselib.quiz.exports.losses import Loss
from courselib.quiz.exports.spellings import spellings
from courselib.quiz.exports.tree import elements
from courselib.quiz.marking import read_shape
from courselib.quiz.order import right
from courselib.quiz.right import right_orders
from courselib.text import Text
from courselib.trouble import Trouble


@settings(max_examples=40, deadline=None)
@given(st.integers(-(10**12), 10**12), st.integers(0, 30))
def test_a_decimal_is_exact_wherever_it_can_be(top: int, places: int) -> None:
    value = Fraction(top, 10**places)
    text = decimal(value)
    assert Fraction(text) == value
    assert set(text) <= set("-.0123456789")


@settings(max_examples=40, deadline=None)
@given(st.fractions(max_denominator=10**6))
def test_other_numbers_are_written_to_the_last_figure_of_a_float(value: Fraction) -> None:
    assert float(decimal(value)) == pytest.approx(float(value), rel=3e-16, abs=0)
    assert is_decimal(value) == (Fraction(decimal(value)) == value)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 10**6), max_size=5))
def test_every_spelling_is_one_that_we_read_as_that_shape(shape: list[int]) -> None:
    ways = spellings(shape)
    assert len(set(ways)) == len(ways)
    assert all(read_shape(way) == shape and way.isprintable() and "*" not in way for way in ways)
    assert f"{tuple(shape)}" in ways


@settings(max_examples=40, deadline=None)
@given(st.sets(st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda pair: pair[0] < pair[1])))
def test_the_right_orders_are_those_that_marking_takes(pairs: set[tuple[int, int]]) -> None:
    names = [f"s{n}" for n in (3, 0, 4, 1, 2)]
    before = {name: {f"s{a}" for a, b in pairs if f"s{b}" == name} for name in names}
    for _ in names:  # all that must come before, through others too
        before = {name: earlier.union(*(before[e] for e in earlier)) for name, earlier in before.items()}
    steps = [{"id": name, "after": sorted(before[name]), "extra": False} for name in names]
    found = right_orders({"steps": steps}, 1000)
    assert set(found) == {order for order in permutations(names) if right(order, before)}
    assert found[0] == min(found, key=lambda order: [names.index(name) for name in order])


@pytest.mark.parametrize("text", ["x", "a`b", "``", "```\ncode\n```", "`"])
def test_code_is_quoted_whatever_backticks_it_has(text: str) -> None:
    assert render(fenced(text)).count("<code") == 1
    assert visible(render(fenced(text))) == " ".join(text.split())
    if "\n" not in text and not text.startswith("`"):
        assert visible(render(ticked(text))) == text


def test_html_becomes_elements_whatever_its_form() -> None:
    made = elements('<p lang="bn">a<br>b<wbr>c &amp; &nbsp;c</p><math><mi>x</mi></math><img src="y"/>d</b>')
    assert "".join(made.itertext()) == "abc & \xa0cxd"
    assert [one.tag for one in made.iter()] == ["div", "p", "br", "math", "mi", "img"]
    assert made[0].get("xml:lang") == "bn"
    assert made[1].get("xmlns") == "http://www.w3.org/1998/Math/MathML"


@pytest.mark.parametrize("to", FORMATS)
def test_a_control_character_is_refused_by_name(tmp_path: Path, to: str) -> None:
    bad = {"type": "reveal", "ask": {"bn": "a\x0bb", "en": "a"}, "model": "m"}
    losses = export("sample", made_quiz("one", bad=bad), to, "both", tmp_path / "out", render=render)
    assert [(loss.question, loss.severity) for loss in losses if loss.question == "bad"] == [("bad", "refused")]


@pytest.mark.parametrize("to", FORMATS)
def test_a_quiz_of_which_nothing_remains_is_no_file(tmp_path: Path, to: str) -> None:
    never = {"type": "number", "answer": "1/3", "tolerance": {"exact": True}, "why": both("why"), "ask": both("ask")}
    with pytest.raises(Trouble, match="no decimal writes the key"):
        export("sample", made_quiz(never=never), to, "en", tmp_path / "out", render=render)
    assert not (tmp_path / "out").exists()


def test_an_unknown_format_or_language_is_said(tmp_path: Path) -> None:
    for to, lang in (("aiken", "en"), ("gift", "fr")):
        with pytest.raises(Trouble, match="moodle, gift, canvas, qti21"):
            export("sample", made_quiz("one"), to, lang, tmp_path / "out", render=render)


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize("lang", LANGS)
def test_every_loss_is_a_sentence_in_both_languages_about_a_question_of_the_quiz(tmp_path: Path, to: str, lang: str) -> None:
    built = made_quiz()
    losses = export("sample", built, to, lang, tmp_path / "out", render=render)
    assert {loss.question for loss in losses} <= {"", *(q["id"] for q in built["questions"])}
    assert len(set(losses)) == len(losses)
    for loss in losses:
        assert isinstance(loss.sentence, Text)
        assert any("\u0980" <= letter <= "\u09ff" for letter in loss.sentence.bn)
        assert loss.sentence.en.isascii() or "০-৯" in loss.sentence.en
        assert "{" not in loss.sentence.bn + loss.sentence.en


@pytest.mark.parametrize("to", FORMATS)
def test_a_refused_question_has_no_other_loss(tmp_path: Path, to: str) -> None:
    losses = export("sample", made_quiz(), to, "both", tmp_path / "out", render=render)
    refused = {loss.question for loss in losses if loss.severity == "refused"}
    assert all(sum(loss.question == name for loss in losses) == 1 for name in refused)


def test_a_number_beyond_a_floats_figures_is_said(tmp_path: Path) -> None:
    long = {"type": "number", "answer": "2**60 + 1", "tolerance": {"exact": True}, "why": both("why"), "ask": both("ask")}
    losses = export("sample", made_quiz(long=long), "moodle", "en", tmp_path / "out", render=render)
    assert any(isinstance(loss, Loss) and "15 figures" in loss.sentence.en for loss in losses)
    read = lms_moodle.read_xml((tmp_path / "out").read_bytes())[0]
    assert lms_moodle.grade(read, str(2**60))[0] == 1  # which is why
