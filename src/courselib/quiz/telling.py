"""From notes to sentences: what a learner is told of an answer, in both languages."""

from __future__ import annotations

from collections.abc import Iterable

from courselib.quiz.built import Built, text_of
from courselib.quiz.marking import Verdict
from courselib.quiz.sentences import FACTORS, HINTS, NOTES
from courselib.text import Text


def told(question: Built, verdict: Verdict) -> list[Text]:
    """Return what to say of a verdict, a sentence for each note that has one."""
    return [sentence for note in verdict.notes if (sentence := _sentence(question, *note)) is not None]


def _sentence(question: Built, code: str | int, *args: str | int) -> Text | None:
    match code:
        case "why":
            return text_of(_item(question, "choices", args[0])["why"] if args else question["why"])
        case "left_out":
            return text_of(_item(question, "choices", args[0])["left_out"] or _item(question, "choices", args[0])["why"])
        case "slip":
            return text_of(_item(question, "slips", args[0])["why"])
        case "hint":
            return _filled(HINTS[str(args[0])], [Text(*[", ".join(question["units"])] * 2)])
        case "off_by":
            return FACTORS[str(args[0])]
    return _filled(NOTES[str(code)], [_named(question, a) for a in args], _reason(question, code, args))


def _reason(question: Built, code: str | int, args: tuple[str | int, ...]) -> Text | None:
    """Return the author's own reason that goes with a note: why a step is extra, why a name has its dtype."""
    if code == "extra":
        return text_of(_item(question, "steps", args[0])["why"])
    if code == "name_right":
        return text_of(next(n["why"] for n in question["names"] if n["name"] == args[0]))
    return None


def _item(question: Built, kind: str, name: str | int) -> Built:
    return next(item for item in question[kind] if item["id"] == name)


def _named(question: Built, arg: str | int) -> Text:
    """Return a step by its text, anything else as it is."""
    step = next((s for s in question.get("steps", ()) if s["id"] == arg), None)
    return text_of(step["text"]) if step else Text(str(arg), str(arg))


def _filled(sentence: Text, values: Iterable[Text], reason: Text | None = None) -> Text:
    parts = list(values)
    bn, en = sentence.bn.format(*(p.bn for p in parts)), sentence.en.format(*(p.en for p in parts))
    return Text(f"{bn} {reason.bn}", f"{en} {reason.en}") if reason else Text(bn, en)
