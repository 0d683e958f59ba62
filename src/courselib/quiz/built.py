"""A quiz built for marking: every key computed, every variant drawn, plain JSON that Python and the page read alike."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from courselib import dtypes
from courselib.course import Both
from courselib.quiz import keys, order
from courselib.quiz import questions as q
from courselib.quiz.filling import fill
from courselib.quiz.source import Quiz
from courselib.text import Text, say
from courselib.trouble import Trouble

Built = dict[str, Any]

SECRET = ("right", "why", "left_out", "key", "within", "shown", "slips", "after", "extra", "width", "shape", "dtype", "model")


class Unbuildable(Trouble):
    """A question whose key cannot be computed; `number` is its place in the quiz."""

    number = 0


def build(name: str, quiz: Quiz) -> Built:
    """Build a quiz; raise `Unbuildable` for the first question whose key cannot be computed."""
    return {
        "quiz": name,
        "title": pair(quiz.title),
        "about": pair(quiz.about),
        "questions": [_numbered(n, one) for n, one in enumerate(quiz.questions)],
    }


def _numbered(number: int, source: q.AnyQuestion) -> Built:
    try:
        return _question(source)
    except Trouble as trouble:
        amiss = Unbuildable(say("{q}: {t}", "{q}: {t}", q=source.id, t=trouble.sentence))
        amiss.number = number
        raise amiss from trouble


def _question(source: q.AnyQuestion) -> Built:
    common: Built = {
        "id": source.id,
        "type": source.type,
        "points": 0 if source.type == "reveal" else source.points,
        "ask": pair(source.ask),
        "hints": [pair(h) for h in source.hints],
        "variants": None,
    }
    return common | _of_its_kind(source)


def without_keys(built: Built) -> Built:
    """Return what of a built quiz a learner may hold before the marks are given."""
    return {**built, "questions": [_unordered(_bare(one)) for one in built["questions"]]}


def _unordered(question: Built) -> Built:
    """Lay steps as the learner finds them: the author has written them down in a right order."""
    start = question.get("start", [])
    return {**question, "steps": sorted(question["steps"], key=lambda s: start.index(s["id"]))} if start else question


def of_variant(question: Built, number: int) -> Built:
    """Return a question as one variant of it reads; itself where it has none."""
    return {**question, **question["variants"][number % len(question["variants"])]} if question["variants"] else question


def text_of(pair: dict[str, str]) -> Text:
    """Return plain data as a text again."""
    return Text(pair["bn"], pair["en"])


def pair(text: Both | Text) -> dict[str, str]:
    """Return a text as plain data."""
    return {"bn": text.bn, "en": text.en}


def _bare(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _bare(v) for k, v in value.items() if k not in SECRET}
    return [_bare(v) for v in value] if isinstance(value, list) else value


def _of_its_kind(source: q.AnyQuestion) -> Built:
    match source:
        case q.ChoiceQuestion():
            return {"choices": [_choice(c) for c in source.choices], "shuffle": source.shuffle, "credit": "all"}
        case q.ChoicesQuestion():
            return {"choices": [_choice(c) for c in source.choices], "shuffle": source.shuffle, "credit": source.credit}
        case q.NumberQuestion():
            return _number(source)
        case q.OrderQuestion():
            return _order(source)
        case q.DtypesQuestion():
            return _dtypes(source)
        case q.ShapeQuestion():
            return _shape(source)
        case q.RevealQuestion():
            return {"model": pair(source.model)}


def _choice(choice: q.Choice) -> Built:
    left_out = pair(choice.left_out) if choice.left_out else None
    return {"id": choice.id, "text": pair(choice.text), "right": choice.right, "why": pair(choice.why), "left_out": left_out}


def _number(source: q.NumberQuestion) -> Built:
    units = {source.unit: Fraction(1)} if source.unit else {}
    units |= {unit: _worth(unit, worth) for unit, worth in source.units.items()}
    count = len(next(iter(source.given.values()), []))
    drawn = [_variant(source, {name: values[n] for name, values in source.given.items()}) for n in range(count)]
    first = drawn[0] if drawn else _variant(source, {})
    told = {"unit": source.unit or "", "allowed": pair(keys.allowed(source.tolerance, source.unit or ""))}
    return {**first, **told, "units": {u: fraction(w) for u, w in units.items()}, "variants": drawn or None}


def _worth(unit: str, text: q.Value) -> Fraction:
    worth = keys.evaluate(text, {})
    if worth <= 0:
        raise Trouble(say("units: একটি {u}-এর মান 0-এর বেশি হতে হবে", "units: one {u} must be worth more than 0", u=unit))
    return worth


def _variant(source: q.NumberQuestion, given: dict[str, q.Value]) -> Built:
    key = keys.evaluate(source.answer, given)
    near = keys.within(key, source.tolerance)
    values = {**given, "answer": keys.shown(key, near)}
    return {
        "ask": fill(pair(source.ask), given),
        "hints": [fill(pair(h), given) for h in source.hints],
        "key": fraction(key),
        "within": fraction(near),
        "shown": keys.shown(key, near),
        "slips": [_slip(s, source.tolerance, values) for s in source.slips],
        "why": fill(pair(source.why), values),
    }


def _slip(slip: q.Slip, tolerance: q.Tolerance, given: dict[str, q.Value]) -> Built:
    key = keys.evaluate(slip.value, given)
    return {"id": slip.id, "key": fraction(key), "within": fraction(keys.within(key, tolerance)), "why": fill(pair(slip.why), given)}


def _order(source: q.OrderQuestion) -> Built:
    from courselib.ordering import consequences

    after = consequences(source.before)
    steps = [
        {
            "id": s.id,
            "text": pair(s.text),
            "after": [name for name in source.before if name in after.get(s.id, ())],
            "extra": s.extra,
            "why": pair(s.why) if s.why else None,
        }
        for s in source.steps
    ]
    return {"steps": steps, "width": order.width(source.before), "start": order.start(source), "why": pair(source.why)}


def _dtypes(source: q.DtypesQuestion) -> Built:
    from courselib.quiz import programs

    left = programs.run(source.program, source.policy)
    names = [{"name": n, "dtype": programs.dtype(left, n), "why": pair(why)} for n, why in source.names.items()]
    slips = [{"id": s.id, "name": s.name, "dtype": _known(s.dtype), "why": pair(s.why)} for s in source.slips]
    offered = dtypes.options({str(n["dtype"]) for n in names} | {str(s["dtype"]) for s in slips})
    return {"program": source.program.strip("\n"), "names": names, "options": offered, "slips": slips}


def _known(name: str) -> str:
    known = dtypes.read(name)
    if known is None:
        raise Trouble(say("{d} কোনো dtype নয়", "{d} is no dtype", d=name))
    return known


def _shape(source: q.ShapeQuestion) -> Built:
    from courselib.quiz import programs

    return {
        "program": source.program.strip("\n"),
        "name": source.name,
        "shape": programs.shape(programs.run(source.program, source.policy), source.name),
        "slips": [{"id": s.id, "shape": s.shape, "why": pair(s.why)} for s in source.slips],
        "why": pair(source.why),
    }


def fraction(value: Fraction) -> str:
    """Return a fraction as "n/d"."""
    return f"{value.numerator}/{value.denominator}"
