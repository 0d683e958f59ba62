"""`courselib quiz ...`: what each command takes and does."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from courselib.options import LangOption, course_here
from courselib.text import Text, one_line, say

if TYPE_CHECKING:
    from courselib.quiz.sheets import Marked


class Receiver(StrEnum):
    """Who takes quizzes."""

    moodle = "moodle"
    gift = "gift"
    canvas = "canvas"
    qti21 = "qti21"


class Texts(StrEnum):
    """The language of an exported quiz, or both after each other."""

    bn = "bn"
    en = "en"
    both = "both"


app = typer.Typer(add_completion=False, rich_markup_mode=None, no_args_is_help=True)

OutOption = Annotated[Path | None, typer.Option("--out", help=say("কোথায় লেখা হবে", "where it goes"))]
NameArgument = Annotated[str, typer.Argument(metavar="NAME", help=say("quiz-এর নাম", "the quiz"))]


@app.callback()
def everywhere(lang: LangOption = None) -> None:
    """Take --lang before the command as well."""


@app.command("list", help=say("কোর্সের quiz-গুলো", "the quizzes of this course"))
def list_(lang: LangOption = None) -> int:
    """Name the quizzes with their titles."""
    from courselib.quiz import source

    course = course_here(lang)
    here = {name: entry for name, entry in course.manifest.quizzes.items() if course.tree.quiz(name).is_file()}
    for name, entry in here.items():  # a student has no source of a graded one
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


@app.command(help=say("quiz-টি একটি HTML ফাইলে লেখো", "write a quiz as one HTML file"))
def page(
    name: NameArgument,
    out: OutOption = None,
    keys: Annotated[bool | None, typer.Option("--keys/--no-keys", help=say("উত্তরসহ বা উত্তর ছাড়া", "with or without the answers"))] = None,
    lang: LangOption = None,
) -> int:
    """Write a quiz's page; without its keys where it is graded."""
    from courselib.quiz import page, shelf
    from courselib.text import language

    course = course_here(lang)
    with_keys = keys if keys is not None else name not in shelf.graded(course)
    path = out or Path(f"{name}.html")
    path.write_text(page.page(shelf.built(course, name), language(), keys=with_keys), encoding="utf-8", newline="\n")
    typer.echo(str(path))
    return 0


@app.command(help=say("quiz-টি একটি LMS-এর ফাইলে লেখো", "write a quiz for an LMS"))
def export(
    name: NameArgument,
    to: Annotated[Receiver, typer.Option("--to", help=say("কার জন্য", "who takes it"))],
    out: OutOption = None,
    text: Annotated[Texts | None, typer.Option("--text", help=say("প্রশ্নের ভাষা", "the language of the questions"))] = None,
    lang: LangOption = None,
) -> int:
    """Write a quiz in an LMS's format and say what that format cannot carry; 1 where a question had to be left out."""
    from courselib.quiz import export, markup, shelf
    from courselib.text import language

    path = out or Path(f"{name}.{to.value}{export.SUFFIXES[to.value]}")
    built = shelf.built(course_here(lang), name)
    losses = export.export(name, built, to.value, text.value if text else language(), path, render=markup.html)
    for sentence, questions in export.grouped(losses):
        typer.echo(f"{', '.join(questions)}: {sentence.read()}" if questions else sentence.read())
    typer.echo(str(path))
    return 1 if any(loss.severity == "refused" for loss in losses) else 0


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
    return one_line(lines, "\n")
