"""Moodle XML: a category with the quiz's questions, every value in the words Moodle's importer knows.

What the importer does not know it replaces without a word, so nothing is left to its defaults that marks an answer.
"""

from __future__ import annotations

from fractions import Fraction
from xml.etree.ElementTree import Element

from courselib.quiz.built import Built
from courselib.quiz.exports import losses
from courselib.quiz.exports.cloze import cloze
from courselib.quiz.exports.draft import Draft, Pair
from courselib.quiz.exports.moodle_numbers import numerical
from courselib.quiz.exports.moodle_parts import answer, rich, texted
from courselib.quiz.exports.spellings import spellings
from courselib.quiz.exports.tree import document, node
from courselib.quiz.right import extras, right_orders

Parts = tuple[str, str, list[Element]]  # Moodle's type, the question's text, what the type adds
# Moodle's own list of fractions has a number for every count of right choices; others it would refuse or round.
SHARES = ("100", "50", "33.33333", "25", "20", "16.66667", "14.28571", "12.5", "11.11111", "10")


def write(draft: Draft) -> bytes:
    """Return the quiz as one Moodle XML file."""
    home = [draft.plain(draft.built["title"]) or draft.name]
    root = node("quiz", {}, _category(draft, home, draft.built["about"]))
    for question, made in draft.each(lambda one, name: _question(draft, one, name)):
        if len(made) > 1:
            draft.lose(losses.VARIANTS_BY_HAND.fill(n=len(made)))
            made = [_category(draft, [*home, question["id"]]), *made, _category(draft, home)]
        root.extend(made)
    return document(root)


def _category(draft: Draft, path: list[str], about: Pair | None = None) -> Element:
    """Return the entry that says where the questions behind it go; a slash within a name is doubled."""
    where = "/".join(["$course$", "top", *(name.replace("/", "//") for name in path)])
    info = [texted("info", {"format": "html"}, draft.html(about))] if about else []
    return node("question", {"type": "category"}, texted("category", {}, where), *info)


def _question(draft: Draft, question: Built, name: str) -> Element:
    kind, text, more = WRITERS[question["type"]](draft, question)
    return node(
        "question",
        {"type": kind},
        texted("name", {}, name),
        rich("questiontext", text),
        *([] if kind == "multianswer" else [node("defaultgrade", {}, str(question["points"]))]),
        node("penalty", {}, "0"),  # the best try stays, as with us
        node("hidden", {}, "0"),
        node("idnumber", {}, f"{draft.name}.{name}"),
        *more,
        *(texted("hint", {"format": "html"}, draft.html(hint)) for hint in question["hints"]),
    )


def _choice(draft: Draft, question: Built) -> Parts:
    return _multichoice(draft, question, "true", "100", "0")


def _choices(draft: Draft, question: Built) -> Parts:
    right = sum(c["right"] for c in question["choices"])
    if question["credit"] == "all" and right > 1:
        draft.lose(losses.CHOICES_ALL)
    draft.lose(losses.LEFT_OUT)
    share = SHARES[right - 1]
    return _multichoice(draft, question, "false", share, f"-{share}")


def _multichoice(draft: Draft, question: Built, single: str, right: str, wrong: str) -> Parts:
    choices = [
        answer(right if c["right"] else wrong, draft.html(c["text"]), draft.html(c["why"]), form="html") for c in question["choices"]
    ]
    shuffled = "true" if question["shuffle"] else "false"
    return "multichoice", draft.asked(question), [node("single", {}, single), node("shuffleanswers", {}, shuffled), *choices]


def _order(draft: Draft, question: Built) -> Parts:
    if extras(question):
        raise losses.Refused(losses.EXTRAS)
    orders = right_orders(question, 2)
    if len(orders) > 1:
        draft.lose(losses.ONE_ORDER)
    draft.lose(losses.LONGEST_PART)
    draft.lose(losses.MOVES)
    texts = {s["id"]: draft.html(s["text"]) for s in question["steps"]}
    words = {
        "layouttype": "VERTICAL",
        "selecttype": "ALL",
        "selectcount": str(len(texts)),
        "gradingtype": "LONGEST_ORDERED_SUBSET",
        "showgrading": "SHOW",
        "numberingstyle": "none",
    }
    steps = [answer(str(n + 1), texts[step], form="html") for n, step in enumerate(orders[0])]
    told = rich("correctfeedback", draft.html(question["why"]))
    return "ordering", draft.asked(question), [*(node(tag, {}, word) for tag, word in words.items()), told, *steps]


def _shape(draft: Draft, question: Built) -> Parts:
    draft.lose(losses.SPELLINGS)
    draft.lose(losses.DIMENSIONS)
    answers = [answer("100", way, draft.html(question["why"])) for way in spellings(question["shape"])]
    for slip in question["slips"]:
        answers += [answer("0", way, draft.html(slip["why"])) for way in spellings(slip["shape"])]
    return "shortanswer", draft.asked(question), [node("usecase", {}, "0"), *answers]


def _reveal(draft: Draft, question: Built) -> Parts:
    draft.lose(losses.RATING)
    if question["hints"]:
        draft.lose(losses.HINTS)  # an essay's hints are not imported
    model = draft.html(question["model"])
    return "essay", draft.asked(question), [rich("generalfeedback", model), rich("graderinfo", model), node("responserequired", {}, "0")]


def _dtypes(draft: Draft, question: Built) -> Parts:
    each = Fraction(question["points"], len(question["names"]))
    if each.denominator != 1:
        draft.lose(losses.CLOZE_POINTS.fill(n=len(question["names"]), p=question["points"]))
    return "multianswer", cloze(draft, question, int(each) if each.denominator == 1 else 1), []


WRITERS = {
    "choice": _choice,
    "choices": _choices,
    "number": numerical,
    "order": _order,
    "dtypes": _dtypes,
    "shape": _shape,
    "reveal": _reveal,
}
