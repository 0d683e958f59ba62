"""`courselib grade` as an instructor sees it: a bar while it runs, a summary that names who needs a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import Any, Protocol

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text as RichText

from courselib import classroom, page, reports
from courselib.course import Course
from courselib.grader import Bench, Work
from courselib.keep.database import told
from courselib.keep.keys import Settings
from courselib.lateness import Deadlines
from courselib.record import Record
from courselib.reports import Told
from courselib.results import Results
from courselib.text import Text, clean, say

LONG_CLASS = 30  # students whose lines still fit a screen
WIDE = 130  # columns that show every name whole, also where no terminal says how wide it is


class Hands(Protocol):
    """Those who grade for a run: the slots of this machine, or the workers of a cluster."""

    @property
    def benches(self) -> Mapping[str, Bench]:
        """Return the checks of each exercise."""

    @property
    def settings(self) -> Settings:
        """Return what all records of the run share."""

    @property
    def note(self) -> Text:
        """Say behind which walls the work is run."""

    def records(self, works: Iterable[Work]) -> Iterator[Record]:
        """Yield the records of `works` as they are done."""

    def close(self) -> None:
        """Let them go."""


def grade(
    course: Course,
    folder: Path,
    out: Path,
    exercises: list[str],
    employ: Callable[[], Hands],
    roster: Path | None = None,
    *,
    store: str | None = None,
    fresh: bool = False,
    waiting: bool = False,
    extensions: Path | None = None,
    times: Path | None = None,
) -> int:
    """Grade what an earlier run has not, write the results, print the summary; 1 where somebody needs a person."""
    with closing(classroom.Class(folder, course, exercises, roster)) as students:
        more, came = students.extensions(extensions), students.times(times)
        for line in [*students.said, *more.said]:
            Console(stderr=True, soft_wrap=True, highlight=False).print(_plain(line))
        with closing(employ()) as hands, told(out), Results(out, store) as results:
            works = results.unfinished(students.works(), hands.benches, hands.settings, fresh=fresh, waiting=waiting)
            for record in _watched(hands.records(works), results, len(students.students) * len(exercises)):
                results.add(record)
            amiss = results.finish(exercises, Deadlines(course.due, more.due, came))
            told_of = page.write_all(out, exercises)
            note = hands.note
    return summary(out, told_of, exercises, note, [*results.said(), *amiss])


class Rate(ProgressColumn):
    """Submissions per second."""

    def render(self, task: Task) -> RichText:
        """Return the rate so far."""
        return RichText(f"{task.finished_speed or task.speed or 0:.1f}/s")


def _watched(records: Iterator[Record], results: Results, total: int) -> Iterator[Record]:
    """Show count, rate and time left; no thread of the bar's own may be alive when slots are forked."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(), TimeRemainingColumn())
    with Progress(*columns, console=console, auto_refresh=False, disable=not console.is_terminal) as bar:
        task = bar.add_task(str(say("গ্রেড হচ্ছে", "grading")), total=total)
        for record in records:
            yield record
            bar.update(task, completed=results.settled)
            bar.refresh()


def summary(out: Path, told: Told, exercises: list[str], isolation: Text, notes: Iterable[Text] = ()) -> int:
    """Print what the run came to; return 1 where somebody needs a person, else 0."""
    console = Console(highlight=False, soft_wrap=True, width=max(Console().width, WIDE))
    console.print(escape(_in_short(told.rows)) if len(told.rows) > LONG_CLASS else _table(told.rows, exercises))
    if told.outcomes["deferred"]:
        console.print(escape(str(reports.deferred_line(told.outcomes["deferred"]))))
    for line in reports.late_lines(told.late):
        console.print(escape(str(line)))
    if told.people:
        console.print(escape(str(say("{n}টি কাজ একজন মানুষের দেখা দরকার:", "{n} need a person:", n=len(told.people)))))
    for student, exercise, why in told.people:
        console.print(_plain(f"  {student} · {exercise}: {why}"))
    _show_signs(console, told.signs)
    for note in notes:
        console.print(escape(str(note)))
    console.print(escape(str(isolation)))
    console.print(escape(f"{out / 'report.html'}  {out / 'students'}  {out / 'grades.csv'}  {out / 'checks.csv'}  {out / 'results.jsonl'}"))
    return 1 if told.people else 0


def _show_signs(console: Console, seen: list[tuple[str, str, list[dict[str, Any]]]]) -> None:
    """Name the submissions that an instructor may want to look at, a line each."""
    if seen:
        text = say(
            "{n}টি কাজ একবার দেখো: এগুলোতে এমন কিছু আছে যা উত্তরে লাগে না, কিংবা অন্য কারও নাম। এটি প্রমাণ নয়; নম্বর একই থাকে।",
            "{n} to look at: they hold what no answer needs, or another's name. It proves nothing by itself, and changes no mark.",
            n=len(seen),
        )
        console.print(escape(str(text)))
    for student, exercise, signs in seen[:LONG_CLASS]:
        first = signs[0]
        more = f" (+{len(signs) - 1})" if len(signs) > 1 else ""
        console.print(_plain(f"  {student} · {exercise}: {first['where']}: {Text(**first['what'])}{more}"))


def _plain(text: object) -> str:
    """Return a text with a student's words in it as a terminal may show it: no markup, no control characters."""
    return escape(clean(str(text)))


def _table(rows: list[list[object]], exercises: list[str]) -> Table:
    """Return a line for each student; names are never cut."""
    table = Table(box=None, pad_edge=False)
    names = [e.split("/")[1].replace("_", "_\n") for e in exercises]
    last = [say("মোট", "total"), "%", say("মুলতবি", "deferred"), say("অবস্থা", "status")]
    for head in (say("শিক্ষার্থী", "student"), *names, *last):
        left = head in (say("শিক্ষার্থী", "student"), last[-1])
        table.add_column(escape(str(head)), justify="left" if left else "right", no_wrap=True)
    for student, *scores, total, possible, percent, deferred, status in rows:
        table.add_row(*(_plain(v) for v in (student, *scores, f"{total}/{possible}", percent, deferred, status)))
    return table


def _in_short(rows: list[list[object]]) -> str:
    """Return a long class in two lines: how many students of which status, and how their marks lie."""
    words = Counter(str(row[-1]) for row in rows)
    marks = sorted(float(str(row[-3])) for row in rows)
    spread = say(
        "{n} জন শিক্ষার্থী; শতকরা নম্বর: মধ্যমা {m:g}, সর্বনিম্ন {a:g}, সর্বোচ্চ {z:g}",
        "{n} students; per cent: median {m:g}, lowest {a:g}, highest {z:g}",
        n=len(rows),
        m=median(marks),
        a=marks[0],
        z=marks[-1],
    )
    return f"{spread}\n{', '.join(f'{word}: {count}' for word, count in words.most_common())}"
