"""A quiz with every type of question, and texts that a careless exporter would break on."""

from __future__ import annotations

import re
from fractions import Fraction
from graphlib import TopologicalSorter
from html import unescape
from itertools import combinations, permutations, product
from random import Random
from typing import Any

from courselib.quiz.built import Built, build
from courselib.quiz.markup import html as render
from courselib.quiz.source import Quiz

NASTY = r"a = {b: 'c'} #### d ~ e ]]> <b>&amp;</b> \n \: %50% {1:SA:=x} {#1} [dtype_1] -> // :: &&035; \} \#"


def both(name: str) -> dict[str, str]:
    return {"bn": f"{name} বাংলায়: `{NASTY}`", "en": f"{name} in English: `{NASTY}`"}


def choices(right: list[bool], **more: Any) -> list[dict[str, Any]]:
    return [
        {"id": f"c{n}", "text": both(f"choice {n}"), "right": r, "why": both(f"why {n}"), **({"left_out": both(f"left {n}")} if r else {})}
        for n, r in enumerate(right)
    ]


QUESTIONS: dict[str, dict[str, Any]] = {
    "one": {"type": "choice", "choices": choices([False, True, False]), "points": 2, "hints": [both("hint 1"), both("hint 2")]},
    "fixed": {"type": "choice", "choices": choices([True, False]), "shuffle": False},
    "several": {"type": "choices", "choices": choices([True, False, True, False, True])},
    "whole": {"type": "choices", "choices": choices([True, False, True]), "credit": "all"},
    "single": {"type": "choices", "choices": choices([False, True, False]), "credit": "all"},
    "memory": {
        "type": "number",
        "answer": "100e6 * 8 / 2**20",
        "tolerance": {"absolute": 0.1},
        "unit": "MB",
        "units": {"GB": 1024, "KB": "1/1024"},
        "slips": [
            {"id": "decimal", "value": "100e6 * 8 / 1e6", "why": both("slip decimal")},
            {"id": "near", "value": 763, "why": both("slip near")},
        ],
        "why": both("why memory"),
        "points": 3,
    },
    "variants": {
        "type": "number",
        "given": {"p": [10, 20, 50]},
        "answer": "p * 16 / 3",
        "tolerance": {"relative": 0.01},
        "slips": [{"id": "half", "value": "p * 8 / 3", "why": both("slip half")}],
        "why": {"bn": "{{answer}}", "en": "{{answer}}"},
    },
    "exactly": {"type": "number", "answer": 4096, "tolerance": {"exact": True}, "why": both("why exactly")},
    "chain": {
        "type": "order",
        "steps": [{"id": f"s{n}", "text": both(f"step {n}"), "after": [f"s{n - 1}"] if n else []} for n in (2, 0, 3, 1)],
        "start": ["s3", "s1", "s2", "s0"],
        "why": both("why chain"),
        "points": 2,
    },
    "partial": {
        "type": "order",
        "steps": [
            {"id": "load", "text": both("load")},
            {"id": "zero", "text": both("zero")},
            {"id": "forward", "text": both("forward"), "after": ["load"]},
            {"id": "backward", "text": both("backward"), "after": ["forward", "zero"]},
            {"id": "step", "text": both("step"), "after": ["backward"]},
        ],
        "start": ["step", "backward", "forward", "load", "zero"],
        "why": both("why partial"),
    },
    "distracted": {
        "type": "order",
        "steps": [
            {"id": "first", "text": both("first")},
            {"id": "second", "text": both("second"), "after": ["first"]},
            {"id": "third", "text": both("third"), "after": ["first"]},
            {"id": "stray", "text": both("stray"), "extra": True, "why": both("why not stray")},
        ],
        "start": ["third", "stray", "second", "first"],
        "why": both("why distracted"),
        "hints": [both("hint")],
    },
    "dtypes": {
        "type": "dtypes",
        "program": 'd = {"a": 1}  # {1:SA:=x}\na = torch.ones(2, dtype=torch.float16)\nb = a + 1.0\nc = a.float()\nn = a.argmax()',
        "names": {"a": both("why a"), "b": both("why b"), "n": both("why n")},
        "slips": [{"id": "promoted", "name": "b", "dtype": "float32", "why": both("slip promoted")}],
    },
    "dtype": {"type": "dtypes", "program": "a = torch.ones(2)", "names": {"a": both("why a")}, "points": 2},
    "shape": {
        "type": "shape",
        "program": "y = torch.zeros(8, 3, 32)",
        "name": "y",
        "slips": [{"id": "swapped", "shape": [8, 32, 3], "why": both("slip swapped")}],
        "why": both("why shape"),
    },
    "scalar": {"type": "shape", "program": "y = torch.tensor(1)", "name": "y", "why": both("why scalar")},
    "think": {"type": "reveal", "model": both("the model answer"), "hints": [both("hint")]},
}


def made_quiz(*names: str, **other: dict[str, Any]) -> Built:
    """Build the questions called `names`, all by default, and `other` ones."""
    chosen = {name: QUESTIONS[name] for name in names or (() if other else QUESTIONS)} | other
    questions = [{"id": name, "ask": both(f"ask {name}"), **question} for name, question in chosen.items()]
    title = {"bn": "কুইজ / এক: $x$", "en": "Quiz / one & {two}"}
    return build("sample", Quiz.model_validate({"title": title, "about": both("about"), "questions": questions}))


def question(built: Built, name: str) -> Built:
    return next(q for q in built["questions"] if q["id"] == name)


def visible(html: str) -> str:
    """Return what a reader of HTML sees, blanks aside."""
    return " ".join(unescape(re.sub(r"<[^<>]*>", " ", html.replace("<wbr>", ""))).split())


def shown(text: dict[str, str], *langs: str) -> str:
    """Return what a reader should see of a text in some languages, both by default."""
    return visible(" ".join(render(one) for one in dict.fromkeys(text[lang] for lang in langs or ("bn", "en"))))


def answers(one: Built) -> list[Any]:
    """Return answers to a question, right, partly right and wrong, in our own form."""
    return KINDS[one["type"]](one)


def _subsets(one: Built) -> list[list[str]]:
    names = [c["id"] for c in one["choices"]]
    return [list(some) for n in range(1, len(names) + 1) for some in combinations(names, n)]


def _numbers(one: Built) -> list[str]:
    """Return numbers at the ends of every band, just beyond them, and far away, as a person types them."""
    found = [Fraction(0), Fraction(-1), Fraction(10**9)]
    for band in (one, *one["slips"]):
        key, near = Fraction(band["key"]), Fraction(band["within"])
        found += [key, -key, *(key + sign * near * far for sign in (1, -1) for far in (Fraction(1, 2), 1 - TINY, 1 + TINY, 3))]
        found += [key + Fraction(1, 10**6), key * 1024]
    return [f"{float(value):.15g}" for value in found]


def _orders(one: Built) -> list[list[str]]:
    """Return every order of few steps, a right one and chance's choice of many, with the strange ones and without."""
    every = [s["id"] for s in one["steps"]]
    some = [s["id"] for s in one["steps"] if not s["extra"]]
    if len(every) <= 5:
        return [list(line) for steps in {tuple(every), tuple(some)} for line in permutations(steps)]
    chance, right = Random(0), [*TopologicalSorter({s["id"]: s["after"] for s in one["steps"] if not s["extra"]}).static_order()]
    return [right, right[::-1], *(chance.sample(steps, len(steps)) for steps in (every, some) for _ in range(50))]


def _dtypes(one: Built) -> list[dict[str, str]]:
    names = [n["name"] for n in one["names"]]
    chance, right = Random(0), {n["name"]: n["dtype"] for n in one["names"]}
    if len(one["options"]) ** len(names) < 400:
        filled = [dict(zip(names, some, strict=True)) for some in product(one["options"], repeat=len(names))]
    else:
        filled = [{name: chance.choice([right[name], *one["options"]]) for name in names} for _ in range(200)]
    return [right, *filled, {names[0]: right[names[0]]}]


def _shapes(one: Built) -> list[str]:
    shapes = [one["shape"], *(s["shape"] for s in one["slips"]), [*one["shape"], 1], [7], []]
    return [way for shape in shapes for way in (str(tuple(shape)), str(shape), f"torch.Size({shape})", f"  {tuple(shape)}  ")]


TINY = Fraction(1, 1000)
KINDS = {
    "choice": lambda one: [c["id"] for c in one["choices"]],
    "choices": _subsets,
    "number": _numbers,
    "order": _orders,
    "dtypes": _dtypes,
    "shape": _shapes,
}
