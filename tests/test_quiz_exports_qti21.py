from __future__ import annotations

from pathlib import Path

import lms_qti21
import pytest
from lms_qti21 import Item, given, tidy
from lms_quiz import answers, both, made_quiz, question, render, shown

from courselib.quiz.built import Built, of_variant
from courselib.quiz.export import export
from courselib.quiz.exports.losses import Loss
from courselib.quiz.marking import mark

BUILT = made_quiz()
Read = dict[str, Item]


def written(folder: Path, built: Built = BUILT, lang: str = "both") -> tuple[Read, list[Loss]]:
    losses = export("sample", built, "qti21", lang, folder / "out.zip", render=render)
    return lms_qti21.read((folder / "out.zip").read_bytes())[1], losses


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Read:
    return written(tmp_path_factory.mktemp("qti"))[0]


@pytest.mark.parametrize("name", ["one", "fixed", "several", "whole", "single", "memory", "exactly", "dtypes", "dtype", "shape", "scalar"])
def test_every_answer_gets_the_mark_that_we_give(read: Read, name: str) -> None:
    one, seen = question(BUILT, name), set()
    for answer in answers(one):
        ours = float(mark(one, answer).score)
        assert lms_qti21.run(read[name], **given(read[name], one, answer))[0] == pytest.approx(ours), answer
        seen.add(ours)
    assert seen >= {0.0, 1.0}


@pytest.mark.parametrize("name", ["chain", "partial", "distracted"])
def test_every_right_order_and_no_other_is_right(read: Read, name: str) -> None:
    one, right = question(BUILT, name), 0
    for answer in answers(one):
        ours = mark(one, answer).score
        score, said = lms_qti21.run(read[name], **given(read[name], one, answer))
        assert score == float(ours == 1)
        assert ("why" in said) is (ours == 1)
        right += ours == 1
    assert right == {"chain": 1, "partial": 3, "distracted": 2}[name]


@pytest.mark.parametrize("name", ["one", "several", "memory", "shape", "dtypes", "distracted"])
def test_the_feedback_is_what_our_notes_say(read: Read, name: str) -> None:
    one, item = question(BUILT, name), read[name]
    fields = {n["name"]: f"RESPONSE_{k + 1}" for k, n in enumerate(one.get("names", ()))}
    for answer in answers(one):
        notes = mark(one, answer).notes
        said = lms_qti21.run(item, **given(item, one, answer))[1]
        wanted = {"_".join(map(str, note)) for note in notes if note[0] in ("why", "left_out", "slip", "extra")}
        wanted |= {f"why_{fields[note[1]]}" for note in notes if note[0] == "name_right"}
        assert said == wanted, answer
        assert all(text.strip() for text in item.told(said).values())


def test_variants_are_drawn_one_by_one(tmp_path: Path) -> None:
    written(tmp_path)
    _, items, drawn = lms_qti21.read((tmp_path / "out.zip").read_bytes())
    assert [refs for refs in drawn if len(refs) > 1] == [["variants-1", "variants-2", "variants-3"]]
    for n, ident in enumerate(["variants-1", "variants-2", "variants-3"]):
        one = of_variant(question(BUILT, "variants"), n)
        for answer in answers(one):
            assert lms_qti21.run(items[ident], RESPONSE=float(answer))[0] == float(mark(one, answer).score)


def test_nothing_given_earns_nothing_and_a_model_answer_is_shown(read: Read) -> None:
    for item in read.values():
        score, said = lms_qti21.run(item)
        assert (score, said - {"model"}) == (0, set())
    assert tidy(read["think"].told(lms_qti21.run(read["think"])[1])["model"]) == shown(question(BUILT, "think")["model"])


def test_the_declared_right_answers_are_right(read: Read) -> None:
    for name, item in read.items():
        if item.points:
            declared = {field: item.right(field) for field in item.responses}
            single = {field: r.get("cardinality") == "single" for field, r in item.responses.items()}
            right = {field: values[0] if single[field] else values for field, values in declared.items()}
            if item.responses.get("RESPONSE") is not None and item.responses["RESPONSE"].get("baseType") == "float":
                right = {"RESPONSE": float(right["RESPONSE"])}
            assert lms_qti21.run(item, **right)[0] == 1, name


def test_the_texts_arrive_as_they_were_written(read: Read) -> None:
    for name, item in read.items():
        assert shown(question(BUILT, name.split("-")[0])["ask"]) in tidy(item.text)


def test_too_many_right_orders_are_refused(tmp_path: Path) -> None:
    steps = [{"id": f"s{n}", "text": both(f"step {n}"), "after": ["s0"] if n == 1 else []} for n in range(6)]
    loose = {"type": "order", "steps": steps, "why": both("why"), "ask": both("loose")}
    read, losses = written(tmp_path, made_quiz("one", loose=loose))
    assert set(read) == {"one"}
    assert [(loss.question, loss.severity) for loss in losses if loss.question == "loose"] == [("loose", "refused")]


def test_formulas_stay_mathml(tmp_path: Path) -> None:
    maths = {"ask": {"bn": "$n$ কত?", "en": "What is $n$?"}, "type": "reveal", "model": "m"}
    read, _ = written(tmp_path, made_quiz(maths=maths))
    found = [one for one in read["maths"].node.iter() if one.tag == "{http://www.w3.org/1998/Math/MathML}math"]
    assert ["".join(one.itertext()) for one in found] == ["n", "n"]
