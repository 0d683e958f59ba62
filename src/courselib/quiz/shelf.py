"""The quizzes of a course: found by name, built once."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path

from courselib import strict_yaml
from courselib.course import Course
from courselib.quiz.built import Built, Unbuildable, build
from courselib.quiz.source import load
from courselib.text import did_you_mean, say
from courselib.trouble import Trouble


def names(course: Course) -> list[str]:
    """Return the quizzes in teaching order."""
    return list(course.manifest.quizzes)


def graded(course: Course) -> list[str]:
    """Return the quizzes that count."""
    return [name for name, entry in course.manifest.quizzes.items() if entry.graded]


def built(course: Course, name: str) -> Built:
    """Build the quiz called `name`; raise `Trouble` where there is none, or where it does not hold together."""
    if name not in course.manifest.quizzes:
        raise _unknown(name, names(course))
    path = course.tree.quiz(name)
    if not path.is_file() and name in graded(course):
        raise _only_handed_in(name)
    return of_file(path)


def of_file(path: Path) -> Built:
    """Build the quiz in a file, which is named after it."""
    quiz = load(path)
    try:
        return build(path.stem, quiz)
    except Unbuildable as trouble:
        raise strict_yaml.trouble_in(path, ("questions", trouble.number), trouble.sentence) from trouble


def _only_handed_in(name: str) -> Trouble:
    """Say to a student where a quiz that counts is answered: its source, with its keys, was not handed out."""
    return Trouble(
        say(
            "{q}-এ নম্বর আছে, তাই তার উত্তর এখানে নেই: quizzes/{q}.html খুলে উত্তর দাও, শেষে file-টি নামিয়ে জমা দাও।",
            "{q} counts, so its answers are not here: open quizzes/{q}.html, answer there, and hand in the file that it saves.",
            q=name,
        )
    )


def _unknown(name: str, known: list[str]) -> Trouble:
    near = get_close_matches(name, known, 1)
    hint = did_you_mean(near[0] if near else None)
    return Trouble(
        say(
            "{q} নামে কোনো quiz নেই।{h} আছে: {all}।",
            "There is no quiz called {q}.{h} There are: {all}.",
            q=name,
            h=hint,
            all=", ".join(known) or "-",
        )
    )
