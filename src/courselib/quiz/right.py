"""What is right: the answers that earn all points, for a learner who gives up, for the exports and for the tests."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Any

from courselib.quiz.built import Built, of_variant, text_of
from courselib.text import Text, one_line, say


def answer_of(question: Built) -> Text:
    """Return a right answer with its reason."""
    match question["type"]:
        case "choice" | "choices":
            right = [c for c in question["choices"] if c["right"]]
            return one_line((say("- {t}: {w}", "- {t}: {w}", t=text_of(c["text"]), w=text_of(c["why"])) for c in right), "\n")
        case "number":
            return say("**{k} {u}** {w}", "**{k} {u}** {w}", k=question["shown"], u=question["unit"], w=text_of(question["why"]))
        case "order":
            texts = {s["id"]: s["text"] for s in question["steps"]}
            steps = one_line((say("1. {t}", "1. {t}", t=text_of(texts[step])) for step in first_order(question)), "\n")
            return say("{s}\n\n{w}", "{s}\n\n{w}", s=steps, w=text_of(question["why"]))
        case "dtypes":
            reasons = ((n["name"], n["dtype"], text_of(n["why"])) for n in question["names"])
            return one_line((say("- {n}: **{d}** {w}", "- {n}: **{d}** {w}", n=n, d=d, w=w) for n, d, w in reasons), "\n")
        case "shape":
            return say("**{s}** {w}", "**{s}** {w}", s=str(tuple(question["shape"])), w=text_of(question["why"]))
    return text_of(question["model"])


def answered(built: Built) -> Iterator[tuple[Built, Any]]:
    """Yield every question, in each of its variants, with a right answer as a sheet holds it."""
    for question in built["questions"]:
        for number in range(len(question["variants"] or [0])):
            one = of_variant(question, number)
            yield one, _key(one)


def _key(question: Built) -> Any:
    match question["type"]:
        case "choice":
            return next(c["id"] for c in question["choices"] if c["right"])
        case "choices":
            return [c["id"] for c in question["choices"] if c["right"]]
        case "number":
            return question["shown"]
        case "order":
            return list(first_order(question))
        case "dtypes":
            return {n["name"]: n["dtype"] for n in question["names"]}
        case "shape":
            return list(question["shape"]) or "()"
    return {"text": "-", "rating": 2}


def before(question: Built) -> dict[str, list[str]]:
    """Return each step that belongs, with all that must come before it, as the author listed them."""
    return {s["id"]: s["after"] for s in question["steps"] if not s["extra"]}


def extras(question: Built) -> list[str]:
    """Return the steps that do not belong."""
    return [s["id"] for s in question["steps"] if s["extra"]]


def right_orders(question: Built, most: int) -> list[tuple[str, ...]]:
    """Return the right orders, the nearest to the author's first; never more than `most`."""
    return list(islice(_orders((), before(question)), most))


def first_order(question: Built) -> tuple[str, ...]:
    """Return the right order that is the nearest to the author's."""
    return right_orders(question, 1)[0]


def _orders(placed: tuple[str, ...], earlier: Mapping[str, Collection[str]]) -> Iterator[tuple[str, ...]]:
    if len(placed) == len(earlier):
        yield placed
    for step, needs in earlier.items():
        if step not in placed and set(needs) <= set(placed):
            yield from _orders((*placed, step), earlier)
