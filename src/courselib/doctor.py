"""`courselib doctor`: proof that the course is sound, before a student meets it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import torch
from rich.console import Console
from rich.markup import escape

from courselib import bundle, grading, sandbox, stubs
from courselib.checks import Check, CheckFile, load_checks
from courselib.course import Course, Exercise
from courselib.crew import start
from courselib.grader import Work
from courselib.proof import prove
from courselib.quiz import exam
from courselib.quiz.exam import Finding
from courselib.record import Record
from courselib.text import Text, say
from courselib.trouble import Trouble

CHECKS_AT_LEAST, POINTS, CUDA_AT_LEAST, RIGHT_AT_LEAST, WRONG_AT_LEAST = 8, 10, 2, 8, 25
FAILS = "# fails:"
TREES = ("exercises", "solutions", "autograder")


@dataclass(frozen=True)
class Patient:
    """One exercise under examination: its checks, and the record of every file kept for it."""

    course: Course
    exercise: Exercise
    checks: CheckFile
    records: dict[str, Record]

    def of(self, kind: str) -> Iterator[tuple[Path, Record]]:
        """Yield the kept submissions of a kind with their records."""
        for path in self.course.tree.examples(self.exercise.id, kind):
            yield path, self.records[f"{kind}/{path.name}"]


def examine(
    course: Course, exercises: list[str], quizzes: list[str], jobs: int, isolation: Literal["auto", "namespaces", "process"]
) -> int:
    """Examine `exercises`, `quizzes` and the course's files; print what was found; 0 where all is sound."""
    console = Console(highlight=False, soft_wrap=True)
    sound = _print(console, course.manifest.title.text, [_accounted(course)])
    for name in quizzes:
        sound = _print(console, say("quiz {n}", "quiz {n}", n=name), exam.findings(course, name)) and sound
    return 0 if _exercises(course, exercises, jobs, isolation, console) and sound else 1


def _exercises(
    course: Course, exercises: list[str], jobs: int, isolation: Literal["auto", "namespaces", "process"], console: Console
) -> bool:
    """Examine exercises: grade all that is kept for each."""
    if not exercises:
        return True
    sound = True
    torch.set_num_threads(1)  # a thread pool would not survive the forks that grading makes
    findings = {e: _fit(course, e) for e in exercises}
    fit = [e for e, (_, against) in findings.items() if not against]
    with closing(start(course, fit, sandbox.start(jobs, isolation))) as crew:
        works = [work for e in fit for work in _works(course, e)]
        records = {(r.exercise, r.student): r for r in grading.records(crew, works, jobs)}
        for e in exercises:
            mine = {student: r for (exercise, student), r in records.items() if exercise == e}
            patient = Patient(course, course.exercises[e], crew.benches[e].checks, mine) if e in fit else None
            proofs = (proof(patient) for proof in PROOFS) if patient else [findings[e]]
            sound = _print(console, Text(e, e), proofs) and sound
        console.print(escape(str(crew.zygote.note)))
    return sound


def _fit(course: Course, exercise: str) -> Finding:
    """Find out whether the rest can be examined at all: the checks load, and their own reference passes them."""
    title = say("check-গুলো চলে, আর reference সেগুলোতে পাশ করে", "the checks run, and the reference passes them")
    solution = course.tree.solution(exercise)
    try:
        stubs.stub_of(solution)
        prove(load_checks(course.tree.checks(exercise)), solution.read_text(encoding="utf-8"))
    except Exception as fault:  # an author's file may raise anything
        return title, [str(fault) if isinstance(fault, Trouble) else f"{type(fault).__name__}: {fault}"]
    return title, []


def _print(console: Console, title: Text, findings: Iterable[Finding]) -> bool:
    console.print(f"[bold]{escape(title.read())}[/]")
    sound = True
    for what, against in findings:
        sound = sound and not against
        console.print(f"  {'[red]✗[/]' if against else '[green]✓[/]'} {escape(what.read())}")
        for line in against:
            console.print(f"      {escape(line)}")
    return sound


def _works(course: Course, exercise: str) -> Iterator[Work]:
    tree = course.tree
    named = {"stub": tree.stub(exercise), "reference": tree.solution(exercise)}
    named |= {f"{kind}/{p.name}": p for kind in ("right", "wrong") for p in tree.examples(exercise, kind)}
    for label, path in named.items():
        yield Work(label, exercise, path.name, path.read_bytes() if path.is_file() else None)


def _accounted(course: Course) -> Finding:
    tree, known = course.tree, set(course.exercises)
    against = [f"{name}/{e}.py" for name in TREES for e in sorted(tree.all_in(name) - known)]
    against += [f"{name}/{e}.py: ?" for name in TREES for e in sorted(known - tree.all_in(name))]
    against += [str(p.relative_to(tree.root)) for p in sorted(_strays(course))]
    quizzes = {p.stem for p in tree.quizzes()}
    against += [f"quizzes/{n}.yaml" for n in sorted(quizzes - set(course.manifest.quizzes))]
    against += [f"quizzes/{n}.yaml: ?" for n in sorted(set(course.manifest.quizzes) - quizzes)]
    return say("প্রতিটি ফাইল course.yaml-এ আছে, আর প্রতিটি exercise-এর সব ফাইল আছে", "every file is accounted for"), against


def _strays(course: Course) -> Iterator[Path]:
    """Yield the files that no exercise has a use for."""
    tree, kept = course.tree, course.tree.root / "tests" / "submissions"
    examples = {p for e in course.exercises for kind in ("right", "wrong") for p in tree.examples(e, kind)}
    for path in (p for top in (*(tree.root / t for t in TREES), kept) for p in top.rglob("*") if p.is_file()):
        leftover = path.name.startswith(".") or "__pycache__" in path.parts
        if not leftover and (path.suffix != ".py" or (path.is_relative_to(kept) and path not in examples)):
            yield path


def _earns_nothing(patient: Patient) -> Finding:
    record = patient.records["stub"]
    against = [_line(record, v.id) for v in record.checks if v.outcome == "passed"]
    return say("stub কিছুই পায় না", "the stub earns nothing"), against + _faults([record])


def _full(record: Record) -> bool:
    return record.status == "graded" and record.score == record.possible - record.deferred


def _reference(patient: Patient) -> Finding:
    record = patient.records["reference"]
    title = say(
        "reference পায় {s:g}/{p:g} ({d:g} মুলতবি)",
        "the reference earns {s:g} of {p:g} ({d:g} deferred)",
        s=record.score,
        p=record.possible,
        d=record.deferred,
    )
    return title, _lost(record)


def _lost(record: Record) -> list[str]:
    if _full(record):
        return []
    lost = [_line(record, v.id) for v in record.checks if v.outcome not in ("passed", "deferred")]
    return lost or [f"{record.student}: {record.message}"]


def _line(record: Record, check: str) -> str:
    verdict = next((v for v in record.checks if v.id == check), None)
    if verdict is None:
        return f"{record.student}: {check}: ?"
    return f"{record.student}: {check}: {verdict.outcome} {verdict.message}"[:400]


def _right(patient: Patient) -> Finding:
    records = [r for _, r in patient.of("right")]
    against = [line for r in records for line in _lost(r)]
    against += _too_few(len(records), RIGHT_AT_LEAST)
    return say("{n}টি ভিন্ন সঠিক পথ পূর্ণ নম্বর পায়", "{n} other right ways earn full marks", n=len(records)), against


def _wrong(patient: Patient) -> Finding:
    against: list[str] = []
    count = 0
    for path, record in patient.of("wrong"):
        count += 1
        named = promised(path)
        failed = {v.id for v in record.checks if v.outcome not in ("passed", "deferred", "not_run", "fault")}
        against += [_line(record, check) for check in named if check not in failed]
        against += [] if named else [f"{path.name}: {FAILS} ?"]
    against += _faults([r for _, r in patient.of("wrong")]) + _too_few(count, WRONG_AT_LEAST)
    return say("{n}টি ভুল উত্তর নিজের বলা check-এ ধরা পড়ে", "{n} wrong ways fail the check they name", n=count), against


def promised(path: Path) -> list[str]:
    """Return the checks that a kept wrong answer says it must fail, in its first line."""
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    return first.removeprefix(FAILS).split() if first.startswith(FAILS) else []


def _too_few(count: int, least: int) -> list[str]:
    return [] if count >= least else [f"{count} < {least}"]


def _faults(records: Iterable[Record]) -> list[str]:
    return [_line(r, v.id) for r in records for v in r.checks if v.outcome == "fault"]


def _in_step(patient: Patient) -> Finding:
    tree, exercise = patient.course.tree, patient.exercise.id
    stub = tree.stub(exercise)
    same = stub.is_file() and stub.read_text(encoding="utf-8") == stubs.stub_of(tree.solution(exercise))
    marks, parts = set(stubs.marked(tree.solution(exercise).read_text(encoding="utf-8"))), {c.part for c in patient.checks.checks}
    odd = sorted(marks ^ parts) if marks else []  # all parts are marked, or none
    against = ([] if same else ["courselib build"]) + [f'# %% part="{part}": ?' for part in odd]
    return say("stub আর solution এক তালে", "the stub is in step with its solution"), against


def _complete(patient: Patient) -> Finding:
    checks = patient.checks.checks
    against = [f"{c.id}: {what}" for c in checks for what in _wants(c)]
    against += _too_few(len(checks), CHECKS_AT_LEAST) + _too_few(sum(c.requires == "cuda" for c in checks), CUDA_AT_LEAST)
    against += [] if patient.checks.possible == POINTS else [f"{patient.checks.possible} != {POINTS}"]
    against += [] if len({c.name.en for c in checks} | {c.name.bn for c in checks}) == 2 * len(checks) else ["= ="]
    title = say(
        "{n}টি check-এর প্রতিটির বাক্য, নম্বর আর দুই ভাষা আছে", "each of {n} checks has its sentence, points and both languages", n=len(checks)
    )
    return title, against


def _wants(check: Check) -> list[str]:
    bangla = any("\u0980" <= c <= "\u09ff" for c in check.name.bn)
    latin = check.name.en.isascii() or not any("\u0980" <= c <= "\u09ff" for c in check.name.en)
    return [w for w, ok in (("bn", bangla), ("en", latin and len(check.name.en) > 8), ("points", check.points > 0)) if not ok]


def _nothing_leaks(patient: Patient) -> Finding:
    tree, exercise = patient.course.tree, patient.exercise.id
    given = {"stub": stubs.stub_of(tree.solution(exercise)), "checks": bundle.public_checks(patient.checks)}
    answers = stubs.answers_of(tree.solution(exercise))
    against = [f"{label}: {leak}" for label, text in given.items() for leak in bundle.leaks(text, answers, patient.checks)]
    return say("শিক্ষার্থীর হাতে যা যায় তাতে উত্তর নেই", "no answer is in what a student is given"), against


PROOFS: tuple[Callable[[Patient], Finding], ...] = (_earns_nothing, _reference, _right, _wrong, _in_step, _complete, _nothing_leaks)
