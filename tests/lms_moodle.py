"""Moodle as a reader: its XML and GIFT importers and how it marks, written from its rules and apart from the exporter.

Numbers are floats, digits are ASCII, what an importer does not know falls to its default, as in Moodle itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from xml.etree import ElementTree as ET

from lms_quiz import shown, visible

from courselib.quiz.built import Built

GRADES = (100, 90, 83.33333, 80, 75, 70, 66.66667, 60, 50, 40, 33.33333, 30, 25, 20, 16.66667, 14.28571, 12.5, 11.11111, 10, 5, 0)
GRADING = {
    "ALL_OR_NOTHING",
    "ABSOLUTE_POSITION",
    "RELATIVE_NEXT_INCLUDE_LAST",
    "RELATIVE_ONE_PREVIOUS_AND_NEXT",
    "RELATIVE_ALL_PREVIOUS_AND_NEXT",
    "LONGEST_ORDERED_SUBSET",
    "LONGEST_CONTIGUOUS_SUBSET",
    "RELATIVE_TO_CORRECT",
}


@dataclass
class Answer:
    text: str
    fraction: float
    feedback: str = ""
    tolerance: float = 0


@dataclass
class Asked:
    """A question as Moodle holds it."""

    kind: str
    name: str
    text: str
    category: str
    mark: float = 1
    answers: list[Answer] = field(default_factory=list)
    units: dict[str, float] = field(default_factory=dict)
    single: bool = True
    shuffle: bool = False
    grading: str = ""
    select: str = ""
    parts: list[Asked] = field(default_factory=list)
    general: str = ""
    told: str = ""
    hints: list[str] = field(default_factory=list)


# --- Moodle XML
def read_xml(data: bytes) -> list[Asked]:
    category, found = "", []
    for one in ET.fromstring(data):
        assert one.tag == "question"
        if one.get("type") == "category":
            category = _text(one, "category")
        else:
            found.append(_from_xml(one, category))
    return found


def _text(one: ET.Element, path: str, default: str = "") -> str:
    text = one.findtext(f"{path}/text")
    return default if text is None else text.strip()


def _from_xml(one: ET.Element, category: str) -> Asked:
    kind = one.get("type", "")
    asked = Asked(kind, _text(one, "name"), _text(one, "questiontext"), category, float(one.findtext("defaultgrade", "1")))
    assert one.find("questiontext").get("format") == "html"
    asked.hints = [h.findtext("text", "") for h in one.findall("hint")]
    asked.general, asked.told = _text(one, "generalfeedback"), _text(one, "correctfeedback")
    asked.single = one.findtext("single", "true") == "true"
    asked.shuffle = one.findtext("shuffleanswers", "false") == "true"
    asked.grading = one.findtext("gradingtype", "")
    if asked.grading not in GRADING:
        asked.grading = "RELATIVE_NEXT_EXCLUDE_LAST"
    asked.select = one.findtext("selecttype", "RANDOM")
    for a in one.findall("answer"):
        fraction = float(a.get("fraction", "0")) / 100
        asked.answers.append(Answer(a.findtext("text", "").strip(), fraction, _text(a, "feedback"), float(a.findtext("tolerance", "0"))))
    for unit in one.findall("units/unit"):
        asked.units[unit.findtext("unit_name", "").strip()] = float(unit.findtext("multiplier", "1"))
    if kind == "multianswer":
        _extract(asked)
    return _graded(asked)


def _graded(asked: Asked) -> Asked:
    """Refuse, as the importer does, a fraction that is none of Moodle's own."""
    if asked.kind != "ordering":
        for one in asked.answers:
            assert any(abs(abs(one.fraction) - grade / 100) < 0.00001 for grade in GRADES), one.fraction
    return asked


ALTERNATIVE = r"(=|%(-?[0-9]+)%)?(.+?(?<!\\|&)(?<!&amp;)(?=[~#}]|$))(#(.*?(?<!\\)(?=[~}]|$)))?"
CLOZE = re.compile(
    r"\{([0-9]*):(NUMERICAL|NM|MULTICHOICE|MC|SHORTANSWER|SA|MW|MULTIRESPONSE|MR)(?:_[A-Z]+)?:("
    + ALTERNATIVE
    + "(?:~"
    + ALTERNATIVE
    + r")*)\}",
    re.DOTALL,
)


def _extract(asked: Asked) -> None:
    asked.mark = 0
    while found := CLOZE.search(asked.text):
        weight, kind, rest = found[1], found[2], found[3]
        part = Asked(kind, "", "", "", float(weight or 1))
        while rest and (one := re.match("~?" + ALTERNATIVE, rest, re.DOTALL)):
            fraction = 1.0 if one[1] == "=" else int(one[2]) / 100 if one[2] else 0.0
            part.answers.append(Answer(_decoded(one[3]), fraction, _decoded(one[5] or "")))
            rest = rest[one.end() :]
        asked.parts.append(part)
        asked.mark += part.mark
        asked.text = asked.text.replace(found[0], f"{{#{len(asked.parts)}}}", 1)
    for part in asked.parts:
        assert len(part.answers) >= 2
        assert max(a.fraction for a in part.answers) == 1


def _decoded(text: str) -> str:
    return unescape(text).replace("\\}", "}").replace("\\#", "#")


# --- GIFT
PLACES = {"\\:": "&&058;", "\\#": "&&035;", "\\=": "&&061;", "\\{": "&&123;", "\\}": "&&125;", "\\~": "&&126;", "\\n": "&&010"}
BACK = {place: escaped[1:] for escaped, place in PLACES.items()} | {"&&010": "\n"}
WEIGHT = re.compile(r"%(-*[0-9]{1,2}\.?[0-9]*)%")
# the names of gradings in the importer's own pattern, where REL and LONGEST_ORDERED_SUBSET have grown together
ORDERING = re.compile(
    r"\s*>\s*(\d+)\s*((?:ALL|EXACT|RANDOM|REL|CONTIGUOUS|CONTIG)?)\s*((?:HORIZONTAL|HORI|H|1|VERTICAL|VERT|V|0)?)\s*"
    r"((?:ALL_OR_NOTHING|ABSOLUTE_POSITION|ABSOLUTE|ABS|RELATIVE_NEXT_EXCLUDE_LAST|RELATIVE_NEXT_INCLUDE_LAST|"
    r"RELATIVE_ONE_PREVIOUS_AND_NEXT|RELATIVE_ALL_PREVIOUS_AND_NEXT|RELATIVE_TO_CORRECT|RELATIVE|"
    r"RELLONGEST_ORDERED_SUBSET|LONGEST_CONTIGUOUS_SUBSET)?)\s*((?:SHOW|TRUE|YES|1|HIDE|FALSE|NO|0)?)\s*"
    r"((?:none|123|abc|ABCD|iii|IIII)?)\s*(.*?)\s*\Z",
    re.DOTALL,
)


def read_gift(data: bytes) -> list[Asked]:
    category, found = "", []
    for block in re.split(r"\n[ \t]*\n", data.decode()):
        text = "\n".join(" " if line.strip().startswith("//") else line for line in block.split("\n")).strip()
        if not text:
            continue
        text = _pre(text)
        if text.startswith("$CATEGORY:"):
            category = text[10:].strip()
        else:
            found.append(_from_gift(text, category))
    return found


def _pre(text: str) -> str:
    text = text.replace("\\\\", "&&092;")
    for escaped, place in PLACES.items():
        text = text.replace(escaped, place)
    return text.replace("&&092;", "\\")


def _post(text: str) -> str:
    for place, character in BACK.items():
        text = text.replace(place, character)
    return text


def _formatted(text: str) -> str:
    if text.startswith("["):
        name, _, rest = text[1:].partition("]")
        text = rest if name in ("html", "plain", "markdown", "moodle") else text
    return _post(text).strip()


def _from_gift(text: str, category: str) -> Asked:
    assert text.startswith("::")
    name, _, text = text[2:].partition("::")
    start, end = text.find("{"), text.find("}")
    assert 0 <= start < end == len(text) - 1
    assert text.startswith("[html]")
    body = text[start + 1 : end].strip()
    body, _, general = body.rpartition("####") if "####" in body else (body, "", "")
    body = body.strip()
    asked = Asked("", _post(name), _formatted(text[:start]), category, general=_formatted(general))
    if ordering := ORDERING.match(body):
        asked.kind, asked.select, asked.grading = "ordering", ordering[2], ordering[4] or "RELATIVE_NEXT_EXCLUDE_LAST"
        asked.answers = [Answer(line.strip(), n + 1) for n, line in enumerate(filter(str.strip, ordering[7].split("\n")))]
    elif not body:
        asked.kind = "essay"
    elif body[0] == "#":
        asked.kind = "numerical"
        asked.answers = [_numeric(one) for one in _split(body[1:], "=")]
    elif "~" in body:
        asked.kind, asked.single = "multichoice", "=" not in body
        asked.single = not asked.single
        asked.answers = [_weighed(one, 1 if one.startswith("=") else 0) for one in _split(body.replace("=", "~="), "~")]
    else:
        assert not ("=" in body and "->" in body)
        asked.kind = "shortanswer"
        asked.answers = [_weighed(one, 1) for one in _split(body, "=")]
    return _graded(asked)


def _split(body: str, mark: str) -> list[str]:
    parts = [part.strip() for part in body.split(mark)]
    return parts if parts[0] else parts[1:]


def _weighed(one: str, fraction: float) -> Answer:
    one = one.removeprefix("=")
    if found := WEIGHT.match(one):
        fraction, one = float(found[1]) / 100, one[found.end() :]
    text, _, feedback = one.partition("#")
    return Answer(_formatted(text.strip()), fraction, _formatted(feedback.strip()))


def _numeric(one: str) -> Answer:
    made = _weighed(one, 1)
    number, _, tolerance = made.text.partition(":")
    if not re.fullmatch(r"[+-]?[0-9]+(\.[0-9]*)?", number, re.ASCII):
        number = "*"  # the importer's slip: every answer right
    return Answer(number, made.fraction, made.feedback, float(tolerance or 0))


# --- marking
def grade(asked: Asked, response: object) -> tuple[float, list[str]]:
    """Mark a response: an index, indices, a text, texts, or an order of indices; return the fraction and what is said."""
    if asked.kind == "numerical":
        return _grade_number(asked, str(response))
    if asked.kind == "shortanswer":
        found = next((a for a in asked.answers if _same(str(response), a.text)), None)
        return (found.fraction, [found.feedback]) if found else (0, [])
    if asked.kind == "multianswer":
        picked = [part.answers[n] if n is not None else Answer("", 0) for part, n in zip(asked.parts, response, strict=True)]
        got = sum(part.mark * one.fraction for part, one in zip(asked.parts, picked, strict=True))
        return got / asked.mark, [one.feedback for one in picked]
    if asked.kind == "ordering":
        return _grade_order(asked, list(response)), []
    assert asked.kind == "multichoice"
    picked = [asked.answers[response]] if asked.single else [asked.answers[n] for n in response]
    total = min(1, max(0, sum(one.fraction for one in picked)))
    return (1 if total > 0.999999 else total), [one.feedback for one in picked]


def _same(given: str, pattern: str) -> bool:
    bits = re.split(r"(?<!\\)\*+", pattern)
    whole = ".*".join(re.escape(bit.replace("\\*", "*")) for bit in bits)
    return re.fullmatch(whole, given.strip(), re.IGNORECASE) is not None


def _grade_order(asked: Asked, order: list[int]) -> float:
    assert asked.select == "ALL"
    if asked.grading == "ALL_OR_NOTHING":
        return float(order == sorted(order))
    assert asked.grading == "LONGEST_ORDERED_SUBSET"
    longest = [1] * len(order)
    for i in range(len(order)):
        longest[i] = 1 + max((longest[j] for j in range(i) if order[j] < order[i]), default=0)
    best = max(longest)
    return (best if best > 1 else 0) / len(order)


def _grade_number(asked: Asked, typed: str) -> tuple[float, list[str]]:
    text = typed.replace(" ", "")
    text = re.sub(r"(?:e|E|(?:x|\*|×)10(?:\^|\*\*))([+-]?[0-9]+)", r"e\1", text)
    text = text.replace(",", "") if "." in text or text.count(",") > 1 else text.replace(",", ".")
    found = re.match(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[-+]?[0-9]+)?", text)
    if found is None:
        return 0, ["invalid number"]
    value, unit = float(found[0]), text[found.end() :]
    scaled = value * (1 / asked.units[unit]) if unit in asked.units else value
    for one in asked.answers:
        if one.text == "*" or _within(one, scaled) or _within(one, value):
            return one.fraction, [one.feedback]
    return 0, []


def _within(one: Answer, value: float) -> bool:
    middle, tiny = float(one.text), 1e-14
    near = abs(one.tolerance) + tiny * max(abs(one.tolerance), abs(middle), tiny)
    return middle - near <= value <= middle + near


def given(asked: Asked, one: Built, answer: object) -> object:
    """Give our answer as Moodle gets it: places among the answers, found by what they show."""
    places = {visible(a.text): n for n, a in enumerate(asked.answers)}
    match one["type"]:
        case "choice":
            return places[shown(next(c["text"] for c in one["choices"] if c["id"] == answer))]
        case "choices":
            return [places[shown(c["text"])] for c in one["choices"] if c["id"] in answer]
        case "order":
            texts = {s["id"]: shown(s["text"]) for s in one["steps"]}
            return [places[texts[step]] for step in answer]
        case "dtypes":
            rows = [[a.text for a in part.answers] for part in asked.parts]
            given = [answer.get(n["name"]) for n in one["names"]]
            return [row.index(dtype) if dtype else None for row, dtype in zip(rows, given, strict=True)]
    return answer
