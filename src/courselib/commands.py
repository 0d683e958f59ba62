"""What each command takes and does; the work itself is done elsewhere, and imported only when it is."""

from __future__ import annotations

import os
from contextlib import closing, suppress
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from courselib.options import LangOption, course_here
from courselib.quiz.commands import app as quizzes
from courselib.text import say
from courselib.trouble import Trouble

if TYPE_CHECKING:
    from collections.abc import Callable

    from courselib.course import Course
    from courselib.run import Hands

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
app.add_typer(quizzes, name="quiz", help=say("quiz নেওয়া, দেওয়া, পাঠানো", "take, mark and hand out quizzes"))


class Isolation(StrEnum):
    """The walls between a submission and the grader."""

    auto = "auto"
    namespaces = "namespaces"
    process = "process"


class Need(StrEnum):
    """What a machine can be asked to have."""

    cuda = "cuda"


class Part(StrEnum):
    """A part of a class's works that may be graded alone."""

    deferred = "deferred"


class Receiver(StrEnum):
    """Who takes grades."""

    csv = "csv"
    canvas = "canvas"
    moodle = "moodle"
    gradescope = "gradescope"


StoreOption = Annotated[
    str | None, typer.Option("--store", metavar="URL", help=say("SQLite-এর বদলে PostgreSQL", "PostgreSQL instead of SQLite"))
]
OnlyOption = Annotated[list[str] | None, typer.Option("--exercise", help=say("শুধু এই exercise", "this exercise only (may be repeated)"))]


def _chosen(course: Course, only: list[str] | None) -> list[str]:
    wanted = {course.named(n).id for n in only or []}
    return [e for e in course.assigned if not wanted or e in wanted]


@app.callback(help=say("PyTorch-এর exercise যাচাই করে, গ্রেড করে।", "Check and grade PyTorch exercises."))
def everywhere(lang: LangOption = None) -> None:
    """Take --lang before the command as well."""


def _there(folder: Path) -> None:
    if not folder.exists():
        raise Trouble(say("{f} নেই।", "{f} does not exist.", f=folder))


@app.command(help=say("পুরো class গ্রেড করো", "grade a whole class"))
def grade(
    folder: Annotated[Path, typer.Argument(metavar="CLASS", help=say("class-এর ফোল্ডার বা zip", "the class: folder, zip or LMS download"))],
    out: Annotated[Path, typer.Option("--out", help=say("ফল কোথায় যাবে", "where the results go"))],
    jobs: Annotated[int, typer.Option("--jobs", min=1, max=256, help=say("একসঙ্গে কয়টি", "how many at a time"))] = os.cpu_count() or 1,
    isolation: Annotated[Isolation, typer.Option("--isolation", help=say("দেয়াল", "the walls"))] = Isolation.auto,
    only: OnlyOption = None,
    require: Annotated[Need | None, typer.Option("--require", help=say("এটি না থাকলে শুরু কোরো না", "do not start without it"))] = None,
    roster: Annotated[Path | None, typer.Option("--roster", help=say("class-এর তালিকা (CSV)", "who is in the class (CSV)"))] = None,
    extensions: Annotated[
        Path | None, typer.Option("--extensions", metavar="FILE", help=say("কার সময় বাড়ানো (CSV)", "who has more time (CSV)"))
    ] = None,
    times: Annotated[
        Path | None, typer.Option("--times", metavar="FILE", help=say("কে কখন জমা দিয়েছে (CSV)", "when work came in (CSV)"))
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help=say("আগে গ্রেড করা কাজও আবার করো", "grade again what is graded already"))] = False,
    part: Annotated[Part | None, typer.Option("--only", help=say("শুধু যা GPU-র অপেক্ষায়", "only what waits for a GPU"))] = None,
    cluster: Annotated[
        str | None,
        typer.Option("--cluster", metavar="ADDRESS", help=say("Dask scheduler-এর ঠিকানা বা file", "a Dask scheduler's address or file")),
    ] = None,
    store: StoreOption = None,
    lang: LangOption = None,
) -> int:
    """Grade everything in CLASS."""
    from courselib import sandbox

    course = course_here(lang)
    exercises = _chosen(course, only)
    _there(folder)
    need = require and require.value

    def graded(employ: Callable[[], Hands]) -> int:
        from courselib import run

        return run.grade(
            course, folder, out, exercises, employ, roster,
            store=store, fresh=fresh, waiting=part is not None, extensions=extensions, times=times,
        )  # fmt: skip

    if cluster is not None:
        from courselib.cluster import joining

        return graded(partial(joining.employ, course, exercises, cluster, isolation.value, need))
    with closing(sandbox.start(jobs, isolation.value)) as zygote:  # it imports torch while we do the same
        from courselib import local

        local.demand(need)
        return graded(partial(local.employ, course, exercises, jobs, zygote))


@app.command(help=say("কারও কাজে নিজে নম্বর বা মন্তব্য দাও", "give a person's own points or comment"))
def mark(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=say("grade-এর --out", "the --out of grade"))],
    student: Annotated[str, typer.Argument(metavar="STUDENT")] = "",
    exercise: Annotated[str, typer.Argument(metavar="EXERCISE")] = "",
    points: Annotated[str | None, typer.Option("--points", help=say("নম্বর, যেমন 7.5 বা 1/2", "points, such as 7.5 or 1/2"))] = None,
    comment: Annotated[str | None, typer.Option("--comment", help=say("মন্তব্য", "a comment"))] = None,
    check: Annotated[str, typer.Option("--check", help=say("শুধু এই check-এর", "for this check only"))] = "",
    by: Annotated[str | None, typer.Option("--by", help=say("কে দিচ্ছেন", "who gives it"))] = None,
    clear: Annotated[bool, typer.Option("--clear", help=say("নম্বর আর মন্তব্য তুলে নাও", "take points and comment away"))] = False,
    source: Annotated[
        Path | None,
        typer.Option(
            "--from", exists=True, dir_okay=False, help=say("checks.csv-এর mark আর comment", "the marks and comments of a checks.csv")
        ),
    ] = None,
    store: StoreOption = None,
    lang: LangOption = None,
) -> int:
    """Keep a person's mark for one piece of work and write the reports anew."""
    from courselib.keep import marking

    if source is not None:
        if student or exercise or check or clear or points is not None or comment is not None:
            raise Trouble(say("--from একা দাও (সঙ্গে শুধু --by)।", "give --from alone (with --by at most)."))
        return marking.mark_from(folder, source, by, store)
    if not (student and exercise):
        raise Trouble(say("STUDENT আর EXERCISE দাও, অথবা --from FILE।", "give STUDENT and EXERCISE, or --from FILE."))
    return marking.mark(folder, marking.Wish(student, exercise, check, points, comment, by, clear), store)


@app.command(help=say("নম্বর অন্য জায়গায় পাঠানোর ফাইল বানাও", "write the grades for whoever takes them"))
def export(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help=say("শেষ হওয়া grade-এর ফোল্ডার", "the folder of a finished run"))],
    to: Annotated[Receiver, typer.Option("--to", help=say("কার জন্য", "who takes them"))],
    source: Annotated[
        Path | None,
        typer.Option(
            "--from", exists=True, dir_okay=False, help=say("LMS থেকে নামানো CSV (canvas, moodle)", "the LMS's own CSV (canvas, moodle)")
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help=say("কোথায় লেখা হবে; নইলে DIR-এর ভেতরে", "where it goes; by default into DIR"))
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            "--exercise",
            metavar="NAME[=COLUMN]",
            help=say("শুধু এই exercise; Canvas-এ কলামটির নামও দেওয়া যায়", "this exercise only (may be repeated); for Canvas also its column"),
        ),
    ] = None,
    lang: LangOption = None,
) -> int:
    """Export a finished run by the rules of its receiver."""
    from courselib import export

    with suppress(Trouble):  # a finished run needs no course; one that is here tells its language
        course_here(lang)
    return export.export(folder, to.value, source, out, only or [])


@app.command(help=say("নিজের কাজ যাচাই করো", "check your own work"))
def check(
    files: Annotated[list[Path] | None, typer.Argument(metavar="[FILE]...", help=say("তোমার ফাইল", "your files"))] = None,
    lang: LangOption = None,
) -> int:
    """Put the public checks to a student's own files."""
    from courselib import selfcheck

    return selfcheck.check(course_here(lang), files or [])


@app.command(help=say("solution থেকে stub বানাও", "derive the stubs from the solutions"))
def build(lang: LangOption = None) -> int:
    """Write every stub that is not in step with its solution."""
    from courselib import stubs

    return stubs.build(course_here(lang))


@app.command(help=say("কোর্সটি ঠিক আছে কি না প্রমাণ করো", "prove that the course is sound"))
def doctor(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help=say("exercise বা quiz", "exercises and quizzes"))] = None,
    jobs: Annotated[int, typer.Option("--jobs", min=1, max=256)] = os.cpu_count() or 1,
    isolation: Annotated[Isolation, typer.Option("--isolation")] = Isolation.auto,
    lang: LangOption = None,
) -> int:
    """Prove stubs, references, right and wrong ways, and that nothing is unaccounted for."""
    from courselib import doctor

    course = course_here(lang)
    quizzes = [n for n in course.manifest.quizzes if not names or n in names]
    exercises = [n for n in names or [] if n not in quizzes]
    chosen = [e for e in _chosen(course, exercises) if e in course.exercises] if exercises or not names else []
    return doctor.examine(course, chosen, quizzes, jobs, isolation.value)


@app.command(help=say("শিক্ষার্থীদের জন্য সবকিছু তৈরি করো", "make what students and platforms are given"))
def release(
    out: Annotated[Path, typer.Option("--out", help=say("কোথায় যাবে", "where it goes"))],
    lang: LangOption = None,
) -> int:
    """Write the student bundle, notebooks and Otter zips."""
    from courselib import release

    return release.release(course_here(lang), out)
