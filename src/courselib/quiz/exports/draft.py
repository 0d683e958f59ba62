"""A quiz on its way into a file: its texts as the receiver reads them, and what has been lost so far."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html import escape
from typing import Any, TypeVar

from courselib.quiz.built import Built, of_variant, pair
from courselib.quiz.exports.losses import DIGITS, UNWRITABLE, VARIANTS, Loss, Refused, Severity
from courselib.text import Text, say

Render = Callable[[str], str]
Pair = dict[str, str]
Made = TypeVar("Made")

UNIT = say("একক: {u}", "Unit: {u}")
FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML 1.0
MATHS = re.compile(r"(```.*?```|`[^`]*`)|(?<![\\\d])(\$\$?)(?!\s)([^$]+?)(?<!\s)\2(?!\d)", re.DOTALL)


@dataclass
class Draft:
    """A quiz being written: which language, how Markdown becomes HTML, where maths stays LaTeX, and what is lost."""

    name: str
    built: Built
    lang: str
    render: Render
    latex: bool = False
    losses: list[Loss] = field(default_factory=list)
    at: str = ""  # the question being written

    @property
    def langs(self) -> tuple[str, ...]:
        """Return the languages in the order they are written."""
        return ("bn", "en") if self.lang == "both" else (self.lang,)

    def html(self, text: Pair) -> str:
        """Return a text as HTML, each language in a block that names it."""
        if text["bn"] == text["en"]:
            return f"<div>{self._rendered(text['bn'])}</div>"
        return "".join(f'<div lang="{lang}">{self._rendered(text[lang])}</div>' for lang in self.langs)

    def plain(self, text: Pair) -> str:
        """Return a text for a place that takes no marks, such as a title: on one line."""
        return " / ".join(dict.fromkeys(" ".join(text[lang].split()) for lang in self.langs))

    def asked(self, question: Built) -> str:
        """Return what a question asks as HTML, with its program and its unit."""
        parts = [question["ask"]]
        if program := question.get("program"):
            parts.append({"bn": fenced(program), "en": fenced(program)})
        if question.get("unit"):
            parts.append(pair(UNIT.fill(u=ticked(question["unit"]))))
        return "".join(self.html(part) for part in parts)

    def lose(self, sentence: Text, severity: Severity = "changed") -> None:
        """Note once that something of the question being written is lost."""
        loss = Loss(self.at, sentence, severity)
        if loss not in self.losses:
            self.losses.append(loss)

    def each(self, write: Callable[[Built, str], Made]) -> Iterator[tuple[Built, list[Made]]]:
        """Yield every question with what `write` makes of each of its variants and their idents; name those that are refused."""
        if any(q["type"] in ("number", "shape") for q in self.built["questions"]):
            self.lose(DIGITS)
        for question in self.built["questions"]:
            self.at = question["id"]
            try:
                yield question, self._variants(question, write)
            except Refused as refused:
                self.losses = [loss for loss in self.losses if loss.question != self.at]
                self.lose(refused.sentence, "refused")
        self.at = ""

    def _variants(self, question: Built, write: Callable[[Built, str], Made]) -> list[Made]:
        if any(FORBIDDEN.search(text) for text in strings(question)):
            raise Refused(UNWRITABLE)
        many = len(question["variants"] or ())
        if many > 1:
            self.lose(VARIANTS)
        names = [f"{question['id']}-{n + 1}" for n in range(many)] if many > 1 else [question["id"]]
        return [write(of_variant(question, n), name) for n, name in enumerate(names)]

    def _rendered(self, text: str) -> str:
        if not self.latex:
            return self.render(text)
        formulas: list[str] = []

        def keep(found: re.Match[str]) -> str:
            if found[1]:
                return found[0]
            formulas.append(found[3])
            return f"\ue000{len(formulas) - 1}\ue001"

        made = self.render(MATHS.sub(keep, text))
        return re.sub("\ue000([0-9]+)\ue001", lambda found: rf"\({escape(formulas[int(found[1])], quote=False)}\)", made)


def strings(value: Any) -> Iterator[str]:
    """Yield every text of plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)


def fenced(program: str) -> str:
    """Return a program as a fenced block, whatever backticks stand in it."""
    fence = "`" * max(3, _longest_run(program) + 1)
    return f"{fence}python\n{program}\n{fence}"


def ticked(text: str) -> str:
    """Return a text as code, whatever backticks stand in it."""
    ticks = "`" * (_longest_run(text) + 1)
    return f"{ticks}{text}{ticks}"


def _longest_run(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
