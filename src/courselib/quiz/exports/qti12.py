"""Canvas: a QTI 1.2 package that Classic and New Quizzes both import.

Both read values by their place and take more than they should: New Quizzes counts every `varequal` of a short answer or
an ordering as right, whatever it leads to, reads white space within `and` as a choice, and the first metadata entry as the
type. So nothing is indented, and no feedback hangs on a condition that could be taken for an answer.
"""

from __future__ import annotations

from xml.etree.ElementTree import Element

from courselib.quiz.built import Built
from courselib.quiz.exports import losses
from courselib.quiz.exports.draft import MATHS, Draft, strings
from courselib.quiz.exports.qti12_items import WRITERS
from courselib.quiz.exports.tree import document, node, package

QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
PACKAGE = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
CANVAS = "http://canvas.instructure.com/xsd/cccv1p0"
META = "associatedcontent/imscc_xmlv1p1/learning-application-resource"


def write(draft: Draft) -> bytes:
    """Return the quiz as a zip that Canvas imports."""
    draft.latex = True
    _lose(draft)
    name, title = draft.name, draft.plain(draft.built["title"]) or draft.name
    section = node("section", {"ident": "root_section"})
    for question, made in draft.each(lambda one, ident: _item(draft, one, ident)):
        section.extend([_group(question, made)] if len(made) > 1 else made)
    whole = node("questestinterop", {"xmlns": QTI}, node("assessment", {"ident": name, "title": title}, section))
    return package(
        {
            "imsmanifest.xml": document(_manifest(name)),
            f"{name}/{name}.xml": document(whole),
            f"{name}/assessment_meta.xml": document(_meta(draft, title)),
        }
    )


def _lose(draft: Draft) -> None:
    """Note what Canvas cannot carry of any quiz."""
    questions = draft.built["questions"]
    if any(MATHS.sub(r"\1", text) != text for text in strings(questions)):
        draft.lose(losses.LATEX)
    if any(q["type"] == "number" for q in questions):
        draft.lose(losses.FOUR_PLACES)
    if len({q["shuffle"] for q in questions if "shuffle" in q}) > 1:
        draft.lose(losses.SHUFFLE)


def _manifest(name: str) -> Element:
    meta = f"{name}/assessment_meta.xml"
    return node(
        "manifest",
        {"identifier": f"{name}_manifest", "xmlns": PACKAGE},
        node("metadata", {}, node("schema", {}, "IMS Content"), node("schemaversion", {}, "1.1.3")),
        node("organizations"),
        node(
            "resources",
            {},
            node(
                "resource",
                {"identifier": name, "type": "imsqti_xmlv1p2"},
                node("file", {"href": f"{name}/{name}.xml"}),
                node("dependency", {"identifierref": f"{name}_meta"}),
            ),
            node("resource", {"identifier": f"{name}_meta", "type": META, "href": meta}, node("file", {"href": meta})),
        ),
    )


def _meta(draft: Draft, title: str) -> Element:
    shuffled = [q["shuffle"] for q in draft.built["questions"] if "shuffle" in q]
    return node(
        "quiz",
        {"identifier": draft.name, "xmlns": CANVAS},
        node("title", {}, title),
        node("description", {}, draft.html(draft.built["about"])),
        node("shuffle_answers", {}, "true" if shuffled and all(shuffled) else "false"),
    )


def _group(question: Built, items: list[Element]) -> Element:
    """Return the variants of a question as a group of which a learner gets one."""
    points = node("selection_extension", {}, node("points_per_item", {}, str(question["points"])))
    selection = node("selection", {}, node("selection_number", {}, "1"), points)
    ident = f"{question['id']}_group"
    return node("section", {"ident": ident, "title": question["id"]}, node("selection_ordering", {}, selection), *items)


def _item(draft: Draft, question: Built, ident: str) -> Element:
    if question["hints"]:
        draft.lose(losses.HINTS)
    kind, presentation, processing, feedback = WRITERS[question["type"]](draft, question)
    fields = {
        "question_type": kind,
        "points_possible": str(question["points"]),
        "assessment_question_identifierref": f"{draft.name}.{ident}",
    }
    data = [node("qtimetadatafield", {}, node("fieldlabel", {}, label), node("fieldentry", {}, entry)) for label, entry in fields.items()]
    outcome = node("outcomes", {}, node("decvar", {"maxvalue": "100", "minvalue": "0", "varname": "SCORE", "vartype": "Decimal"}))
    return node(
        "item",
        {"ident": f"{draft.name}.{ident}", "title": question["id"]},
        node("itemmetadata", {}, node("qtimetadata", {}, *data)),
        node("presentation", {}, *presentation),
        node("resprocessing", {}, outcome, *processing),
        *feedback,
    )
