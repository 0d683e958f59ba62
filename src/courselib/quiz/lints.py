"""What an author should look at again before a learner does: each lint is a sentence about one question or the whole quiz."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction

from courselib.quiz import order
from courselib.quiz import questions as q
from courselib.quiz.built import Built, of_variant
from courselib.quiz.marking import exact
from courselib.quiz.source import Quiz
from courselib.quiz.wording import every_text, texts
from courselib.text import Text, say

ENOUGH = 8  # choice questions; with fewer, a bias is chance
BIAS = 0.6  # of the right ones at one place, or the longest of their question
TELLING = {"right", "correct", "wrong", "incorrect", "true", "false", "answer", "extra", "distractor", "trap", "slip"}


def lints(source: Quiz, built: Built) -> list[Text]:
    """Return what speaks against a quiz; an empty list where nothing does."""
    found = [*texts("title", source.title), *texts("about", source.about), *_biases(source)]
    for question, key in zip(source.questions, built["questions"], strict=True):
        found += [say("{q}: {s}", "{q}: {s}", q=question.id, s=s) for s in _of(question, key)]
    return list(dict.fromkeys(found))  # variants may share a fault


def _of(question: q.AnyQuestion, built: Built) -> Iterator[Text]:
    yield from every_text(question)
    match question:
        case q.ChoiceQuestion() | q.ChoicesQuestion():
            yield from _twice(question)
            yield from _telling(c.id for c in question.choices)
        case q.NumberQuestion():
            yield from _slips(built)
            yield from _alike(built)
        case q.DtypesQuestion():
            keys = {(n["name"], n["dtype"]) for n in built["names"]}
            yield from (_key_itself(s["id"]) for s in built["slips"] if (s["name"], s["dtype"]) in keys)
        case q.ShapeQuestion():
            yield from (_key_itself(s["id"]) for s in built["slips"] if s["shape"] == built["shape"])
        case q.OrderQuestion():
            yield from _telling(s.id for s in question.steps)
            if question.start and order.right(question.start, question.before):
                yield say("শুরুর ক্রমটিই ঠিক উত্তর", "the start order is already right")


def _twice(question: q.ChoiceQuestion | q.ChoicesQuestion) -> Iterator[Text]:
    for lang in ("bn", "en"):
        texts = Counter(" ".join(getattr(c.text, lang).split()).casefold() for c in question.choices)
        for text, times in texts.items():
            if times > 1:
                yield say("দুটি বিকল্প হুবহু এক: {t}", "two choices read alike: {t}", t=text[:60])


def _telling(ids: Iterable[str]) -> Iterator[Text]:
    """Find ids that give a choice or a step away: a page without its keys still holds them."""
    for name in ids:
        if TELLING.intersection(name.split("_")):
            yield say("{n} নামটিই উত্তর বলে দেয়", "the id {n} gives the answer away", n=name)


def _alike(built: Built) -> Iterator[Text]:
    """Find variants that ask the same: a number that is given, but stands in no text of one language."""
    asked = [one["ask"] for one in built["variants"] or []]
    if any(len({ask[lang] for ask in asked}) < len(asked) for lang in ("bn", "en")):
        yield say("একাধিক variant-এর প্রশ্ন হুবহু এক", "some variants ask the very same")


def _key_itself(slip: str) -> Text:
    return say("slip {s} নিজেই ঠিক উত্তর", "the slip {s} is the right answer itself", s=slip)


def _slips(built: Built) -> Iterator[Text]:
    """Find slips that the key's tolerance, or an earlier slip's, covers."""
    for number in range(len(built["variants"] or [0])):
        one = of_variant(built, number)
        bands = [("", exact(one["key"]), exact(one["within"]))]
        for slip in one["slips"]:
            key, within = exact(slip["key"]), exact(slip["within"])
            if any(_overlap(key, within, *band[1:]) for band in bands[:1]):
                yield say(
                    "slip {s} ঠিক উত্তরের tolerance-এর ভেতরে পড়ে", "the slip {s} lies within the right answer's tolerance", s=slip["id"]
                )
            elif any(abs(key - middle) <= width for _, middle, width in bands[1:]):
                yield say("slip {s} আগের একটি slip-এ ঢাকা পড়ে", "the slip {s} is covered by an earlier one", s=slip["id"])
            bands.append((slip["id"], key, within))


def _overlap(a: Fraction, near_a: Fraction, b: Fraction, near_b: Fraction) -> bool:
    return abs(a - b) <= near_a + near_b


def _biases(source: Quiz) -> Iterator[Text]:
    """Find a habit that gives the right choice away: always the same place, always the longest."""
    asked = [question for question in source.questions if isinstance(question, q.ChoiceQuestion)]
    if len(asked) < ENOUGH:
        return
    places = Counter(next(i for i, c in enumerate(question.choices) if c.right) for question in asked)
    place, times = places.most_common(1)[0]
    if times > BIAS * len(asked):
        yield say(
            "{n}টির {t}টিতে ঠিক উত্তর {p} নম্বরে",
            "the right choice stands at place {p} in {t} of {n} questions",
            n=len(asked),
            t=times,
            p=place + 1,
        )
    longest = sum(max(question.choices, key=lambda c: len(c.text.en)).right for question in asked)
    if longest > BIAS * len(asked):
        yield say("{n}টির {t}টিতে ঠিক উত্তরই সবচেয়ে লম্বা", "the right choice is the longest in {t} of {n} questions", n=len(asked), t=longest)
