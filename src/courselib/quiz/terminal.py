"""A quiz in the terminal: one question after the other, the reason at once, and a sheet that is kept after each answer."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.markup import escape
from rich.panel import Panel

from courselib.quiz import sheets
from courselib.quiz.asking import ASK, Retry, Stop, prompt
from courselib.quiz.built import Built, of_variant, text_of
from courselib.quiz.marking import Verdict, mark
from courselib.quiz.sentences import STATES
from courselib.quiz.sheets import Marked, Sheet
from courselib.quiz.telling import told
from courselib.text import say
from courselib.trouble import Trouble

COLOURS = {"right": "green", "part": "yellow", "wrong": "red", "unreadable": "yellow"}
WIDE = 80


@dataclass
class Sitting:
    """One person at one quiz: what was answered so far, and where that is kept."""

    built: Built
    path: Path
    console: Console
    ask: Callable[[str], str]
    answers: dict[str, Any] = field(default_factory=dict)
    variants: dict[str, int] = field(default_factory=dict)
    attempts: dict[str, int] = field(default_factory=dict)
    student: str = ""

    def keep(self) -> None:
        """Write the sheet whole, in one step."""
        whose = {"quiz": self.built["quiz"], **({"student": self.student} if self.student else {})}
        data = {**whose, "answers": self.answers, "variants": self.variants, "attempts": self.attempts}
        whole = self.path.with_name(self.path.name + ".tmp")
        whole.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        os.replace(whole, self.path)


def take(built: Built, path: Path, console: Console, ask: Callable[[str], str] = input) -> int:
    """Put a quiz to a person; go on where `path` says they stopped. Return 0 for full marks, 1 for less."""
    sitting = _resumed(built, path, console, ask)
    sitting.keep()  # where nothing can be kept, a learner hears of it before the first answer
    console.print(f"[bold]{escape(_read(built['title']))}[/]", Markdown(_read(built["about"])))
    console.print(escape(HELP.read()), style="dim")
    try:
        for number, question in enumerate(built["questions"], 1):
            if mark(_mine(sitting, question), sitting.answers.get(question["id"])).state in ("unanswered", "unreadable"):
                _put(sitting, number, question)
    except (Stop, EOFError, KeyboardInterrupt):
        console.print(escape(say("রাখা হয়েছে: {p}; আবার চালালে এখান থেকেই চলবে।", "Kept in {p}; run it again to go on.", p=path).read()))
    return _end(sitting)


HELP = say(
    "উত্তর লিখে Enter চাপো। খালি Enter: পরেরটিতে যাও · ?: ইঙ্গিত · !: উত্তর দেখাও · q: থামো (উত্তর রাখা থাকে)",
    "Write an answer and press Enter. Empty: next question · ?: a hint · !: show the answer · q: stop (answers are kept)",
)


def _resumed(built: Built, path: Path, console: Console, ask: Callable[[str], str]) -> Sitting:
    sitting = Sitting(built, path, console, ask)
    if path.exists():
        sheet = sheets.read(path, path.read_bytes())
        if sheet.quiz != built["quiz"]:
            raise Trouble(
                say(
                    "{p}: এতে {q} quiz-এর উত্তর; --answers-এ অন্য ফাইল দাও।",
                    "{p} holds answers to {q}; give --answers another file.",
                    p=path,
                    q=sheet.quiz,
                )
            )
        sitting.answers, sitting.variants, sitting.attempts = dict(sheet.answers), dict(sheet.variants), dict(sheet.attempts)
        sitting.student = sheet.student
    return sitting


def _mine(sitting: Sitting, question: Built) -> Built:
    return of_variant(question, sitting.variants.get(question["id"], 0))


def _put(sitting: Sitting, number: int, question: Built) -> None:
    """Put one question until it is right, or left."""
    one, hints, line = _mine(sitting, question), list(question["hints"]), ""
    head = say("{n}/{m} প্রশ্ন", "question {n}/{m}", n=number, m=len(sitting.built["questions"]))
    sitting.console.print(Panel(Markdown(_read(one["ask"])), title=escape(head.read()), title_align="left"))
    line = ASK[one["type"]](sitting.console, one)
    while True:
        typed = sitting.ask(f"{line}> ").strip()
        if not typed:
            return
        if typed in ("?", "？"):
            sitting.console.print(escape(_read(hints.pop(0)) if hints else say("আর কোনো ইঙ্গিত নেই।", "There are no more hints.").read()))
        elif typed == "!":
            _show(sitting, one)
            return
        elif typed.lower() in ("q", "quit"):
            raise Stop
        elif _answered(sitting, one, typed):
            return


def _answered(sitting: Sitting, question: Built, typed: str) -> bool:
    """Take one answer; tell what it is worth; True where the question is done with."""
    try:
        answer = prompt(question, typed, sitting.ask)
    except Retry as again:
        sitting.console.print(escape(again.sentence.read()), style="yellow")
        return False
    verdict = mark(question, answer)
    _tell(sitting.console, question, verdict)
    if verdict.state == "unreadable":
        return False
    name = question["id"]
    best = mark(question, sitting.answers.get(name))
    sitting.attempts[name] = sitting.attempts.get(name, 0) + 1
    if best.state == "unanswered" or verdict.score >= best.score:
        sitting.answers[name] = answer
    if question["variants"]:
        sitting.variants.setdefault(name, 0)
    sitting.keep()
    return verdict.state in ("right", "self")


def _tell(console: Console, question: Built, verdict: Verdict) -> None:
    colour = COLOURS.get(verdict.state, "cyan")
    console.print(f"[bold {colour}]{escape(STATES[verdict.state].read())}[/]")
    moves = 0
    for note, sentence in zip(verdict.notes, told(question, verdict), strict=False):
        moves += note[0] in ("above", "below")
        if note[0] not in ("above", "below") or moves == 1:  # one move at a time: the rest is the learner's
            console.print(Markdown(sentence.read()))
    if verdict.state == "self":
        console.print(Markdown(_read(question["model"])))


def _show(sitting: Sitting, question: Built) -> None:
    from courselib.quiz.right import answer_of

    sitting.console.print(Markdown(answer_of(question).read()))


def _end(sitting: Sitting) -> int:
    """Say what it came to."""
    marks = _marked(sitting)
    states = [v.state for q, v in marks.verdicts if q["points"]]
    sitting.console.print(
        escape(
            say(
                "নম্বর {s:g}/{p}: ঠিক {r}, আংশিক {a}, বাকি {o}",
                "{s:g} of {p} points: right {r}, partly {a}, open {o}",
                s=float(marks.score),
                p=marks.possible,
                r=states.count("right"),
                a=states.count("part"),
                o=sum(s in ("wrong", "unanswered", "unreadable") for s in states),
            ).read()
        )
    )
    return 0 if marks.score == marks.possible else 1


def _marked(sitting: Sitting) -> Marked:
    sheet = Sheet(quiz=sitting.built["quiz"], answers=sitting.answers, variants=sitting.variants)
    return sheets.marked(sitting.built, sheet, sheets.as_told(sheet))


def _read(pair: dict[str, str]) -> str:
    return text_of(pair).read()
