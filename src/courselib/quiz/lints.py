"""What an author should look at again before a learner does: each lint is a sentence about one question or the whole quiz."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from courselib.course import Both
from courselib.quiz import order
from courselib.quiz import questions as q
from courselib.quiz.built import Built, of_variant
from courselib.quiz.marking import exact
from courselib.quiz.source import Quiz
from courselib.strict_yaml import Strict
from courselib.text import Text, say

ENOUGH = 8  # choice questions; with fewer, a bias is chance
BIAS = 0.6  # of the right ones at one place, or the longest of their question
BANGLA = re.compile("[\u0980-\u09ff]")
WORDS = re.compile(r"[A-Za-z]{3,}")
TERMS = 3  # English words that may stand alone in a Bangla text: more are a sentence
CODE = re.compile(r"```.*?```|`[^`]*`|\$[^$]*\$", re.DOTALL)
FORBIDDEN = re.compile(r"<[A-Za-z/!]|!\[|\]\(")  # raw HTML, images, links


def lints(source: Quiz, built: Built) -> list[Text]:
    """Return what speaks against a quiz; an empty list where nothing does."""
    found = [*_texts("title", source.title), *_texts("about", source.about), *_biases(source)]
    for question, key in zip(source.questions, built["questions"], strict=True):
        found += [say("{q}: {s}", "{q}: {s}", q=question.id, s=s) for s in _of(question, key)]
    return found


def _of(question: q.AnyQuestion, built: Built) -> Iterator[Text]:
    yield from _every_text(question)
    match question:
        case q.ChoiceQuestion() | q.ChoicesQuestion():
            yield from _twice(question)
        case q.NumberQuestion():
            yield from _slips(built)
        case q.OrderQuestion():
            if question.start and order.right(question.start, question.before):
                yield say("শুরুর ক্রমটিই ঠিক উত্তর", "the start order is already right")


def _twice(question: q.ChoiceQuestion | q.ChoicesQuestion) -> Iterator[Text]:
    for lang in ("bn", "en"):
        texts = Counter(" ".join(getattr(c.text, lang).split()).casefold() for c in question.choices)
        for text, times in texts.items():
            if times > 1:
                yield say("দুটি বিকল্প হুবহু এক: {t}", "two choices read alike: {t}", t=text[:60])


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


def _every_text(value: object, where: str = "") -> Iterator[Text]:
    """Look at every text of a question, however deep it lies."""
    if isinstance(value, Both):
        yield from _texts(where, value)
    elif isinstance(value, Strict):
        for name in type(value).model_fields:
            yield from _every_text(getattr(value, name), name)
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _every_text(item, where)


def _texts(where: str, text: Both) -> Iterator[Text]:
    """Find a language that is missing, and marks that no page or LMS takes."""
    bn, en = CODE.sub("", text.bn), CODE.sub("", text.en)
    if BANGLA.search(en):
        yield say("{w}: ইংরেজি লেখায় বাংলা আছে", "{w}: Bangla in the English text", w=where)
    if text.bn != text.en and not BANGLA.search(bn) and len(WORDS.findall(bn)) >= TERMS:
        yield say("{w}: বাংলা লেখাটি বাংলা নয়", "{w}: the Bangla text has no Bangla", w=where)
    if text.bn == text.en and len(WORDS.findall(en)) > TERMS:
        yield say("{w}: দুই ভাষায় একই লেখা", "{w}: one text for both languages", w=where)
    for lang in (text.bn, text.en):
        if lang.count("```") % 2 or FORBIDDEN.search(CODE.sub("", lang)):
            yield say("{w}: HTML, ছবি, link বা বন্ধ না হওয়া ``` আছে", "{w}: HTML, an image, a link or an open ```", w=where)
