"""QTI 2.1: a package with a test and an item per question; its rules are written out, so partial orders and slips survive."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from courselib.quiz.built import Built
from courselib.quiz.exports import losses
from courselib.quiz.exports.draft import Draft
from courselib.quiz.exports.qti21_items import WRITERS, Item
from courselib.quiz.exports.tree import document, elements, node, package

QTI = "http://www.imsglobal.org/xsd/imsqti_v2p1"
SCHEMA = f"{QTI} http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1.xsd"
PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"
ROOT = {"xmlns": QTI, "xmlns:xsi": INSTANCE, "xsi:schemaLocation": SCHEMA}


def write(draft: Draft) -> bytes:
    """Return the quiz as a zip with its manifest, its test and its items."""
    section = node("assessmentSection", {"identifier": "questions", "title": draft.plain(draft.built["title"]), "visible": "true"})
    section.append(node("rubricBlock", {"view": "candidate"}, elements(draft.html(draft.built["about"]))))
    items: dict[str, bytes] = {}
    for question, made in draft.each(lambda one, ident: (ident, _item(draft, one, ident))):
        items |= {ident: document(item) for ident, item in made}
        refs = [node("assessmentItemRef", {"identifier": ident, "href": _place(ident)}) for ident, _ in made]
        section.extend([_one_of(question, refs)] if len(refs) > 1 else refs)
    return package(
        {
            "imsmanifest.xml": document(_manifest(draft, list(items))),
            "test.xml": document(_test(draft, section)),
            **{_place(ident): content for ident, content in items.items()},
        }
    )


def _place(ident: str) -> str:
    return f"items/{ident}.xml"


def _test(draft: Draft, section: Element) -> Element:
    part = node("testPart", {"identifier": "part", "navigationMode": "nonlinear", "submissionMode": "individual"}, section)
    return node("assessmentTest", {**ROOT, "identifier": draft.name, "title": draft.plain(draft.built["title"])}, part)


def _one_of(question: Built, refs: list[Element]) -> Element:
    """Return the variants of a question as a section of which a candidate gets one."""
    about = {"identifier": f"{question['id']}-variants", "title": question["id"], "visible": "false"}
    return node("assessmentSection", about, node("selection", {"select": "1"}), node("ordering", {"shuffle": "true"}), *refs)


def _manifest(draft: Draft, idents: list[str]) -> Element:
    needs = [node("dependency", {"identifierref": f"item-{ident}"}) for ident in idents]
    test = {"identifier": "test", "type": "imsqti_test_xmlv2p1", "href": "test.xml"}
    return node(
        "manifest",
        {"xmlns": PACKAGE, "identifier": f"{draft.name}-manifest"},
        node("metadata", {}, node("schema", {}, "QTIv2.1 Package"), node("schemaversion", {}, "1.0.0")),
        node("organizations"),
        node("resources", {}, node("resource", test, node("file", {"href": "test.xml"}), *needs), *map(_resource, idents)),
    )


def _resource(ident: str) -> Element:
    about = {"identifier": f"item-{ident}", "type": "imsqti_item_xmlv2p1", "href": _place(ident)}
    return node("resource", about, node("file", {"href": _place(ident)}))


def _item(draft: Draft, question: Built, ident: str) -> Element:
    if question["hints"]:
        draft.lose(losses.HINTS)
    item: Item = WRITERS[question["type"]](draft, question)
    about = {"identifier": ident, "title": question["id"], "adaptive": "false", "timeDependent": "false", "xml:lang": draft.langs[0]}
    return node(
        "assessmentItem",
        {**ROOT, **about},
        *item.responses,
        _outcome("SCORE", "float", "0", normalMaximum=str(question["points"])),
        _outcome("MAXSCORE", "float", str(question["points"])),
        node("outcomeDeclaration", {"identifier": "FEEDBACK", "cardinality": "multiple", "baseType": "identifier"}),
        node("itemBody", {}, elements(draft.asked(question)), *item.body),
        node("responseProcessing", {}, *item.rules),
        *(_modal(name, html) for name, html in item.told.items()),
    )


def _outcome(name: str, kind: str, default: str, **more: str) -> Element:
    about = {"identifier": name, "cardinality": "single", "baseType": kind, **more}
    return node("outcomeDeclaration", about, node("defaultValue", {}, node("value", {}, default)))


def _modal(name: str, html: str) -> Element:
    return node("modalFeedback", {"outcomeIdentifier": "FEEDBACK", "identifier": name, "showHide": "show"}, elements(html))
