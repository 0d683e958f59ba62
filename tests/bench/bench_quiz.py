"""Answer sheets per minute on one core: read from bytes and marked by each student's own variants, quiz by quiz.

The sheets are what a graded page saves (JSON) and what a person may type (YAML): right, wrong, partly right and open
answers of the course's own quizzes. The time is this process's own on its core, so that neighbours count little. Every
verdict is looked at. Exit code 1: one was not what it was made to be.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

import machine
import yaml

from courselib.course import load_course
from courselib.quiz import sheets, shelf
from courselib.quiz.built import Built, of_variant
from courselib.quiz.right import answered
from courselib.quiz.variants import variant_of

ROOT = Path(__file__).resolve().parents[2]
AIM = 100_000  # sheets of 20 questions a minute, as JSON
HEAD = "| quiz | questions | sheet | sheets a minute (median; min-max) | ms each | verdicts |\n| --- | --: | --- | --: | --: | --- |"
SUFFIXES = {"json": ".json", "yaml": ".yaml"}


@dataclass(frozen=True)
class Paper:
    """One student's sheet as it is handed in, and the state that each answer was made to have."""

    student: str
    data: dict[str, bytes]
    states: list[str]


def mixed(quizzes: Sequence[Built]) -> Built:
    """Return a quiz of 20 questions, five from each of the course's, taken evenly."""
    some = [quiz["questions"][n * len(quiz["questions"]) // 5] for quiz in quizzes for n in range(5)]
    return {**quizzes[0], "quiz": "mixed", "questions": [{**q, "id": f"{q['id']}_{n}"} for n, q in enumerate(some)]}


def paper(built: Built, number: int) -> Paper:
    """Make a sheet: six answers of ten right, two wrong, one part, one open."""
    chance, student = Random(number), f"student_{number:04}"
    answers, states = {}, []
    for question in built["questions"]:
        one = question
        if question["variants"]:
            one = of_variant(question, variant_of(built["quiz"], question["id"], student, len(question["variants"])))
        wish = chance.choice([*["right"] * 6, "wrong", "wrong", "part", "unanswered"])
        answer, state = made(one, wish)
        answers |= {} if answer is None else {question["id"]: answer}
        states.append(state)
    plain = {"quiz": built["quiz"], "student": student, "answers": answers}
    whole = {"json": json.dumps(plain, ensure_ascii=False, indent=1), "yaml": yaml.safe_dump(plain, allow_unicode=True)}
    return Paper(student, {kind: text.encode() for kind, text in whole.items()}, states)


def made(question: Built, wish: str) -> tuple[Any, str]:
    """Return an answer to a question and the state that it must have; a wish that a kind cannot fulfil is a wrong answer."""
    _, right = next(answered({"questions": [{**question, "variants": None}]}))
    if wish == "unanswered":
        return None, wish
    if question["type"] == "reveal":
        return right, "self"
    if wish == "right":
        return right, wish
    return partly(question, right) if wish == "part" else (wrong(question, right), "wrong")


def wrong(question: Built, right: Any) -> Any:
    """Return an answer that earns nothing."""
    match question["type"]:
        case "choice":
            return next(c["id"] for c in question["choices"] if not c["right"])
        case "choices":
            return [c["id"] for c in question["choices"] if not c["right"]] or [question["choices"][0]["id"]]
        case "number":
            return "-98765.4321"
        case "order":
            return right[:1]
        case "dtypes":
            return dict.fromkeys(right, "complex128")
    return "(7, 7, 7, 7, 7, 7)"


def partly(question: Built, right: Any) -> tuple[Any, str]:
    """Return an answer that earns a part, where this kind gives parts."""
    if question["type"] == "choices" and question["credit"] == "each" and len(right) > 1:
        return right[:1], "part"
    if question["type"] == "dtypes" and len(right) > 1:
        return {**right, next(iter(right)): "complex128"}, "part"
    if question["type"] == "order" and len(right) > question["width"] + 1:
        return right[:-1], "part"
    return wrong(question, right), "wrong"


def run(built: Built, papers: Sequence[Paper], kind: str) -> tuple[float, list[str]]:
    """Read and mark every paper; return the seconds of processor time, and what was not as it was made to be."""
    took, amiss, path = 0.0, [], Path(f"sheet{SUFFIXES[kind]}")
    for one in papers:
        began = process_time()
        sheet = sheets.read(path, one.data[kind])
        found = sheets.marked(built, sheet, sheets.of_student(built["quiz"], one.student))
        score = found.score
        took += process_time() - began
        if not as_made(one, found, score):
            amiss.append(one.student)
    return took, amiss


def as_made(one: Paper, marks: sheets.Marked, score: Fraction) -> bool:
    """Tell whether every verdict has the state that its answer was made for, and the sum fits."""
    states = [v.state for _, v in marks.verdicts]
    least = sum(q["points"] for q, v in marks.verdicts if v.state == "right")
    most = least + sum(q["points"] for q, v in marks.verdicts if v.state == "part")
    return states == one.states and least <= score <= most and not marks.notes


def line(built: Built, papers: Sequence[Paper], kind: str, rounds: int) -> tuple[str, float, bool]:
    """Measure one row; return it, its median of sheets a minute, and whether every verdict was as it was made to be."""
    runs = [run(built, papers, kind) for _ in range(rounds)]
    low, middle, high = (60 * len(papers) / pick([took for took, _ in runs]) for pick in (max, median, min))
    amiss = sorted({name for _, names in runs for name in names})
    told = f"WRONG: {', '.join(amiss[:5])}" if amiss else "all right"
    cells = (built["quiz"], len(built["questions"]), kind, f"{middle:,.0f}; {low:,.0f}-{high:,.0f}", f"{60_000 / middle:.3f}", told)
    return f"| {' | '.join(map(str, cells))} |", middle, not amiss


def parse(args: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the options."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7, help="rounds; the medians are over these (7)")
    parser.add_argument("--size", type=int, default=500, help="sheets of each quiz, all different (500)")
    return parser.parse_args(args)


def main() -> int:
    """Measure on one core and print a table; 1 where a verdict was wrong."""
    options, course = parse(), load_course(ROOT)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    quizzes = [shelf.built(course, name) for name in shelf.names(course)]
    print("\n".join(f"- {name}: {value}" for name, value in machine.describe().items()), end="\n\n")
    print(
        "| quiz | questions | sheet | sheets a minute (median; min-max) | ms each | verdicts |",
        "| --- | --: | --- | --: | --: | --- |",
        sep="\n",
    )
    good, rates = True, {}
    for built in [*quizzes, mixed(quizzes)]:
        papers = [paper(built, n) for n in range(options.size)]
        for kind, share in (("json", 1), ("yaml", 10)):  # YAML takes many times as long: a tenth of the sheets says the same
            row, rates[built["quiz"], kind], right = line(built, papers[: max(1, len(papers) // share)], kind, options.rounds)
            good = good and right
            print(row, flush=True)
    print(f"\n- 20 questions as JSON, sheets a minute on one core (aim: at least {AIM:,}): {rates['mixed', 'json']:,.0f}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
