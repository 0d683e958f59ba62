"""Canvas as a reader: what New Quizzes and Classic make of a QTI 1.2 package, written from their rules and apart from the exporter.

Both are literal: New Quizzes takes the first metadata entry for the type and every child of `and` for a choice.
"""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass, field
from decimal import ROUND_DOWN, Decimal
from xml.etree import ElementTree as ET

from lms_quiz import shown, visible

from courselib.quiz.built import Built

Q = "{http://www.imsglobal.org/xsd/ims_qtiasiv1p2}"
P = "{http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1}"


@dataclass
class Group:
    title: str
    points: float
    pick: int
    items: list[Item] = field(default_factory=list)


@dataclass
class Item:
    ident: str
    title: str
    kind: str
    points: float
    node: ET.Element

    @property
    def text(self) -> str:
        return self.node.find(f"{Q}presentation/{Q}material/{Q}mattext").text

    def labels(self, response: str = "response1") -> dict[str, str]:
        lid = next(r for r in self.node.iter(f"{Q}response_lid") if r.get("ident") == response)
        return {label.get("ident"): label.find(f".//{Q}mattext").text for label in lid.iter(f"{Q}response_label")}

    def feedback(self, ident: str) -> str:
        return next(f.find(f".//{Q}mattext").text for f in self.node.iter(f"{Q}itemfeedback") if f.get("ident") == ident)

    @property
    def feedbacks(self) -> set[str]:
        return {f.get("ident") for f in self.node.iter(f"{Q}itemfeedback")}


def read(data: bytes) -> tuple[str, list[Item | Group], ET.Element]:
    """Return the quiz's title, its items and groups in order, and its settings."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        resources = ET.fromstring(archive.read("imsmanifest.xml")).find(f"{P}resources")
        tests = [r for r in resources if r.get("type") == "imsqti_xmlv1p2"]
        assert len(tests) == 1
        href = tests[0].get("href") or tests[0].find(f"{P}file").get("href")
        meta = next(r for r in resources if r.get("identifier") == tests[0].find(f"{P}dependency").get("identifierref"))
        settings = ET.fromstring(archive.read(meta.get("href")))
        whole = ET.fromstring(archive.read(href))
        assert set(archive.namelist()) == {"imsmanifest.xml", href, meta.get("href")}
    assessment = whole.find(f"{Q}assessment")
    found: list[Item | Group] = []
    for one in assessment.find(f"{Q}section"):
        found.append(_group(one) if one.tag == f"{Q}section" else _item(one))
    return assessment.get("title"), found, settings


def _group(section: ET.Element) -> Group:
    selection = section.find(f"{Q}selection_ordering/{Q}selection")
    points = selection.findtext(f"{Q}selection_extension/{Q}points_per_item")
    items = [_item(one) for one in section.findall(f"{Q}item")]
    return Group(section.get("title"), float(points), int(selection.findtext(f"{Q}selection_number")), items)


def _item(node: ET.Element) -> Item:
    assert next(node.iter(f"{Q}fieldlabel")).text == "question_type"
    entries = {f.findtext(f"{Q}fieldlabel"): f.findtext(f"{Q}fieldentry") for f in node.iter(f"{Q}qtimetadatafield")}
    return Item(node.get("ident"), node.get("title"), next(node.iter(f"{Q}fieldentry")).text, float(entries["points_possible"]), node)


def _conditions(item: Item) -> list[ET.Element]:
    return list(item.node.iter(f"{Q}respcondition"))


def _scoring(item: Item) -> list[ET.Element]:
    return [c for c in _conditions(item) if c.find(f"{Q}setvar") is not None]


def new_quizzes(item: Item, response: object) -> float:
    """Mark as New Quizzes does with what it reads as the key."""
    return _MARKS[interaction(item)](item, response)


def interaction(item: Item) -> str:
    """Return the kind of interaction that claims an item; the importer raises unless there is just one."""
    lids = list(item.node.iter(f"{Q}response_lid"))
    fib = item.node.find(f".//{Q}render_fib")
    other = any(c.get("continue") != "Yes" and c.find(f".//{Q}other") is not None for c in _conditions(item))
    answers = any(c.find(f".//{Q}varequal") is not None for c in _scoring(item))
    number = fib is not None and fib.get("fibtype") == "Decimal"
    ordered = len(lids) == 1 and lids[0].get("rcardinality") == "Ordered"
    claims = {
        "choice": len(lids) == 1 and not ordered,
        "ordering": ordered,
        "number": number,
        "blank": fib is not None and not number and not other and answers,
        "essay": fib is not None and other,
        "dropdowns": item.kind == "multiple_dropdowns_question",
    }
    (claim,) = (name for name, claimed in claims.items() if claimed)
    return claim


def _one_of(item: Item, response: object) -> float:
    keys = [c.find(f".//{Q}varequal").text for c in _scoring(item) if float(c.findtext(f"{Q}setvar")) > 0]
    return float(response in keys)


def _several(item: Item, response: object) -> float:
    every = item.node.find(f".//{Q}respcondition//{Q}and")
    assert every.text is None  # white space would be read as a choice
    assert all(child.tail is None for child in every)
    key = {child.text for child in every if child.tag != f"{Q}not"}
    return float(set(response) == key)


def _number(item: Item, response: object) -> float:
    for condition in _scoring(item):
        equal, low, high = (condition.find(f".//{Q}{tag}").text for tag in ("varequal", "vargte", "varlte"))
        if equal == low == high:
            right = float(response) == float(equal)
        else:
            assert equal not in (low, high)
            margin = float(equal) - float(low)
            right = abs(float(response) - float(equal)) <= margin + 1e-12 * abs(float(equal))
        if right:
            return float(condition.findtext(f"{Q}setvar")) / 100
    return 0


def _order(item: Item, response: object) -> float:
    return float(list(response) == [v.text for v in item.node.iter(f"{Q}varequal")])


def _short(item: Item, response: object) -> float:
    ways = {v.text.strip().lower() for v in item.node.iter(f"{Q}varequal")}
    return float(str(response).strip().lower() in ways)


def _dropdowns(item: Item, response: object) -> float:
    got = 0.0
    for condition in _scoring(item):
        equal, score = condition.find(f".//{Q}varequal"), condition.find(f"{Q}setvar")
        assert score.get("action") == "Add"
        got += float(score.text) * (response.get(equal.get("respident")) == equal.text)
    return got / 100


def _choice(item: Item, response: object) -> float:
    several = item.node.find(f".//{Q}response_lid").get("rcardinality") == "Multiple"
    return (_several if several else _one_of)(item, response)


_MARKS = {"choice": _choice, "number": _number, "ordering": _order, "blank": _short, "dropdowns": _dropdowns}


def classic(item: Item, response: object) -> float:
    """Mark as Classic Quizzes does: part credit for several answers, decimals cut to four places."""
    if item.kind == "multiple_answers_question":
        every = item.node.find(f".//{Q}respcondition//{Q}and")
        key = {child.text for child in every if child.tag == f"{Q}varequal"}
        return max(0, len(key & set(response)) - len(set(response) - key)) / len(key)
    if item.kind == "numerical_question":
        condition = _scoring(item)[0].find(f"{Q}conditionvar/{Q}or")
        exact, upper = Decimal(condition.findtext(f"{Q}varequal")), Decimal(condition.findtext(f"{Q}and/{Q}varlte"))
        typed = Decimal(str(response)).quantize(Decimal("0.0001"), ROUND_DOWN)
        return float(abs(typed - exact) <= upper - exact)
    return new_quizzes(item, response)


def given(item: Item, one: Built, answer: object) -> object:
    """Give our answer as Canvas gets it: idents of the labels that show it."""
    match one["type"]:
        case "choice" | "choices" | "order":
            idents = {visible(html): ident for ident, html in item.labels().items()}
            texts = {c["id"]: shown(c["text"]) for c in one.get("choices") or one["steps"]}
            return idents[texts[answer]] if isinstance(answer, str) else [idents[texts[name]] for name in answer]
        case "dtypes":
            if item.kind == "multiple_choice_question":
                return answer[one["names"][0]["name"]]
            fields = [f"response_dtype_{n + 1}" for n in range(len(one["names"]))]
            labels = {field: {text: ident for ident, text in item.labels(field).items()} for field in fields}
            given = [(field, answer.get(n["name"])) for field, n in zip(fields, one["names"], strict=True)]
            return {field: labels[field][dtype] for field, dtype in given if dtype}
    return answer
