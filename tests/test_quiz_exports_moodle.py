from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import lms_moodle
import pytest
from lms_moodle import Asked, given
from lms_quiz import answers, both, choices, made_quiz, question, render, shown, visible

from courselib.quiz.built import Built, of_variant
from courselib.quiz.export import export
from courselib.quiz.exports.losses import Loss
from courselib.quiz.marking import Verdict, mark
from courselib.quiz.telling import told

READ = {"moodle": lms_moodle.read_xml, "gift": lms_moodle.read_gift}
BUILT = made_quiz()
Read = dict[str, Asked]


def written(folder: Path, to: str, built: Built = BUILT, lang: str = "both") -> tuple[Read, list[Loss]]:
    losses = export("sample", built, to, lang, folder / "out", render=render)
    return {asked.name: asked for asked in READ[to]((folder / "out").read_bytes())}, losses


@pytest.fixture(params=["moodle", "gift"])
def to(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def read(tmp_path: Path, to: str) -> Read:
    return written(tmp_path, to)[0]


def agrees(asked: Asked, one: Built) -> set[float]:
    """Hold Moodle's mark of every answer to ours; return the scores that occurred."""
    seen = set()
    for answer in answers(one):
        ours = mark(one, answer)
        theirs, said = lms_moodle.grade(asked, given(asked, one, answer))
        assert theirs == pytest.approx(float(ours.score), abs=1e-6), (one["id"], answer)
        if one["type"] != "dtypes":  # those are looked at one by one below
            assert [visible(text) for text in said if text] == reasons(one, ours)
        seen.add(float(ours.score))
    return seen


def reasons(one: Built, ours: Verdict) -> list[str]:
    """Return what the author says of an answer: why it is right or wrong, and which slip it is."""
    kept = replace(ours, notes=[note for note in ours.notes if note[0] in ("why", "slip")])
    return [shown({"bn": text.bn, "en": text.en}) for text in told(one, kept)]


@pytest.mark.parametrize("name", ["one", "fixed", "several", "single", "exactly", "shape", "scalar"])
def test_every_answer_gets_the_mark_that_we_give(read: Read, name: str) -> None:
    assert agrees(read[name], question(BUILT, name)) >= {0.0, 1.0}


@pytest.mark.parametrize("name", ["dtypes", "dtype"])
def test_drop_downs_are_marked_name_by_name(tmp_path: Path, name: str) -> None:
    read, _ = written(tmp_path, "moodle")
    assert agrees(read[name], question(BUILT, name)) >= {0.0, 1.0}


def test_a_number_is_marked_alike_but_for_the_slip_that_was_left_out(tmp_path: Path, to: str) -> None:
    read, losses = written(tmp_path, to)
    one = question(BUILT, "memory")
    bare = {**one, "slips": [s for s in one["slips"] if s["id"] != "near"]}
    assert agrees(read["memory"], bare) == {0.0, 1.0}
    assert any(loss.question == "memory" and "slip near" in loss.sentence.en for loss in losses)


def test_units_are_worth_what_we_take_them_for(tmp_path: Path) -> None:
    read, _ = written(tmp_path, "moodle")
    one = question(BUILT, "memory")
    for typed in ("762.9 MB", "762.9MB", "0.745 GB", "0.75 GB", "781250 KB", "781000 KB", "7.629e2", "7.629x10^2 MB", "-762.9"):
        assert lms_moodle.grade(read["memory"], typed)[0] == float(mark(one, typed).score), typed


def test_variants_lie_in_a_category_of_their_own(tmp_path: Path, to: str) -> None:
    read, losses = written(tmp_path, to)
    one, homes = question(BUILT, "variants"), {asked.category for asked in read.values()}
    assert sorted(homes, key=len)[0] == "$course$/top/কুইজ // এক: $x$ // Quiz // one & {two}"  # a slash within a name is doubled
    assert len(homes) == 2
    for n in range(3):
        asked = read[f"variants-{n + 1}"]
        assert asked.category == f"{read['exactly'].category}/variants"
        assert agrees(asked, of_variant(one, n)) == {0.0, 1.0}
    assert {loss.question for loss in losses if "variants" in loss.sentence.en} == {"variants"}


def test_an_order_that_is_the_only_right_one(tmp_path: Path) -> None:
    """Both languages of GIFT and XML know right from wrong; only XML has part credit, counted by the longest part."""
    one = question(BUILT, "chain")
    whole, parts = written(tmp_path, "gift")[0]["chain"], written(tmp_path, "moodle")[0]["chain"]
    for answer in answers(one):
        ours = mark(one, answer).score
        assert lms_moodle.grade(whole, given(whole, one, answer))[0] == float(ours == 1)
        theirs = lms_moodle.grade(parts, given(parts, one, answer))[0]
        kept = int(ours * 3) + 1  # three steps may earn something, the first is free
        assert theirs == (kept / 4 if kept > 1 else 0)


def test_of_several_right_orders_the_authors_is_kept(tmp_path: Path) -> None:
    read, losses = written(tmp_path, "moodle")
    asked, one = read["partial"], question(BUILT, "partial")
    written_order = [s["id"] for s in one["steps"]]
    assert lms_moodle.grade(asked, given(asked, one, written_order))[0] == 1
    for answer in answers(one):
        if lms_moodle.grade(asked, given(asked, one, answer))[0] == 1:
            assert mark(one, answer).score == 1
    assert any(loss.question == "partial" and "Only one order" in loss.sentence.en for loss in losses)


def test_gift_refuses_what_it_would_mark_wrong(tmp_path: Path) -> None:
    read, losses = written(tmp_path, "gift")
    refused = {loss.question for loss in losses if loss.severity == "refused"}
    assert refused == {"partial", "distracted", "dtypes", "dtype"}
    assert not refused & set(read)


def test_all_or_nothing_becomes_part_credit_and_says_so(tmp_path: Path, to: str) -> None:
    read, losses = written(tmp_path, to)
    one = question(BUILT, "whole")
    assert lms_moodle.grade(read["whole"], given(read["whole"], one, ["c0", "c2"]))[0] == 1
    assert lms_moodle.grade(read["whole"], given(read["whole"], one, ["c0"]))[0] == 0.5
    assert any(loss.question == "whole" and "all points or none" in loss.sentence.en for loss in losses)
    assert not any(loss.question == "single" and "all points or none" in loss.sentence.en for loss in losses)


def test_the_texts_arrive_as_they_were_written(read: Read, to: str) -> None:
    for name, asked in read.items():
        one = question(BUILT, name.split("-")[0])
        assert visible(asked.text).startswith(shown(one["ask"])), name
    assert visible(read["think"].general) == shown(question(BUILT, "think")["model"])
    why = read["chain"].general if to == "gift" else read["chain"].told
    assert visible(why) == shown(question(BUILT, "chain")["why"])
    assert "{1:SA:=x}" in visible(read["exactly"].text)


def test_slips_and_reasons_of_drop_downs_arrive(tmp_path: Path) -> None:
    read, _ = written(tmp_path, "moodle")
    asked, one = read["dtypes"], question(BUILT, "dtypes")
    assert "torch.ones(2, dtype=torch.float16)" in visible(asked.text)
    assert len(asked.parts) == 3
    said = {(n, a.text): visible(a.feedback) for n, part in enumerate(asked.parts) for a in part.answers if a.feedback}
    assert said == {
        (0, "float16"): shown(one["names"][0]["why"]),
        (1, "float16"): shown(one["names"][1]["why"]),
        (1, "float32"): shown(one["slips"][0]["why"]),
        (2, "int64"): shown(one["names"][2]["why"]),
    }


def test_moodle_keeps_points_hints_and_shuffling(tmp_path: Path) -> None:
    read, losses = written(tmp_path, "moodle")
    assert {name: asked.mark for name, asked in read.items() if asked.mark != 1} == {
        "one": 2, "memory": 3, "chain": 2, "dtypes": 3, "dtype": 2, "think": 0,
    }  # fmt: skip
    assert [visible(h) for h in read["one"].hints] == [shown(h) for h in question(BUILT, "one")["hints"]]
    assert (read["one"].shuffle, read["fixed"].shuffle) == (True, False)
    assert any(loss.question == "dtypes" and "counts 3 points" in loss.sentence.en for loss in losses)


def test_gift_names_the_points_and_hints_it_drops(tmp_path: Path) -> None:
    _, losses = written(tmp_path, "gift")
    assert {loss.question for loss in losses if "no points" in loss.sentence.en} == {"one", "memory", "chain", "think"}
    assert {loss.question for loss in losses if "hints" in loss.sentence.en} == {"one", "think"}
    assert {loss.question for loss in losses if "shuffled" in loss.sentence.en} == {"fixed"}


@pytest.mark.parametrize("lang", ["bn", "en"])
def test_one_language_alone(tmp_path: Path, to: str, lang: str) -> None:
    read, _ = written(tmp_path, to, lang=lang)
    assert visible(read["one"].text) == shown(question(BUILT, "one")["ask"], lang)
    assert f'<div lang="{lang}">' in read["one"].text
    assert "lang=" in read["one"].text.replace(f'lang="{lang}"', "", 1) or read["one"].text.count("lang=") == 1


def test_blank_lines_and_slashes_of_a_program_break_no_question(tmp_path: Path, to: str) -> None:
    program = "y = torch.zeros(2)\n\n// = { } # not Python\n\n::name::\n$CATEGORY: x"
    built = made_quiz("one", "shape", "fixed")
    question(built, "shape")["program"] = program
    read, _ = written(tmp_path, to, built)
    assert set(read) == {"one", "shape", "fixed"}
    assert " ".join(program.split()) in visible(read["shape"].text)
    assert len({asked.category for asked in read.values()}) == 1
    lines = re.search("<pre><code[^>]*>(.*?)</code></pre>", read["shape"].text, re.DOTALL)[1]
    assert unescape(lines).rstrip("\n") == program


def test_numbers_are_ascii_whatever_the_language(tmp_path: Path, to: str) -> None:
    read, _ = written(tmp_path, to, lang="bn")
    for asked in read.values():
        if asked.kind == "numerical":
            assert all(a.text.isascii() and a.text != "*" for a in asked.answers)
    assert lms_moodle.grade(read["exactly"], "৪০৯৬") == (0, ["invalid number"])  # Moodle reads no Bangla digits: hence the loss


@pytest.mark.parametrize(
    ("key", "tolerance", "carried"),
    [
        ("2**-126", {"relative": 0.01}, False),
        ("2**-60", {"relative": 0.01}, True),
        ("1e-20", {"exact": True}, False),
        ("1e-15", {"exact": True}, True),
        (0, {"exact": True}, True),
        (0, {"absolute": 1e-9}, True),
    ],
)
def test_a_number_that_moodle_cannot_tell_from_nothing_is_refused(
    tmp_path: Path, to: str, key: object, tolerance: dict[str, object], carried: bool
) -> None:
    small = {"type": "number", "answer": key, "tolerance": tolerance, "why": both("why"), "ask": both("small")}
    built = made_quiz("one", small=small)
    read, losses = written(tmp_path, to, built)
    assert ("small" in read) is carried
    assert any("take 0 for it" in loss.sentence.en for loss in losses) is not carried
    if carried:
        assert lms_moodle.grade(read["small"], "0")[0] == float(mark(question(built, "small"), "0").score)


@pytest.mark.parametrize("right", range(1, 11))
def test_every_count_of_right_choices_has_a_fraction_of_moodles(tmp_path: Path, to: str, right: int) -> None:
    built = made_quiz(many={"type": "choices", "choices": choices([n < right for n in range(10)]), "ask": both("many")})
    read, _ = written(tmp_path, to, built)
    one = built["questions"][0]
    for answer in (["c0"], [f"c{n}" for n in range(right)], [f"c{n}" for n in range(10)], [f"c{n}" for n in range(min(right + 1, 10))]):
        ours = mark(one, answer).score
        assert lms_moodle.grade(read["many"], given(read["many"], one, answer))[0] == pytest.approx(float(ours), abs=1e-6)
