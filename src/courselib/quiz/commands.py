"""`courselib quiz ...`: what each command takes and does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from courselib.options import LangOption, course_here
from courselib.text import Text, say

if TYPE_CHECKING:
    from courselib.quiz.sheets import Marked

app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)

NameArgument = Annotated[str, typer.Argument(metavar="NAME", help=say("quiz-এর নাম", "the quiz"))]


@app.callback()
def everywhere(lang: LangOption = None) -> None:
    """Take --lang before the command as well."""


@app.command("list", help=say("কোর্সের quiz-গুলো", "the quizzes of this course"))
def list_(lang: LangOption = None) -> int:
    """Name the quizzes with their titles."""
    from courselib.quiz import source

    course = course_here(lang)
    for name, entry in course.manifest.quizzes.items():
        quiz = source.load(course.tree.quiz(name))
        marks = say(" (নম্বর আছে)", " (graded)").read() if entry.graded else ""
        typer.echo(f"{name}: {quiz.title.text.read()}, {say('{n}টি প্রশ্ন', '{n} questions', n=len(quiz.questions)).read()}{marks}")
    return 0


@app.command(help=say("terminal-এ quiz দাও", "take a quiz in the terminal"))
def take(
    name: NameArgument,
    answers: Annotated[Path | None, typer.Option("--answers", help=say("উত্তর কোথায় রাখা হবে", "where the answers are kept"))] = None,
    lang: LangOption = None,
) -> int:
    """Put a quiz to a learner, question by question."""
    from rich.console import Console

    from courselib.quiz import shelf, terminal

    return terminal.take(shelf.built(course_here(lang), name), answers or Path(f"{name}.json"), Console(highlight=False))


@app.command(help=say("একটি উত্তরপত্রে নম্বর দাও", "mark one answer sheet"))
def mark(
    name: NameArgument,
    sheet: Annotated[Path, typer.Argument(metavar="ANSWERS", exists=True, dir_okay=False, help=say("উত্তরপত্র (YAML বা JSON)", "the sheet"))],
    student: Annotated[str | None, typer.Option("--student", help=say("যার variant, তার নাম", "whose variants count"))] = None,
    as_json: Annotated[bool, typer.Option("--json", help=say("ফল JSON-এ", "the result as JSON"))] = False,
    lang: LangOption = None,
) -> int:
    """Mark a sheet; 0 for full marks."""
    from courselib.quiz import sheets, shelf

    built = shelf.built(course_here(lang), name)
    read = sheets.read(sheet, sheet.read_bytes())
    marks = sheets.marked(built, read, sheets.of_student(name, student) if student else sheets.as_told(read))
    typer.echo(json.dumps(_plain(marks), ensure_ascii=False) if as_json else _told(marks).read())
    return 0 if marks.score == marks.possible else 1


@app.command(help=say("quiz ফাইলের JSON Schema (editor-এর জন্য)", "the JSON Schema of a quiz file, for editors"))
def schema() -> int:
    """Print the JSON Schema."""
    from courselib.quiz import source

    typer.echo(source.schema(), nl=False)
    return 0


def _plain(marks: Marked) -> dict[str, Any]:
    """Return marks as plain data, in the language of the moment."""
    from courselib.quiz.telling import told

    return {
        "quiz": marks.quiz,
        "score": round(float(marks.score), 6),
        "possible": marks.possible,
        "questions": [{"id": q["id"], "points": q["points"], **v.plain, "said": [t.read() for t in told(q, v)]} for q, v in marks.verdicts],
        "notes": [n.read() for n in marks.notes],
    }


def _told(marks: Marked) -> Text:
    from courselib.quiz.sentences import STATES
    from courselib.quiz.telling import told

    lines = [
        Text(*(f"{q['id']}: {STATES[v.state].read(lang)} {' '.join(t.read(lang) for t in told(q, v))}" for lang in ("bn", "en")))
        for q, v in marks.verdicts
    ]
    lines += [*marks.notes, say("নম্বর {s:g}/{p}", "{s:g} of {p} points", s=float(marks.score), p=marks.possible)]
    return Text("\n".join(t.bn for t in lines), "\n".join(t.en for t in lines))
