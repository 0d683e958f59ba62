"""Grading an answer sheet: a graded quiz is one more thing that a student hands in, its questions are its checks."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from courselib.checks import Check, CheckFile
from courselib.grader import Bench, Judged, Work, verdict_of
from courselib.quiz import sheets
from courselib.quiz.built import Built
from courselib.quiz.marking import Verdict
from courselib.quiz.sentences import STATES
from courselib.quiz.sheets import Marked, Sheet
from courselib.quiz.shelf import of_file
from courselib.quiz.telling import told
from courselib.quiz.variants import known_as
from courselib.record import Verdict as Judgement
from courselib.slot import Slot
from courselib.text import Text, say
from courselib.trouble import Trouble

NAME = 90  # characters of a question that stand for it in a report
MARKS = re.compile(r"```.*?```|[`*$]", re.DOTALL)


@dataclass(frozen=True)
class QuizBench(Bench):
    """What is needed to mark the sheets of one quiz; no code of a student's runs, so no slot is used."""

    built: Built

    def judge(self, work: Work, slot: Slot, *, hidden: bool) -> Judged:
        """Mark a sheet; what cannot be read as one is told and earns nothing."""
        assert work.data is not None
        try:
            sheet = sheets.read(Path(work.file), work.data)
            marks, owner = self._marked(sheet, work)
        except Trouble as trouble:
            return Judged("unreadable", str(trouble), self.not_run(hidden=hidden))
        of = {q["id"]: (q, v) for q, v in marks.verdicts}
        verdicts = [_verdict(c, *of[c.id]) for c in self.checks.checks]
        earned = {c.id: c.points * of[c.id][1].score for c in self.checks.checks}
        return Judged("graded", " ".join(n.read() for n in [*owner, *marks.notes, *_unread(marks)]), verdicts, earned)

    def _marked(self, sheet: Sheet, work: Work) -> tuple[Marked, list[Text]]:
        """Mark a sheet by the variants of whose it is, and say so where its own word on that is another than the class's."""
        written = known_as(sheet.student)
        theirs = self._of(sheet, sheet.student or work.student)
        if written in ("", known_as(work.student)):
            return theirs, []
        if written in map(known_as, work.ids):
            return theirs, [_also_known(sheet.student, work.student)]
        mine = self._of(sheet, work.student)
        return mine, [_another(sheet.student, work.student, mine, theirs)]

    def _of(self, sheet: Sheet, student: str) -> Marked:
        return sheets.marked(self.built, sheet, sheets.of_student(self.built["quiz"], student))


def _also_known(written: str, student: str) -> Text:
    return say(
        "উত্তরপত্রে লেখা id “{w}”; ক্লাসের তালিকায় সেটি {s}-এরই, তাই ওই id-র সংখ্যা ধরে নম্বর দেওয়া হয়েছে।",
        "The sheet's own id is “{w}”, which the class list gives to {s} too: it is marked by the numbers of that id.",
        w=written[:60],
        s=student,
    )


def _another(written: str, student: str, mine: Marked, theirs: Marked) -> Text:
    """Say that a sheet names somebody else, and what it would come to with their numbers."""
    return say(
        "উত্তরপত্রে student “{w}”, কিন্তু জমা হয়েছে {s}-এর নামে। নম্বর দেওয়া হয়েছে {s}-এর সংখ্যা ধরে: {a:g}/{p}; “{w}”-এর সংখ্যা ধরলে হতো {b:g}/{p}।",
        "The sheet names the student “{w}”, but it was handed in as {s}'s. It is marked by the numbers of {s}: {a:g} of {p}; "
        "by those of “{w}” it would have {b:g} of {p}.",
        w=written[:60],
        s=student,
        a=float(mine.score),
        b=float(theirs.score),
        p=mine.possible,
    )


def _unread(marks: Marked) -> list[Text]:
    """Name the answers that could not be read: a slip of the pen earns nothing, and a person may want to look."""
    names = [q["id"] for q, v in marks.verdicts if v.state == "unreadable"]
    if not names:
        return []
    return [
        say("পড়া যায়নি {n}টি উত্তর: {w}।", "{n} answers could not be read: {w}.", n=len(names), w=", ".join(names))
        if len(names) > 1
        else say("একটি উত্তর পড়া যায়নি: {w}।", "One answer could not be read: {w}.", w=names[0])
    ]


def bench(path: Path) -> QuizBench:
    """Build the quiz in a file for grading."""
    built = of_file(path)
    checks = tuple(_check(built["quiz"], q) for q in built["questions"] if q["points"])
    return QuizBench(CheckFile(path, checks), 1.0, hashlib.sha256(path.read_bytes()).hexdigest(), built)


def _check(quiz: str, question: Built) -> Check:
    """Return a question as a report names it."""
    name = Text(*(_short(question["ask"][lang]) for lang in ("bn", "en")))
    return Check(question["id"], quiz, name, Fraction(question["points"]), False, None, lambda: None)


def _short(text: str) -> str:
    plain = " ".join(MARKS.sub("", text).split())
    return plain if len(plain) <= NAME else plain[: NAME - 3] + "..."


def _verdict(check: Check, question: Built, verdict: Verdict) -> Judgement:
    state = [] if verdict.state == "right" else [say("{s}।", "{s}.", s=STATES[verdict.state])]
    said = [*state, *told(question, verdict)]
    message = Text(" ".join(t.bn for t in said), " ".join(t.en for t in said))
    return verdict_of(check, "passed" if verdict.state == "right" else "failed", message, check.points * verdict.score)
