"""The items of a Canvas package, one writer for each type of question."""

from __future__ import annotations

import math
from fractions import Fraction
from html import escape
from xml.etree.ElementTree import Element

from courselib.quiz.built import Built
from courselib.quiz.exports import losses
from courselib.quiz.exports.decimals import decimal, key_of
from courselib.quiz.exports.draft import Draft
from courselib.quiz.exports.orders import only_order
from courselib.quiz.exports.spellings import spellings
from courselib.quiz.exports.tree import node

Parts = tuple[str, list[Element], list[Element], list[Element]]  # Canvas's type, presentation, conditions, feedback
ONE = {"respident": "response1"}
ALL = "100"  # of a SCORE that counts to a hundred
SMALLEST = Fraction(1, 10**4)  # Canvas takes what is typed below it for nothing
PLACES = 10**4  # and keeps four decimal places of it


def _html(html: str) -> Element:
    return node("material", {}, node("mattext", {"texttype": "text/html"}, html))


def _plain(text: str) -> Element:
    return node("material", {}, node("mattext", {"texttype": "text/plain"}, text))


def _told(ident: str, html: str) -> Element:
    return node("itemfeedback", {"ident": ident}, node("flow_mat", {}, _html(html)))


def _shown(ident: str) -> Element:
    return node("displayfeedback", {"feedbacktype": "Response", "linkrefid": ident})


def _when(*conditions: Element, feedback: str = "", score: str = "", action: str = "Set") -> Element:
    """Return a condition, the score it gives and the feedback it shows; only one without a score lets the next ones run."""
    then = [node("setvar", {"action": action, "varname": "SCORE"}, score)] if score else []
    then += [_shown(feedback)] if feedback else []
    return node("respcondition", {"continue": "No" if score and action == "Set" else "Yes"}, node("conditionvar", {}, *conditions), *then)


def _label(ident: str, html: str) -> Element:
    return node("response_label", {"ident": ident}, _html(html))


def _choice(draft: Draft, question: Built) -> Parts:
    right = next(c["id"] for c in question["choices"] if c["right"])
    return "multiple_choice_question", *_picked(draft, question, "Single", node("varequal", ONE, right))


def _choices(draft: Draft, question: Built) -> Parts:
    if sum(c["right"] for c in question["choices"]) > 1:
        draft.lose(losses.CHOICES_ALL_CANVAS if question["credit"] == "all" else losses.CHOICES_EACH)
    draft.lose(losses.LEFT_OUT)
    wanted = [(c["right"], node("varequal", ONE, c["id"])) for c in question["choices"]]
    rule = node("and", {}, *(equal if right else node("not", {}, equal) for right, equal in wanted))
    return "multiple_answers_question", *_picked(draft, question, "Multiple", rule)


def _picked(draft: Draft, question: Built, cardinality: str, right: Element) -> tuple[list[Element], list[Element], list[Element]]:
    choices = question["choices"]
    labels = [_label(c["id"], draft.html(c["text"])) for c in choices]
    render = node("render_choice", {"shuffle": "Yes" if question["shuffle"] else "No"}, *labels)
    asked = [_html(draft.asked(question)), node("response_lid", {"ident": "response1", "rcardinality": cardinality}, render)]
    reasons = [_when(node("varequal", ONE, c["id"]), feedback=f"{c['id']}_fb") for c in choices]
    return asked, [*reasons, _when(right, score=ALL)], [_told(f"{c['id']}_fb", draft.html(c["why"])) for c in choices]


def _typed(draft: Draft, question: Built, **kind: str) -> list[Element]:
    field = node("render_fib", kind, node("response_label", {"ident": "answer1"}))
    return [_html(draft.asked(question)), node("response_str", {"ident": "response1", "rcardinality": "Single"}, field)]


def _number(draft: Draft, question: Built) -> Parts:
    key, within = key_of(draft, question)
    _not_too_fine(key, within)
    if question["unit"]:
        draft.lose(losses.UNIT_TYPED)
        draft.lose(losses.FACTORS)
    if question["slips"]:
        draft.lose(losses.SLIPS)
    low, high = node("vargte", ONE, decimal(key - within)), node("varlte", ONE, decimal(key + within))
    right = node("or", {}, node("varequal", ONE, decimal(key)), node("and", {}, low, high))
    asked = _typed(draft, question, fibtype="Decimal")
    return "numerical_question", asked, [_when(right, score=ALL, feedback="correct_fb")], [_told("correct_fb", draft.html(question["why"]))]


def _not_too_fine(key: Fraction, within: Fraction) -> None:
    """Refuse a key that would be wrong once Canvas has cut what is typed, up or down, to its places."""
    cut = (Fraction(math.floor(abs(key) * PLACES), PLACES), Fraction(math.ceil(abs(key) * PLACES), PLACES))
    if 0 < abs(key) < SMALLEST or any(abs(abs(key) - kept) > within for kept in cut):
        raise losses.Refused(losses.TOO_FINE)


def _order(draft: Draft, question: Built) -> Parts:
    order = only_order(question)
    draft.lose(losses.NEW_QUIZZES)
    draft.lose(losses.ALL_OR_NOTHING)
    draft.lose(losses.MOVES)
    texts = {s["id"]: draft.html(s["text"]) for s in question["steps"]}
    labels = node("flow_label", {}, *(_label(step, texts[step]) for step in question["start"]))
    render = node("render_extension", {}, node("ims_render_object", {"shuffle": "No", "orientation": "Column"}, labels))
    asked = [_html(draft.asked(question)), node("response_lid", {"ident": "response1", "rcardinality": "Ordered"}, render)]
    right = _when(*(node("varequal", ONE, step) for step in order), score=ALL, feedback="correct_fb")
    return "ordering_question", asked, [right], [_told("correct_fb", draft.html(question["why"]))]


def _shape(draft: Draft, question: Built) -> Parts:
    draft.lose(losses.SPELLINGS)
    draft.lose(losses.DIMENSIONS)
    if question["slips"]:
        draft.lose(losses.SLIPS)
    right = _when(*(node("varequal", ONE, way) for way in spellings(question["shape"])), score=ALL, feedback="correct_fb")
    return "short_answer_question", _typed(draft, question), [right], [_told("correct_fb", draft.html(question["why"]))]


def _dtypes(draft: Draft, question: Built) -> Parts:
    """Write a drop-down for each name; with one name, Canvas's own type for one of several."""
    if question["slips"]:
        draft.lose(losses.SLIPS)
    names = question["names"]
    told = [_told("correct_fb", "".join(f"<p><code>{escape(n['name'])}</code></p>{draft.html(n['why'])}" for n in names))]
    if len(names) == 1:
        render = node("render_choice", {"shuffle": "No"}, *(node("response_label", {"ident": d}, _plain(d)) for d in question["options"]))
        asked = [
            _html(draft.asked(question) + _row(names[0])),
            node("response_lid", {"ident": "response1", "rcardinality": "Single"}, render),
        ]
        return "multiple_choice_question", asked, [_when(node("varequal", ONE, names[0]["dtype"]), score=ALL, feedback="correct_fb")], told
    blanks = [f"dtype_{n + 1}" for n in range(len(names))]
    rows = "".join(_row(name, f": [{blank}]") for name, blank in zip(names, blanks, strict=True))
    fields = [_dropdown(blank, question["options"]) for blank in blanks]
    score = decimal(Fraction(100, len(names)))
    right = [
        _when(node("varequal", {"respident": f"response_{b}"}, f"{b}_{n['dtype']}"), score=score, action="Add")
        for b, n in zip(blanks, names, strict=True)
    ]
    return "multiple_dropdowns_question", [_html(_no_blanks(draft.asked(question)) + rows), *fields], right, told


def _no_blanks(html: str) -> str:
    """Keep a text that happens to read like a blank from becoming one."""
    return html.replace("[dtype_", "&#91;dtype_")


def _row(name: Built, blank: str = "") -> str:
    return f"<p><code>{escape(name['name'], quote=False)}</code>{blank}</p>"


def _dropdown(blank: str, options: list[str]) -> Element:
    labels = [node("response_label", {"ident": f"{blank}_{dtype}"}, _plain(dtype)) for dtype in options]
    return node("response_lid", {"ident": f"response_{blank}"}, _plain(blank), node("render_choice", {}, *labels))


def _reveal(draft: Draft, question: Built) -> Parts:
    """Write an essay: its one condition, `other` without going on, is how New Quizzes knows it."""
    draft.lose(losses.RATING)
    essay = node("respcondition", {"continue": "No"}, node("conditionvar", {}, node("other")))
    return "essay_question", _typed(draft, question), [essay], [_told("general_fb", draft.html(question["model"]))]


WRITERS = {
    "choice": _choice,
    "choices": _choices,
    "number": _number,
    "order": _order,
    "dtypes": _dtypes,
    "shape": _shape,
    "reveal": _reveal,
}
