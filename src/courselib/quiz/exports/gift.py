r"""GIFT: Moodle's plain-text format, one block of lines per question.

A blank line ends a question and a line that starts with // is dropped, so no text of ours may hold a line break: it
is written as \n, as Moodle itself does.
"""

from __future__ import annotations

import re

from courselib.quiz.built import Built
from courselib.quiz.exports import losses
from courselib.quiz.exports.decimals import decimal
from courselib.quiz.exports.draft import Draft
from courselib.quiz.exports.moodle_numbers import moodle_key
from courselib.quiz.exports.moodle_xml import SHARES
from courselib.quiz.exports.orders import only_order
from courselib.quiz.exports.spellings import spellings
from courselib.quiz.marking import exact

ESCAPES = str.maketrans({c: f"\\{c}" for c in "\\~=#{}:"} | {"\n": "\\n", "\r": ""})
# An ordering's steps would keep the importer's placeholders for escapes, so they are written in entities instead.
ENTITIES = str.maketrans({c: f"&#{ord(c)};" for c in "\\{}\n"} | {"\r": ""})
HASHES = re.compile("#(?=#)")  # four in a row would start the general feedback


def write(draft: Draft) -> bytes:
    """Return the quiz as one GIFT file."""
    home = f"$course$/top/{_name(draft.plain(draft.built['title']) or draft.name)}"
    blocks = [f"$CATEGORY: {home}"]
    for question, made in draft.each(lambda one, name: _question(draft, one, name)):
        if len(made) > 1:
            draft.lose(losses.VARIANTS_BY_HAND.fill(n=len(made)))
            made = [f"$CATEGORY: {home}/{question['id']}", *made, f"$CATEGORY: {home}"]
        blocks += made
    return ("\n\n".join(blocks) + "\n").encode()


def _name(text: str) -> str:
    """Return a category's name: the importer undoes no escapes in it."""
    return text.replace("\\", "").replace("/", "//")


def _question(draft: Draft, question: Built, name: str) -> str:
    answers = WRITERS[question["type"]](draft, question)
    if question["points"] != 1:
        draft.lose(losses.POINTS.fill(p=question["points"]))
    if question["hints"]:
        draft.lose(losses.HINTS)
    return f"::{name.translate(ESCAPES)}::[html]{draft.asked(question).translate(ESCAPES)}{{{answers}}}"


def _lines(*lines: str) -> str:
    return "".join(f"\n\t{line}" for line in lines) + "\n"


def _choice(draft: Draft, question: Built) -> str:
    return _picks(draft, question, "=", "~")


def _choices(draft: Draft, question: Built) -> str:
    right = sum(c["right"] for c in question["choices"])
    if question["credit"] == "all" and right > 1:
        draft.lose(losses.CHOICES_ALL)
    draft.lose(losses.LEFT_OUT)
    share = SHARES[right - 1]
    return _picks(draft, question, f"~%{share}%", f"~%-{share}%")


def _picks(draft: Draft, question: Built, right: str, wrong: str) -> str:
    if not question["shuffle"]:
        draft.lose(losses.SHUFFLE)
    return _lines(
        *(
            f"{right if c['right'] else wrong}{draft.html(c['text']).translate(ESCAPES)}#{draft.html(c['why']).translate(ESCAPES)}"
            for c in question["choices"]
        )
    )


def _number(draft: Draft, question: Built) -> str:
    key, within = moodle_key(draft, question)
    rows = [f"=%100%{decimal(key)}:{decimal(within)}#{draft.html(question['why']).translate(ESCAPES)}"]
    for slip in question["slips"]:
        middle, near = exact(slip["key"]), exact(slip["within"])
        if abs(middle - key) <= near + within:
            draft.lose(losses.SLIP_COVERED.fill(s=slip["id"]))
        else:
            rows.append(f"=%0%{decimal(middle)}:{decimal(near)}#{draft.html(slip['why']).translate(ESCAPES)}")
    if question["unit"]:
        draft.lose(losses.UNIT_TYPED)
        draft.lose(losses.FACTORS)
    return "#" + _lines(*rows)


def _order(draft: Draft, question: Built) -> str:
    """Write the steps in order; the importer's pattern lacks the longest ordered part, so it is all or nothing."""
    order = only_order(question)
    draft.lose(losses.ALL_OR_NOTHING)
    draft.lose(losses.MOVES)
    texts = {s["id"]: HASHES.sub("&#35;", draft.html(s["text"])).translate(ENTITIES) for s in question["steps"]}
    head = f">{len(texts)} ALL VERTICAL ALL_OR_NOTHING SHOW none"
    return head + _lines(*(texts[step] for step in order), f"####{draft.html(question['why']).translate(ESCAPES)}")


def _shape(draft: Draft, question: Built) -> str:
    draft.lose(losses.SPELLINGS)
    draft.lose(losses.DIMENSIONS)
    rows = [f"=%100%{way.translate(ESCAPES)}#{draft.html(question['why']).translate(ESCAPES)}" for way in spellings(question["shape"])]
    for slip in question["slips"]:
        rows += [f"=%0%{way.translate(ESCAPES)}#{draft.html(slip['why']).translate(ESCAPES)}" for way in spellings(slip["shape"])]
    return _lines(*rows)


def _dtypes(draft: Draft, question: Built) -> str:
    raise losses.Refused(losses.DROPDOWNS)


def _reveal(draft: Draft, question: Built) -> str:
    draft.lose(losses.RATING)
    return f"####{draft.html(question['model']).translate(ESCAPES)}"


WRITERS = {
    "choice": _choice,
    "choices": _choices,
    "number": _number,
    "order": _order,
    "dtypes": _dtypes,
    "shape": _shape,
    "reveal": _reveal,
}
