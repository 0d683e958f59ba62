"""From the Markdown of a quiz to HTML: code, bold, lists and maths, and nothing else; whatever looks like HTML is text."""

from __future__ import annotations

import re
from functools import cache
from html import escape
from xml.etree import ElementTree

from latex2mathml.converter import convert
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from courselib.text import say
from courselib.trouble import Trouble

RULES = ("backticks", "emphasis", "entity", "escape", "fence", "list", "newline")
NAMESPACE = "http://www.w3.org/1998/Math/MathML"
SAFE = re.compile(re.escape(f"{{{NAMESPACE}}}") + r"m[a-z]+\Z")
RISKY = ("href", "src", "style", "class", "id")
BREAKS = re.compile(r"(?<=[._(,=/])(?=[^\s.)])")  # where a long name in code may go on in the next line
ALONE = re.compile(r"<p>((?:(?!</?p>).)*)</p>\n\Z", re.DOTALL)


@cache
def html(text: str) -> str:
    """Return Markdown as HTML; a single paragraph comes without its `<p>`, fit for a label."""
    made = _renderer().render(text)
    alone = ALONE.match(made)
    return alone[1] if alone else made.strip("\n")


@cache
def _renderer() -> MarkdownIt:
    made = MarkdownIt("zero", {"html": False}).enable(list(RULES))
    dollarmath_plugin(made, allow_space=False, allow_digits=False)
    made.add_render_rule("code_inline", lambda self, tokens, at, *_: f"<code>{BREAKS.sub('<wbr>', escape(tokens[at].content))}</code>")
    made.add_render_rule("math_inline", lambda self, tokens, at, *_: _math(tokens[at].content, "inline"))
    made.add_render_rule("math_block", lambda self, tokens, at, *_: _math(tokens[at].content, "block"))
    return made


def _math(latex: str, display: str) -> str:
    """Return LaTeX maths as MathML; raise `Trouble` for what cannot be read or is more than maths."""
    try:
        made = convert(latex, display=display)
        every = list(ElementTree.fromstring(made).iter())
    except Exception as fault:  # the converter raises many kinds, for many faults of one formula
        raise _unreadable(latex) from fault
    if any(not SAFE.match(e.tag) or any(name in e.attrib for name in RISKY) or "\\" in (e.text or "") for e in every):
        raise _unreadable(latex)
    return made.replace(f' xmlns="{NAMESPACE}"', "").replace(' display="inline"', "")


def _unreadable(latex: str) -> Trouble:
    return Trouble(say("গণিতটি পড়া গেল না: ${x}$", "this maths cannot be read: ${x}$", x=latex.strip()))
