"""What speaks against the quizzes of a course: what `courselib doctor` says of them."""

from __future__ import annotations

from collections.abc import Iterator

from courselib.course import Course
from courselib.quiz.built import Built
from courselib.quiz.lints import lints
from courselib.quiz.marking import mark
from courselib.quiz.right import answered
from courselib.quiz.shelf import of_file
from courselib.quiz.source import load
from courselib.text import Text, say
from courselib.trouble import Trouble

Finding = tuple[Text, list[str]]


def findings(course: Course, name: str) -> Iterator[Finding]:
    """Yield what was to be proved of a quiz, and what speaks against it."""
    path = course.tree.quiz(name)
    title = say("quiz-টি পড়া যায়, আর প্রতিটি উত্তর হিসাব করা যায়", "the quiz is read, and every key is computed")
    try:
        built = of_file(path)
    except Trouble as trouble:
        yield title, [str(trouble)]
        return
    yield title, []
    yield (
        say(
            "{n}টি প্রশ্নের প্রতিটি নিজের উত্তরে পূর্ণ নম্বর দেয়", "each of {n} questions gives its own key full marks", n=len(built["questions"])
        ),
        _own(built),
    )
    yield say("লেখকের ভুল চোখে পড়েনি", "no lint speaks against it"), [str(line) for line in lints(load(path), built)]


def _own(built: Built) -> list[str]:
    """Answer every question, in every variant, with its own key."""
    return [
        f"{one['id']}: {mark(one, answer).plain}" for one, answer in answered(built) if mark(one, answer).state not in ("right", "self")
    ]
