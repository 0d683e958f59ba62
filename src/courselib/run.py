"""`courselib grade` as an instructor sees it: a bar while it runs, a summary that names who needs a person."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text as RichText

from courselib import classroom, grading, reports
from courselib.checks import REQUIREMENTS
from courselib.course import Course
from courselib.record import Record
from courselib.results import Results
from courselib.text import Text, say
from courselib.trouble import Trouble


def grade(course: Course, folder: Path, out: Path, exercises: list[str], jobs: int, isolation: str, require: str | None) -> int:
    """Grade a class, write the results, print the summary; 1 where somebody needs a person."""
    if require and not REQUIREMENTS[require]():
        raise Trouble(
            say(
                "--require {r}: এই মেশিনে তা নেই; GPU-ওয়ালা মেশিনে চালাও, নয়তো option-টি বাদ দাও।",
                "--require {r}: this machine has none; run on a machine with a GPU, or leave the option out.",
                r=require,
            )
        )
    students = len(classroom.entries(folder))
    crew = grading.start(course, exercises, jobs, isolation)
    try:
        results = Results(out)
        works = classroom.works(folder, course, exercises)
        for record in _watched(grading.records(crew, works, jobs), students * len(exercises)):
            results.add(record)
    finally:
        crew.close()
    results.finish(exercises)
    reports.write_reports(out, exercises)
    return summary(out, exercises, crew.zygote.note)


class Rate(ProgressColumn):
    """Submissions per second."""

    def render(self, task: Task) -> RichText:
        """Return the rate so far."""
        return RichText(f"{task.finished_speed or task.speed or 0:.1f}/s")


def _watched(records: Iterator[Record], total: int) -> Iterator[Record]:
    """Show count, rate and time left; no thread of the bar's own may be alive when slots are forked."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    with Progress(*columns, console=console, auto_refresh=False, disable=not console.is_terminal) as bar:
        task = bar.add_task(str(say("গ্রেড হচ্ছে", "grading")), total=total)
        for record in records:
            yield record
            bar.advance(task)
            bar.refresh()


def summary(out: Path, exercises: list[str], isolation: Text) -> int:
    """Print what the run came to; return 1 where somebody needs a person, else 0."""
    console = Console(highlight=False, soft_wrap=True)
    console.print(_table(out, exercises))
    counted = reports.counts(out)
    if counted["deferred"]:
        console.print(escape(str(reports.deferred_line(counted["deferred"]))))
    people = reports.people_needed(out)
    if people:
        console.print(escape(str(say("{n}টি কাজ একজন মানুষের দেখা দরকার:", "{n} need a person:", n=len(people)))))
    for student, exercise, why in people:
        console.print(escape(f"  {student} · {exercise}: {why}"))
    console.print(escape(str(isolation)))
    console.print(escape(f"{out / 'grades.csv'}  {out / 'checks.csv'}  {out / 'results.jsonl'}"))
    return 1 if people else 0


def _table(out: Path, exercises: list[str]) -> Table:
    table = Table(box=None, pad_edge=False)
    heads = [
        say("শিক্ষার্থী", "student"),
        *(e.split("/")[1] for e in exercises),
        say("মোট", "total"),
        say("মুলতবি", "deferred"),
        say("অবস্থা", "status"),
    ]
    for i, head in enumerate(heads):
        table.add_column(escape(str(head)), justify="left" if i in (0, len(heads) - 1) else "right")
    for rows in reports.by_student(out):
        student, *scores, total, possible, _, deferred, status = reports.grade_row(rows, exercises)
        table.add_row(*(escape(str(v)) for v in (student, *scores, f"{total}/{possible}", deferred, status)))
    return table
