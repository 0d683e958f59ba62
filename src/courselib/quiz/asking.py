"""How each kind of question is put in a terminal, and how what was typed becomes an answer."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from rich.console import Console
from rich.markdown import Markdown
from rich.syntax import Syntax

from courselib.quiz.built import Built, text_of
from courselib.quiz.typed import ascii_digits
from courselib.text import Text, clean, say


class Stop(Exception):
    """The learner wants to stop here."""


class Retry(Exception):
    """What was typed is no answer to this kind of question; the sentence says what is."""

    def __init__(self, sentence: Text) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def _options(question: Built) -> list[Built]:
    """Return choices or steps in the order in which they are shown."""
    if question["type"] == "order":
        steps = {s["id"]: s for s in question["steps"]}
        return [steps[name] for name in question["start"]]
    choices: list[Built] = list(question["choices"])
    if question["shuffle"]:
        Random(question["id"]).shuffle(choices)
    return choices


def _list(console: Console, question: Built) -> None:
    for number, option in enumerate(_options(question), 1):
        console.print(f"[bold]{number:>3}[/] ", end="")
        console.print(Markdown(text_of(option["text"]).read()))


def _ask_choice(console: Console, question: Built) -> str:
    _list(console, question)
    return say("একটি নম্বর", "a number").read()


def _ask_choices(console: Console, question: Built) -> str:
    _list(console, question)
    return say("এক বা একাধিক নম্বর, যেমন 1 3", "one number or more, such as 1 3").read()


def _ask_number(console: Console, question: Built) -> str:
    near = text_of(question["allowed"]).read()
    return f"{say('একটি সংখ্যা', 'a number').read()} ({', '.join(filter(None, (question['unit'], near)))})"


def _ask_order(console: Console, question: Built) -> str:
    _list(console, question)
    return say("নম্বরগুলো ঠিক ক্রমে, যেমন 3 1 2; যা লাগে না তা বাদ", "the numbers in order, such as 3 1 2; leave out what does not belong").read()


def _ask_dtypes(console: Console, question: Built) -> str:
    console.print(Syntax(question["program"], "python", background_color="default"))
    names = ", ".join(n["name"] for n in question["names"])
    return say("dtype, কমা দিয়ে: {n}", "dtypes, by commas: {n}", n=names).read()


def _ask_shape(console: Console, question: Built) -> str:
    console.print(Syntax(question["program"], "python", background_color="default"))
    return f"{question['name']}.shape"


def _ask_reveal(console: Console, question: Built) -> str:
    return say("তোমার উত্তর", "your answer").read()


ASK: dict[str, Callable[[Console, Built], str]] = {
    "choice": _ask_choice,
    "choices": _ask_choices,
    "number": _ask_number,
    "order": _ask_order,
    "dtypes": _ask_dtypes,
    "shape": _ask_shape,
    "reveal": _ask_reveal,
}


def prompt(question: Built, typed: str, ask: Callable[[str], str]) -> Any:
    """Turn what was typed into an answer as a sheet holds it; raise `Retry` where it is none."""
    match question["type"]:
        case "choice":
            picked = _picked(question, typed)
            if len(picked) != 1:
                raise Retry(say("একটিই নম্বর লেখো।", "Write one number."))
            return picked[0]
        case "choices" | "order":
            return _picked(question, typed)
        case "dtypes":
            return _by_name(question, typed)
        case "reveal":
            return {"text": typed, "rating": _rating(ask)}
    return typed


def _picked(question: Built, typed: str) -> list[str]:
    """Read the numbers of options, or their ids."""
    shown = _options(question)
    ids = {o["id"] for o in shown}
    out = []
    for word in ascii_digits(typed)[0].replace(",", " ").split():
        if word in ids:
            out.append(word)
        elif word.isascii() and word.isdigit() and 1 <= int(word[:4]) <= len(shown):
            out.append(shown[int(word) - 1]["id"])
        else:
            raise Retry(say("{w}: 1 থেকে {n}-এর একটি নম্বর লেখো।", "{w}: write a number from 1 to {n}.", w=clean(word[:20]), n=len(shown)))
    return out


def _by_name(question: Built, typed: str) -> dict[str, str]:
    names, words = [n["name"] for n in question["names"]], [w.strip() for w in typed.split(",")]
    if len(words) != len(names):
        raise Retry(say("{n}টি dtype লেখো, কমা দিয়ে আলাদা করে।", "Write {n} dtypes, separated by commas.", n=len(names)))
    return dict(zip(names, words, strict=True))


def _rating(ask: Callable[[str], str]) -> int:
    """Ask how near one's own answer came."""
    line = say("0: মেলেনি, 1: কিছুটা, 2: মিলেছে", "0: missed it, 1: partly, 2: got it").read()
    while (typed := ascii_digits(ask(f"{line}> ").strip())[0]) not in ("0", "1", "2"):
        pass
    return int(typed)
