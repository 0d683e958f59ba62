"""report.html for the instructor, and a page for each student with only what a student may see.

Both are single files that ask the network for nothing. Every text of a record is escaped by the template engine, and a
content policy lets no script run but our own, known by its hash.
"""

from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from courselib import figures, lateness
from courselib.reports import Told, grade_row, late_lines, write_reports
from courselib.results import Row
from courselib.text import Text, language, say

LONGEST = 2000  # characters of any one text of a record on a page
MARK = '<meta name="generator" content="courselib">'
RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d)$")
HASHED = re.compile(r"-[0-9a-f]{12}$")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
OUTCOMES = {
    "passed": say("পাশ", "passed"),
    "failed": say("হয়নি", "failed"),
    "error": say("error উঠেছে", "error"),
    "timed_out": say("সময় শেষ", "timed out"),
    "out_of_memory": say("memory শেষ", "out of memory"),
    "not_run": say("চলেনি", "not run"),
    "deferred": say("GPU-র অপেক্ষায়", "waits for a GPU"),
    "fault": say("grader-এর ত্রুটি", "fault of the grader"),
}
SIGNS = {"passed": "✓", "failed": "✗", "error": "!", "timed_out": "⧖", "out_of_memory": "▣", "not_run": "–", "deferred": "…", "fault": "?"}
STATUSES = {
    "graded": say("গ্রেড হয়েছে", "graded"),
    "incomplete": say("কিছু বাকি", "incomplete"),
    "not_submitted": say("জমা নেই", "nothing handed in"),
    "unreadable": say("পড়া যায়নি", "unreadable"),
    "refused": say("নেওয়া হয়নি", "refused"),
    "fault": say("grader-এর ত্রুটি", "fault of the grader"),
}
WALLS = {
    "namespaces": say(
        "bubblewrap আর kernel namespace: network, file, অন্য process, কিছুই হাতের নাগালে নেই",
        "bubblewrap and kernel namespaces: no network, no files, no other processes",
    ),
    "process": say(
        "শুধু process-এর সীমা; bubblewrap চালু ছিল না, দেয়ালটি দুর্বলতর", "process limits only; bubblewrap was not in use, a weaker wall"
    ),
}


class Pages:
    """The pages of a class, written as its students come: report.html, and students/ with a page for each."""

    def __init__(self, folder: Path, exercises: list[str]) -> None:
        self.folder, self.exercises = folder, exercises
        self.figures = figures.gather([], exercises)
        self.written: set[str] = set()
        (folder / "students").mkdir(exist_ok=True)

    def add(self, rows: list[Row]) -> None:
        """Take in the records of one student and write their page."""
        figures.add(self.figures, rows, self.exercises)
        self.written.add(_student(self.folder / "students", rows, self.exercises))

    def finish(self, told: Told) -> None:
        """Write report.html; a page of a student who is gone goes."""
        students = [{"name": row[0], "row": row} for row in told.rows]
        late = late_lines(told.late)
        _write(self.folder / "report.html", "report.html", figures=self.figures, students=students, exercises=self.exercises, late=late)
        for path in (self.folder / "students").glob("*.html"):
            if path.name not in self.written and MARK in path.read_text(encoding="utf-8", errors="replace")[:400]:
                path.unlink()


def write_all(folder: Path, exercises: list[str]) -> Told:
    """Write all that a finished run leaves for people beside results.jsonl: both tables and the pages."""
    pages = Pages(folder, exercises)
    told = write_reports(folder, exercises, pages.add)
    pages.finish(told)
    return told


def _student(pages: Path, rows: list[Row], exercises: list[str]) -> str:
    """Write one student's page and return its name."""
    name = page_name(rows[0]["student"])
    total, possible, percent, deferred, status = grade_row(rows, exercises)[-5:]
    told = {"total": total, "possible": possible, "percent": percent, "deferred": deferred, "status": status}
    _write(pages / name, "student.html", student=rows[0]["student"], works=[for_student(row) for row in rows], **told)
    return name


def page_name(student: str) -> str:
    """Return a file name that is safe on every system and that no two students share, also where case is ignored."""
    plain = "".join(c if unicodedata.category(c)[0] in "LMN" or c in "-_" else "_" for c in unicodedata.normalize("NFC", student))
    plain = plain.casefold()[:40].lstrip("-")
    if plain == student and plain and not RESERVED.match(plain) and not HASHED.search(plain):
        return f"{plain}.html"
    return f"{plain or 'student'}-{hashlib.sha256(student.encode('utf-8', 'replace')).hexdigest()[:12]}.html"


def for_student(row: Row) -> Row:
    """Return what a student may see of a record: of hidden checks points only, of our own faults no text."""
    shown = [c for c in row["checks"] if not c["hidden"]]
    hidden = [c for c in row["checks"] if c["hidden"]]
    ran = row["status"] in ("graded", "fault") and any(c["outcome"] != "not_run" for c in shown)
    return {
        **{k: row[k] for k in ("exercise", "status", "score", "possible", "deferred", "file", "submission_sha256")},
        "message": "" if row["status"] == "fault" else row["message"],
        "lateness": lateness.of(row),
        "checks": [{**c, "message": "" if c["outcome"] == "fault" else c["message"]} for c in shown] if ran else [],
        "further": len(hidden),
        "further_earned": round(sum(c["earned"] for c in hidden), 6),
        "further_points": round(sum(c["points"] for c in hidden), 6),
        "further_deferred": round(sum(c["points"] for c in hidden if c["outcome"] == "deferred"), 6),
    }


def _write(path: Path, template: str, **told: Any) -> None:
    """Write a page in one step, a piece at a time: a long class is never held whole."""
    whole = path.with_suffix(".tmp")
    with whole.open("w", encoding="utf-8", errors="replace", newline="\n") as file:
        pieces = _environment().get_template(template).stream(language=language(), **told)
        pieces.enable_buffering(50)
        file.writelines(pieces)
    whole.replace(path)


@cache
def _environment() -> Environment:
    """Return the template engine: it escapes everything, and a name that is not there is an error."""
    made = Environment(loader=PackageLoader("courselib"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.globals.update(t=in_both, words=_words(), bars=figures.bars, shares=figures.shares, page_name=page_name, mark=Markup(MARK))
    made.filters.update(hash=_hash, shown=shown, number=number, by_part=_by_part)
    return made


def _by_part(checks: list[Row]) -> list[tuple[str, list[Row]]]:
    """Return checks under their parts, in the order of the file."""
    return [(part, list(these)) for part, these in groupby(checks, key=lambda c: str(c["part"]))]


def _words() -> dict[str, Any]:
    return {"outcomes": OUTCOMES, "signs": SIGNS, "statuses": STATUSES, "walls": WALLS}


def in_both(bn: str | Text, en: str = "", **values: object) -> Markup:
    """Return a sentence in both languages; the page shows one."""
    text = bn if isinstance(bn, Text) else say(bn, en, **values)
    return _pair(text.bn, text.en)


@lru_cache(1000)
def _pair(bn: str, en: str) -> Markup:
    return Markup(f'<span class="bn" lang="bn">{escape(bn)}</span><span class="en" lang="en">{escape(en)}</span>')


def shown(text: str, longest: int = LONGEST) -> str:
    """Return a text of a record fit for a page: no control characters, not too long; the engine escapes it afterwards."""
    text = text if len(text) <= longest else text[: longest - 1] + "…"
    return CONTROL.sub("\ufffd", text)


def number(value: float) -> str:
    """Return a number as people write it: 8, 13.5, 70.59."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _hash(text: str) -> str:
    """Return the name by which the content policy knows an inline script or style."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
