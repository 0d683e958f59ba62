"""The items of a QTI 2.1 package, one writer for each type of question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from xml.etree.ElementTree import Element

from courselib.quiz.built import Built
from courselib.quiz.exports import losses
from courselib.quiz.exports import qti21_rules as rule
from courselib.quiz.exports.decimals import decimal, key_of
from courselib.quiz.exports.draft import Draft
from courselib.quiz.exports.spellings import spellings
from courselib.quiz.exports.tree import elements, node
from courselib.quiz.marking import exact
from courselib.quiz.right import extras, right_orders

MOST_ORDERS = 64


@dataclass
class Item:
    """What an item is made of: declared responses, what stands below the question, rules, and feedback by name."""

    responses: list[Element]
    body: list[Element] = field(default_factory=list)
    rules: list[Element] = field(default_factory=list)
    told: dict[str, str] = field(default_factory=dict)


def _choice(draft: Draft, question: Built) -> Item:
    right = next(c["id"] for c in question["choices"] if c["right"])
    rules = [rule.when((rule.is_right(), [rule.score(Fraction(question["points"]))]))]
    rules += [rule.when((rule.is_(c["id"]), [rule.tell(f"why_{c['id']}")])) for c in question["choices"]]
    told = {f"why_{c['id']}": draft.html(c["why"]) for c in question["choices"]}
    return Item([rule.response("RESPONSE", "single", "identifier", [right])], [_picks(draft, question, "1")], rules, told)


def _picks(draft: Draft, question: Built, most: str) -> Element:
    about = {"responseIdentifier": "RESPONSE", "shuffle": "true" if question["shuffle"] else "false", "maxChoices": most}
    return node("choiceInteraction", about, *(_option("simpleChoice", draft, c) for c in question["choices"]))


def _option(tag: str, draft: Draft, one: Built) -> Element:
    made = elements(draft.html(one["text"]), tag)
    made.set("identifier", one["id"])
    return made


def _choices(draft: Draft, question: Built) -> Item:
    points = Fraction(question["points"])
    rights = [c["id"] for c in question["choices"] if c["right"]]
    part = node("setOutcomeValue", {"identifier": "SCORE"}, node("mapResponse", {"identifier": "RESPONSE"}))
    by_parts = question["credit"] == "each"
    rules = [rule.when((rule.is_right(), [rule.score(points)]), otherwise=[part] if by_parts else ())]
    told = {}
    for c in question["choices"]:
        told[f"why_{c['id']}"] = draft.html(c["why"])
        rules.append(rule.when((rule.has(c["id"]), [rule.tell(f"why_{c['id']}")])))
        if c["right"]:
            told[f"left_out_{c['id']}"] = draft.html(c["left_out"])
            missed = node("and", {}, rule.answered(), node("not", {}, rule.has(c["id"])))
            rules.append(rule.when((missed, [rule.tell(f"left_out_{c['id']}")])))
    mapping = [_mapping(question, points / len(rights))] if by_parts else []
    return Item([rule.response("RESPONSE", "multiple", "identifier", rights, *mapping)], [_picks(draft, question, "0")], rules, told)


def _mapping(question: Built, each: Fraction) -> Element:
    """Return what each choice adds or takes, kept between nothing and all points."""
    ends = {"lowerBound": "0", "upperBound": str(question["points"]), "defaultValue": "0"}
    worth = [(c["id"], each if c["right"] else -each) for c in question["choices"]]
    return node("mapping", ends, *(node("mapEntry", {"mapKey": name, "mappedValue": decimal(share)}) for name, share in worth))


def _number(draft: Draft, question: Built) -> Item:
    key, within = key_of(draft, question)
    bands = {"why": (key, within, question["why"])}
    bands |= {f"slip_{s['id']}": (exact(s["key"]), exact(s["within"]), s["why"]) for s in question["slips"]}
    if question["unit"]:
        draft.lose(losses.UNIT_TYPED)
        draft.lose(losses.FACTORS)
    cases = [
        (
            rule.between(middle - near, middle + near),
            [*([rule.score(Fraction(question["points"]))] if name == "why" else []), rule.tell(name)],
        )
        for name, (middle, near, _) in bands.items()
    ]
    told = {name: draft.html(text) for name, (_, _, text) in bands.items()}
    return Item([rule.response("RESPONSE", "single", "float", [decimal(key)])], [_typed()], [rule.when(*cases)], told)


def _typed() -> Element:
    return node("p", {}, node("textEntryInteraction", {"responseIdentifier": "RESPONSE", "expectedLength": "20"}))


def _order(draft: Draft, question: Built) -> Item:
    """List every right order; a step that does not belong is one that is left out, so not all need be chosen."""
    orders = right_orders(question, MOST_ORDERS + 1)
    if len(orders) > MOST_ORDERS:
        raise losses.Refused(losses.TOO_MANY_ORDERS.fill(n=MOST_ORDERS))
    draft.lose(losses.ALL_OR_NOTHING)
    draft.lose(losses.MOVES)
    strange = extras(question)
    lines = [node("ordered", {}, *(rule.value("identifier", step) for step in order)) for order in orders]
    right = node("or", {}, *(node("match", {}, rule.variable("RESPONSE"), line) for line in lines))
    rules = [rule.when((right, [rule.score(Fraction(question["points"])), rule.tell("why")]))]
    rules += [rule.when((rule.has(step), [rule.tell(f"extra_{step}")])) for step in strange]
    steps = {s["id"]: s for s in question["steps"]}
    told = {"why": draft.html(question["why"])} | {f"extra_{step}": draft.html(steps[step]["why"]) for step in strange}
    about = {"responseIdentifier": "RESPONSE", "shuffle": "false"} | ({"minChoices": "1"} if strange else {})
    line = node("orderInteraction", about, *(_option("simpleChoice", draft, steps[step]) for step in question["start"]))
    return Item([rule.response("RESPONSE", "ordered", "identifier", orders[0])], [line], rules, told)


def _dtypes(draft: Draft, question: Built) -> Item:
    names = question["names"]
    item, each = Item([]), Fraction(question["points"], len(names))
    fields = [f"RESPONSE_{n + 1}" for n in range(len(names))]
    for name, place in zip(names, fields, strict=True):
        said = {s["dtype"]: (f"slip_{s['id']}", s["why"]) for s in question["slips"] if s["name"] == name["name"]}
        item.responses.append(rule.response(place, "single", "identifier", [name["dtype"]]))
        item.body.append(_dropdown(name["name"], place, question["options"]))
        cases = [(rule.is_right(place), [rule.add(each), rule.tell(f"why_{place}")])]
        cases += [(rule.is_(dtype, place), [rule.tell(code)]) for dtype, (code, _) in said.items()]
        item.rules.append(rule.when(*cases))
        item.told |= {f"why_{place}": draft.html(name["why"])} | {code: draft.html(why) for code, why in said.values()}
    every = node("and", {}, *(rule.is_right(place) for place in fields))
    item.rules.append(rule.when((every, [rule.score(Fraction(question["points"]))])))  # thirds do not add up to one
    return item


def _dropdown(name: str, place: str, options: list[str]) -> Element:
    choices = [node("inlineChoice", {"identifier": dtype}, dtype) for dtype in options]
    return node(
        "p", {}, node("code", {}, name), ": ", node("inlineChoiceInteraction", {"responseIdentifier": place, "shuffle": "false"}, *choices)
    )


def _shape(draft: Draft, question: Built) -> Item:
    draft.lose(losses.SPELLINGS)
    draft.lose(losses.DIMENSIONS)
    ways = spellings(question["shape"])
    cases = [(rule.reads(ways), [rule.score(Fraction(question["points"])), rule.tell("why")])]
    cases += [(rule.reads(spellings(s["shape"])), [rule.tell(f"slip_{s['id']}")]) for s in question["slips"]]
    told = {"why": draft.html(question["why"])} | {f"slip_{s['id']}": draft.html(s["why"]) for s in question["slips"]}
    return Item([rule.response("RESPONSE", "single", "string", ways[:1])], [_typed()], [rule.when(*cases)], told)


def _reveal(draft: Draft, question: Built) -> Item:
    draft.lose(losses.RATING)
    field_ = node("extendedTextInteraction", {"responseIdentifier": "RESPONSE", "expectedLines": "6"})
    told = {"model": draft.html(question["model"])}
    return Item([rule.response("RESPONSE", "single", "string")], [field_], [rule.tell("model")], told)


WRITERS: dict[str, Callable[[Draft, Built], Item]] = {
    "choice": _choice,
    "choices": _choices,
    "number": _number,
    "order": _order,
    "dtypes": _dtypes,
    "shape": _shape,
    "reveal": _reveal,
}
