"""Moodle's cloze: drop-downs within a text, for the dtypes of several names."""

from __future__ import annotations

from html import escape

from courselib.quiz.built import Built
from courselib.quiz.exports.draft import Draft


def cloze(draft: Draft, question: Built, points: int) -> str:
    """Return a dtype question as text with a drop-down for each name, each worth `points`."""
    asked = draft.asked(question).replace("{", "&#123;")  # no brace of a program may look like an answer
    rows = "".join(f"<p><code>{_name(n['name'])}</code>: {_dropdown(draft, question, n, points)}</p>" for n in question["names"])
    return asked + rows


def _name(name: str) -> str:
    return escape(name, quote=False).replace("{", "&#123;")


def _dropdown(draft: Draft, question: Built, name: Built, points: int) -> str:
    slips = {s["dtype"]: s["why"] for s in question["slips"] if s["name"] == name["name"]}
    said = {**slips, name["dtype"]: name["why"]}
    options = [
        ("=" if dtype == name["dtype"] else "") + dtype + (f"#{_feedback(draft.html(said[dtype]))}" if dtype in said else "")
        for dtype in question["options"]
    ]
    return f"{{{points}:MULTICHOICE:{'~'.join(options)}}}"


def _feedback(html: str) -> str:
    """Escape HTML for the place where Moodle decodes entities once and drops a backslash before } and #."""
    html = html.replace("\\", "&#92;").replace("&", "&amp;")
    return html.replace("~", "&#126;").replace("{", "&#123;").replace("}", "&#125;")
