"""From one submission to its record: run it behind the wall, put every check to it, keep every outcome."""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from time import perf_counter
from typing import Any

import torch

from courselib.broken import Broken
from courselib.checks import Check, CheckFile, Missing
from courselib.judge import Wrong
from courselib.proxy import StudentError
from courselib.record import Machine, Outcome, Record, Sign, Status, Verdict, rounded
from courselib.session import Session
from courselib.slot import Slot
from courselib.submission import Refused, Submission, Unreadable, read
from courselib.tamper import MOST, sign, signs
from courselib.text import Text, both, clean, say

MEMORY_WORDS = ("can't allocate memory", "not enough memory", "out of memory", "Cannot allocate memory")


@dataclass(frozen=True)
class Work:
    """What a student handed in for one exercise; `data` is None where nothing was."""

    student: str
    exercise: str
    file: str
    data: bytes | None
    trouble: tuple[Status, Text] | None = None
    notes: tuple[Text, ...] = ()
    submitted: str = ""  # when, as the export of an LMS writes it; never a time of the file system
    late: bool = False  # marked so by the LMS itself
    ids: tuple[str, ...] = ()  # for a quiz's sheet: what else the class list calls this student
    beside: tuple[tuple[str, bytes], ...] = ()  # other files that came with it, by the way to each from its own folder

    @property
    def sha256(self) -> str:
        """Return the hash of the file as it came in, "" where none did; with files beside it, one over all."""
        if self.data is None:
            return ""
        whole = hashlib.sha256(self.data)
        for name, data in self.beside:
            whole.update(f"\0{name}\0{hashlib.sha256(data).hexdigest()}".encode())
        return whole.hexdigest()


@dataclass(frozen=True)
class Judged:
    """What a piece of work came to: its verdicts, and the exact points of those that earned a part."""

    status: Status
    message: str
    verdicts: list[Verdict]
    earned: Mapping[str, Fraction] = field(default_factory=dict)
    tamper: tuple[Sign, ...] = ()


@dataclass(frozen=True)
class Bench:
    """What a slot needs to grade one exercise."""

    checks: CheckFile
    seconds: float
    sha256: str

    def judge(self, work: Work, slot: Slot, *, hidden: bool) -> Judged:
        """Run a submission and put every check to it."""
        assert work.data is not None
        try:
            submission = read(work.file, work.data)
        except (Unreadable, Refused) as fault:
            return Judged("unreadable" if isinstance(fault, Unreadable) else "refused", str(fault), self.not_run(hidden=hidden))
        return _run(submission, work.beside, [c for c in self.checks.checks if hidden or not c.hidden], slot, self.seconds)

    def not_run(self, *, hidden: bool = True) -> list[Verdict]:
        """Return the verdicts of work that came to no check."""
        return [verdict_of(c, "not_run") for c in self.checks.checks if hidden or not c.hidden]


def here(isolation: str) -> Machine:
    """Describe this machine."""
    return Machine(
        torch=torch.__version__,
        python=platform.python_version(),
        system=f"{platform.system()} {platform.machine()}",
        device=torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu",
        isolation=isolation,
    )


def grade(work: Work, bench: Bench, slot: Slot, machine: Machine, *, hidden: bool = True) -> Record:
    """Grade one piece of work; whatever the student's code does, a whole record comes back."""
    began = perf_counter()
    judged = _judged(work, bench, slot, hidden=hidden)
    message = clean(" ".join([*(n.read() for n in work.notes), *([judged.message] if judged.message else [])]))
    return _record(work, bench, machine, replace(judged, message=message), perf_counter() - began)


def lost(work: Work, bench: Bench, machine: Machine, why: str) -> Record:
    """Make the record of work that we could not grade, through a fault of our own."""
    return _record(work, bench, machine, Judged("fault", why, bench.not_run()), 0.0)


def _record(work: Work, bench: Bench, machine: Machine, judged: Judged, seconds: float) -> Record:
    """Add up the verdicts of one piece of work."""
    points = {c.id: c.points for c in bench.checks.checks}
    won = sum((judged.earned.get(v.id, points[v.id] if v.outcome == "passed" else Fraction(0)) for v in judged.verdicts), Fraction(0))
    waiting = sum((points[v.id] for v in judged.verdicts if v.outcome == "deferred"), Fraction(0))
    return Record(
        student=work.student,
        exercise=work.exercise,
        status=judged.status,
        score=rounded(won),
        possible=rounded(bench.checks.possible),
        deferred=rounded(waiting),
        checks=tuple(judged.verdicts),
        tamper=judged.tamper,
        message=judged.message,
        file=work.file,
        submission_sha256=work.sha256,
        checks_sha256=bench.sha256,
        machine=machine,
        seconds=round(seconds, 4),
    )


def _judged(work: Work, bench: Bench, slot: Slot, *, hidden: bool) -> Judged:
    if work.trouble:
        status, why = work.trouble
        return Judged(status, why.read(), bench.not_run(hidden=hidden))
    if work.data is None:
        why = say("কিছু জমা দেওয়া হয়নি।", "nothing was handed in.")
        return Judged("not_submitted", why.read(), bench.not_run(hidden=hidden))
    return bench.judge(work, slot, hidden=hidden)


def _run(submission: Submission, beside: Sequence[tuple[str, bytes]], checks: Sequence[Check], slot: Slot, seconds: float) -> Judged:
    wanted = {part: sorted({n for c in checks if c.part == part for n in c.needs}) for part in {c.part: None for c in checks}}
    session = Session(slot, submission.cells, wanted, seconds, beside)
    try:
        names, broken = _load(session, submission)
        verdicts = _not_loaded(checks, broken) if broken else [_put(c, names[c.part], session) for c in checks]
        status: Status = "fault" if any(v.outcome == "fault" for v in verdicts) else "graded"
        judged = Judged(status, _notes(session), verdicts)
    finally:
        session.close()
    seen = [sign(where or submission.cells[0]["name"], what) for where, what in session.seen]
    return replace(judged, tamper=(*signs(submission.cells), *seen)[:MOST])


def _load(session: Session, submission: Submission) -> tuple[dict[str, dict[str, Any]], Broken | None]:
    """Load the submission; a notebook's cell that hangs or kills the worker is left out and the rest is run."""
    while True:
        session.begin("")
        try:
            return session.load(), None
        except Broken as broken:
            at = session.cell
            if not submission.notebook or at in session.skip or len(session.skip) >= 3:
                return {}, broken
            session.skip.add(at)
            session.skipped.append(broken.sentence)
        except StudentError as error:
            return {}, Broken(error.sentence)


def _not_loaded(checks: Sequence[Check], broken: Broken) -> list[Verdict]:
    """Give the first check what broke the load, and the others `not_run`."""
    why = say("ফাইলটি চালানোর সময়: {w}", "while your file ran: {w}", w=broken.sentence)
    active = [c for c in checks if not c.deferred]
    outcomes = {c.id: "not_run" for c in active} | {c.id: broken.outcome for c in active[:1]}
    return [verdict_of(c, "deferred") if c.deferred else verdict_of(c, outcomes[c.id], why) for c in checks]  # type: ignore[arg-type]


def _put(check: Check, names: dict[str, Any], session: Session) -> Verdict:
    """Put one check to the submission."""
    if check.deferred:
        return verdict_of(check, "deferred", say("GPU-ওয়ালা মেশিনে পরে চলবে।", "runs later, on a machine with a GPU."))
    session.begin(check.id, check.part)
    try:
        check.run(names)
    except Wrong as no:
        return verdict_of(check, "failed", say("{a}{b}", "{a}{b}", a=no.sentence, b=_moved(check, session)))
    except Missing as no:
        return verdict_of(check, "failed", say("{a}{b}", "{a}{b}", a=no.sentence, b=_why_missing(session)))
    except StudentError as error:
        return verdict_of(check, _kind(error), error.sentence)
    except Broken as broken:
        return verdict_of(check, broken.outcome, broken.sentence)  # type: ignore[arg-type]
    except Exception as fault:  # whatever else comes out of a check is ours, and a person must see it
        what = f"{type(fault).__name__}: {fault}"
        return verdict_of(check, "fault", say("grader-এর ত্রুটি (তোমার নয়): {w}", "a fault of the grader, not yours: {w}", w=what))
    return verdict_of(check, "passed")


def _kind(error: StudentError) -> Outcome:
    memory = "MemoryError" in error.kinds or "OutOfMemoryError" in error.kinds or any(w in error.text for w in MEMORY_WORDS)
    return "out_of_memory" if memory else "error"


def verdict_of(check: Check, outcome: Outcome, message: Text | str = "", earned: Fraction | None = None) -> Verdict:
    """Return a verdict; it earns all of the check's points or none, unless a part is given."""
    all_or_none = check.points if outcome == "passed" else Fraction(0)
    return Verdict(
        id=check.id,
        name=check.name.read(),
        part=check.part,
        outcome=outcome,
        earned=rounded(all_or_none if earned is None else earned),
        points=rounded(check.points),
        hidden=check.hidden,
        requires=check.requires,
        message=clean(both(message).read()) if message else "",
    )


def _moved(check: Check, session: Session) -> Text:
    """Add which of the check's names a later cell has changed: what is graded is what the part had left."""
    names = session.moved(check.needs)
    if not names:
        return Text("", "")
    return say(
        " (দেখা হয়েছে {p} অংশের শেষে {n} যা ছিল; পরের একটি cell তা বদলেছে।)",
        " (Graded is {n} as it stood at the end of the part {p}; a later cell has changed it.)",
        n=", ".join(names),
        p=check.part,
    )


def _why_missing(session: Session) -> Text:
    """Add what stopped the file before the name could be made."""
    first = next(iter(session.mishaps()), None)
    if first is None:
        return Text("", "")
    return say(" ফাইলটি আগেই থেমে গেছে: {w}", " Your file had stopped before that: {w}", w=first)


def _notes(session: Session) -> str:
    """Return what a person should know about how the file ran."""
    notes = [*session.asides(), *session.mishaps()]
    return clean(" ".join(n.read() for n in notes))
