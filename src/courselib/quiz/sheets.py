"""An answer sheet: what somebody answered to one quiz, as the page saves it or a person types it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from courselib import strict_yaml
from courselib.course import Name
from courselib.quiz.built import Built, of_variant
from courselib.quiz.marking import Verdict, mark
from courselib.quiz.variants import variant_of
from courselib.strict_yaml import Strict
from courselib.text import Text, say
from courselib.trouble import Trouble

MAX_BYTES = 1_000_000


class Sheet(Strict):
    """The answers of one person to one quiz, by question."""

    quiz: Name
    student: str = ""
    answers: dict[str, Any]
    variants: dict[str, int] = Field(default_factory=dict)
    attempts: dict[str, int] = Field(default_factory=dict)


@dataclass(frozen=True)
class Marked:
    """A marked sheet: a verdict for each question of the quiz, as the person met it, and what else is to be said."""

    quiz: str
    verdicts: list[tuple[Built, Verdict]]
    notes: list[Text]

    @property
    def score(self) -> Fraction:
        """Return the points earned, exactly."""
        whole = sum(q["points"] for q, v in self.verdicts if v.state == "right")
        return sum((v.score * q["points"] for q, v in self.verdicts if v.state == "part"), Fraction(whole))

    @property
    def possible(self) -> int:
        """Return the points of the whole quiz."""
        return sum(q["points"] for q, _ in self.verdicts)


def read(path: Path, data: bytes) -> Sheet:
    """Read a sheet, JSON or YAML; raise `Trouble` with its place for what does not fit."""
    if len(data) > MAX_BYTES:
        raise Trouble(say("{f}: {n} byte; {m}-এর বেশি নয়।", "{f}: {n} bytes; at most {m}.", f=path.name, n=len(data), m=MAX_BYTES))
    if path.suffix.lower() == ".json" and (sheet := _quickly(data)):
        return sheet
    try:
        return strict_yaml.parse(path, data, Sheet)
    except Trouble:
        if path.suffix.lower() == ".json" and (cut_off := _cut_off(path, data)):
            raise cut_off from None
        raise


def _cut_off(path: Path, data: bytes) -> Trouble | None:
    """Say where what begins as JSON is none: the words of the reader of YAML would mean nothing to whoever saved it from a page."""
    try:
        json.loads(data.decode("utf-8-sig"))
    except json.JSONDecodeError as fault:
        if data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] != b"{":
            return None
        return Trouble(
            say(
                "{p}:{l}:{c}: এই JSON নষ্ট বা মাঝপথে কাটা; quiz-এর পাতা থেকে আবার নামিয়ে জমা দাও।",
                "{p}:{l}:{c}: this JSON is damaged or cut off; save it from the quiz's page again and hand that in.",
                p=path.name,
                l=fault.lineno,
                c=fault.colno,
            )
        )
    except (ValueError, RecursionError):
        return None
    return None


def _quickly(data: bytes) -> Sheet | None:
    """Read JSON as it should be; None leaves it to the reader that can say what is wrong and where."""
    try:
        return Sheet.model_validate(json.loads(data.decode("utf-8-sig"), object_pairs_hook=_once))
    except (ValueError, RecursionError, ValidationError):
        return None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands twice")
    return found


def marked(built: Built, sheet: Sheet, variant: Callable[[Built], int]) -> Marked:
    """Mark a sheet; `variant` says which variant of a question its person had. Raise `Trouble` for another quiz's sheet."""
    if sheet.quiz != built["quiz"]:
        raise Trouble(say("এটি {a} quiz-এর উত্তর, {b}-এর নয়।", "this sheet answers the quiz {a}, not {b}.", a=sheet.quiz, b=built["quiz"]))
    asked = [of_variant(q, variant(q)) if q["variants"] else q for q in built["questions"]]
    return Marked(built["quiz"], [(q, mark(q, sheet.answers.get(q["id"]))) for q in asked], _strange(sheet, asked))


def as_told(sheet: Sheet) -> Callable[[Built], int]:
    """Return the variants that the sheet itself names: good for a self-check."""
    return lambda question: sheet.variants.get(question["id"], 0)


def of_student(quiz: str, student: str) -> Callable[[Built], int]:
    """Return the variants that a student was given in a graded quiz."""
    return lambda question: variant_of(quiz, question["id"], student, len(question["variants"]))


def _strange(sheet: Sheet, asked: list[Built]) -> list[Text]:
    """Say which answers belong to no question."""
    known = [q["id"] for q in asked]
    return [_no_question(name, known) for name in sheet.answers if name not in known][:5]


def _no_question(name: str, known: list[str]) -> Text:
    near = get_close_matches(name[:60], known, 1)
    hint = say(" ({n}?)", " ({n}?)", n=near[0]) if near else ""
    return say(
        "{q} নামে কোনো প্রশ্ন নেই{h}; উত্তরটি গোনা হয়নি।", "there is no question {q}{h}; that answer was not counted.", q=name[:60], h=hint
    )
