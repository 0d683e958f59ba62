"""Whose a sheet is: by whose numbers it is marked, and what is said where its own word on that is another than the class's."""

from __future__ import annotations

from dataclasses import dataclass

from courselib.grader import Work
from courselib.quiz import sheets
from courselib.quiz.built import Built
from courselib.quiz.sheets import Marked, Sheet
from courselib.quiz.variants import known_as
from courselib.record import Sign
from courselib.tamper import sign
from courselib.text import Text, clean, say


@dataclass(frozen=True)
class Owned:
    """A sheet marked by the numbers of its owner, what to say of that, and evidence for the instructor alone."""

    marks: Marked
    notes: tuple[Text, ...] = ()
    signs: tuple[Sign, ...] = ()


def owned(built: Built, sheet: Sheet, work: Work) -> Owned:
    """Mark a sheet: an id in it counts where it is the student's own, by the class or its list; else the class's counts."""
    written = known_as(sheet.student)
    theirs = _by(built, sheet, sheet.student or work.student)
    if written in ("", known_as(work.student)):
        return Owned(theirs)
    names = {"w": clean(sheet.student[:60]), "s": work.student}
    if written in map(known_as, work.ids):
        return Owned(theirs, (ALSO_KNOWN.fill(**names),))
    mine = _by(built, sheet, work.student)
    scores = {"a": float(mine.score), "b": float(theirs.score), "p": mine.possible}
    return Owned(mine, (ANOTHER.fill(**names),), (sign(work.file, SCORES.fill(**names, **scores)),))


def _by(built: Built, sheet: Sheet, student: str) -> Marked:
    return sheets.marked(built, sheet, sheets.of_student(built["quiz"], student))


ALSO_KNOWN = say(
    "উত্তরপত্রে লেখা id “{w}”; ক্লাসের তালিকায় সেটি {s}-এরই, তাই ওই id-র সংখ্যা ধরে নম্বর দেওয়া হয়েছে।",
    "The sheet's own id is “{w}”, which the class list gives to {s} too: it is marked by the numbers of that id.",
)
ANOTHER = say(
    "উত্তরপত্রে student “{w}”, কিন্তু জমা হয়েছে {s}-এর নামে; নম্বর দেওয়া হয়েছে {s}-এর সংখ্যা ধরে।",
    "The sheet names the student “{w}”, but it was handed in as {s}'s; it is marked by the numbers of {s}.",
)
SCORES = say(
    "উত্তরপত্রে student “{w}”; {s}-এর সংখ্যা ধরে {a:g}/{p}, “{w}”-এর সংখ্যা ধরলে হতো {b:g}/{p}",
    "the sheet names the student “{w}”; by the numbers of {s} it has {a:g} of {p}, by those of “{w}” it would have {b:g}",
)
