"""A QTI 2.1 delivery engine in small: it reads a package and runs the response processing that its items write out."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree as ET

from lms_quiz import shown

from courselib.quiz.built import Built

Q = "{http://www.imsglobal.org/xsd/imsqti_v2p1}"
P = "{http://www.imsglobal.org/xsd/imscp_v1p1}"
# what the specification lets stand, in this order, within an item and a section
ITEM = ("responseDeclaration", "outcomeDeclaration", "itemBody", "responseProcessing", "modalFeedback")
SECTION = ("selection", "ordering", "rubricBlock", "assessmentSection assessmentItemRef")
HTML = {"div", "p", "pre", "code", "span", "strong", "em", "ul", "ol", "li", "br"}
INTERACTIONS = {
    "choiceInteraction",
    "orderInteraction",
    "textEntryInteraction",
    "inlineChoiceInteraction",
    "extendedTextInteraction",
}


@dataclass
class Item:
    ident: str
    node: ET.Element
    responses: dict[str, ET.Element] = field(default_factory=dict)

    @property
    def points(self) -> float:
        return float(self.node.findtext(f"{Q}outcomeDeclaration[@identifier='MAXSCORE']/{Q}defaultValue/{Q}value"))

    @property
    def text(self) -> str:
        return " ".join(self.node.find(f"{Q}itemBody").itertext())

    def choices(self) -> dict[str, str]:
        return {c.get("identifier"): " ".join(c.itertext()) for c in self.node.iter(f"{Q}simpleChoice")}

    def told(self, names: set[str]) -> dict[str, str]:
        modal = {m.get("identifier"): " ".join(m.itertext()) for m in self.node.iter(f"{Q}modalFeedback")}
        return {name: modal[name] for name in names}

    def right(self, name: str = "RESPONSE") -> list[str]:
        return [v.text for v in self.responses[name].findall(f"{Q}correctResponse/{Q}value")]


def read(data: bytes) -> tuple[str, dict[str, Item], list[list[str]]]:
    """Return the test's title, its items, and the idents in order; those of which one is drawn stand together."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        resources = ET.fromstring(archive.read("imsmanifest.xml")).findall(f"{P}resources/{P}resource")
        files = {r.get("href"): r.get("type") for r in resources}
        assert sorted([*files, "imsmanifest.xml"]) == sorted(archive.namelist())
        known = {r.get("identifier") for r in resources}
        assert all(d.get("identifierref") in known for r in resources for d in r.findall(f"{P}dependency"))
        test = ET.fromstring(archive.read(next(href for href, kind in files.items() if kind == "imsqti_test_xmlv2p1")))
        section = test.find(f"{Q}testPart/{Q}assessmentSection")
        _in_order(section, SECTION)
        drawn = [_refs(one) for one in section if one.tag in (f"{Q}assessmentItemRef", f"{Q}assessmentSection")]
        items = {ident: _item(ident, ET.fromstring(archive.read(href))) for refs in drawn for ident, href in refs}
    assert len(items) == sum(map(len, drawn)) == sum(kind == "imsqti_item_xmlv2p1" for kind in files.values())
    return test.get("title"), items, [[ident for ident, _ in refs] for refs in drawn]


def _refs(one: ET.Element) -> list[tuple[str, str]]:
    if one.tag == f"{Q}assessmentItemRef":
        return [(one.get("identifier"), one.get("href"))]
    _in_order(one, SECTION)
    assert one.find(f"{Q}selection").get("select") == "1"
    return [(ref.get("identifier"), ref.get("href")) for ref in one.findall(f"{Q}assessmentItemRef")]


def _in_order(parent: ET.Element, names: tuple[str, ...]) -> None:
    places = [next(n for n, allowed in enumerate(names) if child.tag.removeprefix(Q) in allowed.split()) for child in parent]
    assert places == sorted(places)


def _item(ident: str, node: ET.Element) -> Item:
    """Read an item, and hold it to the structure that the schema asks for."""
    assert (node.tag, node.get("identifier"), node.get("adaptive"), node.get("timeDependent")) == (
        f"{Q}assessmentItem",
        ident,
        "false",
        "false",
    )
    _in_order(node, ITEM)
    responses = {r.get("identifier"): r for r in node.findall(f"{Q}responseDeclaration")}
    asked = {one.get("responseIdentifier") for one in node.iter() if one.tag.removeprefix(Q) in INTERACTIONS}
    assert asked == set(responses)
    modal = [m.get("identifier") for m in node.findall(f"{Q}modalFeedback")]
    assert len(set(modal)) == len(modal)
    for part in (node.find(f"{Q}itemBody"), *node.findall(f"{Q}modalFeedback")):
        for one in part.iter():
            name = one.tag.removeprefix(Q)
            assert name in HTML | INTERACTIONS | {"itemBody", "modalFeedback", "simpleChoice", "inlineChoice"} or "MathML" in name, name
            assert "MathML" in name or set(one.attrib) <= {
                "class",
                "identifier",
                "responseIdentifier",
                "shuffle",
                "maxChoices",
                "minChoices",
                "expectedLength",
                "expectedLines",
                "outcomeIdentifier",
                "showHide",
                "{http://www.w3.org/XML/1998/namespace}lang",
            }
    return Item(ident, node, responses)


def run(item: Item, **given: Any) -> tuple[float, set[str]]:
    """Run an item's processing on responses by name; return the score as a share of its points, and the feedback shown."""
    state: dict[str, Any] = {name: given.get(name) for name in item.responses} | {"SCORE": 0.0, "FEEDBACK": []}
    for rule in item.node.find(f"{Q}responseProcessing"):
        _follow(item, rule, state)
    return state["SCORE"] / item.points if item.points else 0.0, set(state["FEEDBACK"])


def _follow(item: Item, rule: ET.Element, state: dict[str, Any]) -> None:
    if rule.tag == f"{Q}setOutcomeValue":
        state[rule.get("identifier")] = _value(item, rule[0], state)
        return
    assert rule.tag == f"{Q}responseCondition"
    for branch in rule:
        then = list(branch) if branch.tag == f"{Q}responseElse" else list(branch)[1:]
        if branch.tag == f"{Q}responseElse" or _value(item, branch[0], state):
            for one in then:
                _follow(item, one, state)
            return


def _value(item: Item, one: ET.Element, state: dict[str, Any]) -> Any:
    name = one.tag.removeprefix(Q)
    inside = [_value(item, child, state) for child in one]
    match name:
        case "variable":
            return state[one.get("identifier")]
        case "baseValue":
            return float(one.text) if one.get("baseType") == "float" else one.text
        case "correct":
            declared = item.responses[one.get("identifier")]
            right = item.right(one.get("identifier"))
            return right[0] if declared.get("cardinality") == "single" else right
        case "mapResponse":
            return _mapped(item.responses[one.get("identifier")].find(f"{Q}mapping"), state[one.get("identifier")])
        case "isNull":
            return inside[0] in (None, [])
        case "not":
            return not inside[0]
        case "and":
            return all(inside)
        case "or":
            return any(inside)
        case "match":
            return _same(item, one, *inside)
        case "member":
            return inside[1] is not None and inside[0] in inside[1]
        case "ordered":
            return inside
        case "multiple":
            return [x for part in inside for x in (part if isinstance(part, list) else [part])]
        case "sum":
            return sum(inside)
        case "gte":
            return inside[0] is not None and inside[0] >= inside[1]
        case "lte":
            return inside[0] is not None and inside[0] <= inside[1]
        case "stringMatch":
            assert one.get("caseSensitive") == "false"
            return inside[0] is not None and inside[0].lower() == inside[1].lower()
    raise AssertionError(name)


def _same(item: Item, one: ET.Element, left: Any, right: Any) -> bool:
    if left is None or right is None:
        return False
    name = one[0].get("identifier")
    several = name in item.responses and item.responses[name].get("cardinality") == "multiple"
    return sorted(left) == sorted(right) if several else left == right


def _mapped(mapping: ET.Element, given: list[str] | None) -> float:
    worth = {entry.get("mapKey"): float(entry.get("mappedValue")) for entry in mapping}
    total = sum(worth.get(one, float(mapping.get("defaultValue"))) for one in set(given or []))
    return min(float(mapping.get("upperBound")), max(float(mapping.get("lowerBound")), total))


def tidy(text: str) -> str:
    return " ".join(text.split())


def given(item: Item, one: Built, answer: object) -> dict[str, object]:
    """Give our answer as responses by name; choices are found by what they show."""
    match one["type"]:
        case "choice" | "choices" | "order":
            idents = {tidy(text): ident for ident, text in item.choices().items()}
            texts = {c["id"]: shown(c["text"]) for c in one.get("choices") or one["steps"]}
            return {"RESPONSE": idents[texts[answer]] if isinstance(answer, str) else [idents[texts[name]] for name in answer]}
        case "dtypes":
            return {f"RESPONSE_{n + 1}": answer.get(name["name"]) for n, name in enumerate(one["names"])}
        case "number":
            return {"RESPONSE": float(answer)}
    return {"RESPONSE": answer.strip()}
