"""A quiz as one HTML file that asks the network for nothing, and the same page inside a notebook.

Texts are rendered here; what the page does with them is in templates/. A content policy lets no script run but ours, known
by its hash.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from courselib import dtypes
from courselib.quiz import markup, sentences
from courselib.quiz.built import Built, without_keys
from courselib.quiz.words import words

SCRIPTS = ("numbers", "ordering", "marking", "elements", "order", "answers", "feedback", "progress", "card", "finish", "quiz")
WEIGHTS = (400, 700)
LETTERS = "U+0951-0952,U+0964-0965,U+0980-09FE,U+200C-200D,U+20B9,U+25CC"  # what the font is asked for; Latin is the system's
TALL = 720  # pixels of the frame in a notebook


def page(built: Built, lang: str, *, keys: bool = True) -> str:
    """Return a quiz as HTML that opens in `lang`; without `keys` nothing in it tells what is right."""
    shown = _rendered(built if keys else without_keys(built))
    title = built["title"][lang]
    return (
        _environment()
        .get_template("quiz.html")
        .render(lang=lang, title=title, data=_data(shown, lang, graded=not keys), style=_style(), script=_script())
    )


def show(name: str, course: Path | None = None) -> None:
    """Show a quiz of the course around `course` (the current folder by default) below a notebook's cell."""
    from IPython.display import HTML, display

    from courselib.course import load_course
    from courselib.quiz import shelf
    from courselib.text import language

    here = load_course(course)
    whole = page(shelf.built(here, name), language(), keys=name not in shelf.graded(here))
    display(HTML(framed(whole, name)))


def framed(whole: str, name: str) -> str:
    """Return a page as a frame within another: its styles and scripts stay its own."""
    style = f"width:100%;height:{TALL}px;border:0"
    return f'<div><iframe title="{escape(name)}" style="{style}" srcdoc="{escape(whole)}"></iframe></div>'


def _rendered(value: Any) -> Any:
    """Return a built quiz with its texts as HTML; a text that reads alike in both languages stands once."""
    if isinstance(value, list):
        return [_rendered(v) for v in value]
    if not isinstance(value, dict):
        return value
    if value.keys() != {"bn", "en"}:
        return {k: v if k == "title" else _rendered(v) for k, v in value.items()}
    pair = {lang: markup.html(text) for lang, text in value.items()}
    return pair["bn"] if pair["bn"] == pair["en"] else pair


def _data(shown: Built, lang: str, *, graded: bool) -> str:
    """Return all that the page's scripts need, packed: Bangla shrinks to a sixth, and no text can end a script early."""
    known = {**dtypes.ALIASES, **{name: name for name in dtypes.OFFERED}}
    content = hashlib.sha256(json.dumps(shown, ensure_ascii=False).encode()).hexdigest()[:12]
    told = {"lang": lang, "graded": graded, "hash": content, "words": words(), "sentences": sentences.table(), "dtypes": known}
    return base64.b64encode(gzip.compress(json.dumps({**shown, **told}, ensure_ascii=False).encode(), mtime=0)).decode()


@cache
def _environment() -> Environment:
    made = Environment(loader=PackageLoader("courselib.quiz"), autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    made.filters["hash"] = _hash
    return made


@cache
def _style() -> Markup:
    return Markup("".join(map(_font, WEIGHTS)) + _template("quiz.css"))


@cache
def _script() -> Markup:
    return Markup("\n".join(_template(f"{name}.js") for name in SCRIPTS))


def _template(name: str) -> str:
    return (files("courselib.quiz") / "templates" / name).read_text(encoding="utf-8")


def _font(weight: int) -> str:
    data = (files("courselib.quiz") / "fonts" / f"noto-sans-bengali-{weight}.woff2").read_bytes()
    source = f"url(data:font/woff2;base64,{base64.b64encode(data).decode()})"
    return f'@font-face{{font-family:"Quiz Bangla";font-weight:{weight};src:{source} format("woff2");unicode-range:{LETTERS}}}\n'


def _hash(text: str) -> str:
    """Return the name by which the content policy knows an inline script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
