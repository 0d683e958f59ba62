"""`courselib mark`: a person's points or comment for one piece of work, kept whatever is graded again."""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path

from courselib import lateness, page
from courselib.keep import taking
from courselib.keep.folder import Busy, claim, open_store
from courselib.keep.marks import GROUNDS, WHOLE, Row, points, possible, who
from courselib.keep.store import Store
from courselib.results import export, fit, whole
from courselib.text import Text, did_you_mean, say
from courselib.trouble import Trouble


@dataclass(frozen=True)
class Wish:
    """What a person asks for; what is None is left as it was."""

    student: str
    exercise: str
    check: str = WHOLE
    points: str | None = None
    comment: str | None = None
    by: str | None = None
    clear: bool = False


def mark(folder: Path, wish: Wish, url: str | None = None) -> int:
    """Keep or clear a mark, write the results and reports anew, and say what came of it."""
    if wish.clear == (wish.points is not None or wish.comment is not None):
        raise Trouble(say("--points বা --comment দাও, অথবা শুধু --clear।", "give --points or --comment, or --clear alone."))
    store = open_store(folder, url, durable=True, make=False)
    try:
        row, terms = _row(store, folder, wish)
        (_clear if wish.clear else _give)(store, row, wish)
        print(_outcome(row, terms, store))
        for sentence in _rewrite(folder, store):
            print(sentence)
    finally:
        store.close()
    return 0


def mark_from(folder: Path, path: Path, by: str | None = None, url: str | None = None) -> int:
    """Keep all marks and comments of a checks.csv, write the results and reports anew, and say what came of it."""
    store = open_store(folder, url, durable=True, make=False)
    try:
        for sentence in [*taking.take(folder, store, path, fit(by or "")), *_rewrite(folder, store)]:
            print(sentence)
    finally:
        store.close()
    return 0


def _row(store: Store, folder: Path, wish: Wish) -> tuple[Row, str]:
    """Return the record that is meant, as it was graded, and its terms; an exercise may be named without its unit."""
    student = fit(unicodedata.normalize("NFC", wish.student))
    mine: list[tuple[Row, str]] = [(json.loads(line), terms) for _, _, line, terms in store.standing(student)]
    if not mine:
        students = list(dict.fromkeys(s for s, _ in store.names()))
        raise Trouble(_nobody(folder, student, students))
    for row, terms in mine:
        if wish.exercise in (row["exercise"], row["exercise"].split("/")[-1]):
            return row, terms
    raise Trouble(
        say(
            "{f}-এ {s}-এর {e} নেই। আছে: {all}।",
            "{f} has no {e} of {s}. There are: {all}.",
            f=folder,
            s=student,
            e=wish.exercise,
            all=", ".join(row["exercise"] for row, _ in mine),
        )
    )


def _nobody(folder: Path, student: str, students: list[str]) -> Text:
    if not students:
        return say(
            "{f}-এ শেষ হওয়া কোনো ফল নেই; আগে courselib grade শেষ করো।",
            "{f} holds no finished results; finish `courselib grade` first.",
            f=folder,
        )
    near = get_close_matches(student, students, 1)
    hint = did_you_mean(near[0] if near else None)
    return say(
        "{f}-এ {s} নামে কোনো শিক্ষার্থী নেই; নাম grades.csv-তে যেমন আছে তেমন লেখো।{h}",
        "{f} has no student {s}; write the name as it stands in grades.csv.{h}",
        f=folder,
        s=student,
        h=hint,
    )


def _give(store: Store, row: Row, wish: Wish) -> None:
    """Keep what is asked for; what is not spoken of stays as an earlier mark had it."""
    most = possible(row, wish.check)
    before = store.marks().get((row["student"], row["exercise"]), {}).get(wish.check, {"points": None, "comment": ""})
    store.mark(
        {
            "student": row["student"],
            "exercise": row["exercise"],
            "check": wish.check,
            "points": before["points"] if wish.points is None else points(wish.points, most),
            "comment": before["comment"] if wish.comment is None else fit(wish.comment).replace("\0", ""),
            "by": who() if wish.by is None else fit(wish.by),
            "when": datetime.now(UTC).isoformat(timespec="seconds"),
            **{k: row[k] for k in GROUNDS},
        }
    )


def _clear(store: Store, row: Row, wish: Wish) -> None:
    if not store.unmark(row["student"], row["exercise"], wish.check):
        raise Trouble(
            say(
                "{s} · {e}: এখানে কোনো নম্বর বা মন্তব্য দেওয়া নেই{c}।",
                "{s} · {e}: there is no mark or comment to clear{c}.",
                s=row["student"],
                e=row["exercise"],
                c=f" ({wish.check})" if wish.check else "",
            )
        )


def _outcome(row: Row, terms: str, store: Store) -> Text:
    """Say what the record's score now is, what it was without a person, and what lateness takes off."""
    now = whole(row, store.marks().get((row["student"], row["exercise"]), {}), terms)
    line = say(
        "{s} · {e}: {p:g}-এ {n:g} (grader দিয়েছিল {a:g})",
        "{s} · {e}: {n:g} of {p:g} (the grader gave {a:g})",
        s=row["student"],
        e=row["exercise"],
        n=now["score"],
        p=row["possible"],
        a=row["score"],
    )
    late = lateness.of(now)
    return say("{l}; {t}", "{l}; {t}", l=line, t=late.told()) if late and late.days else line


def _rewrite(folder: Path, store: Store) -> list[Text]:
    """Write results and reports with the marks in them; while a run is at work, its own end will do that."""
    try:
        lock = claim(folder)
    except Busy:
        return [say("গ্রেড চলছে; শেষ হলে ফলে এটি থাকবে।", "a run is at work; its results will have this.")]
    with lock:
        amiss = [*taking.take(folder, store), *export(folder, store)]
        exercises = list(dict.fromkeys(exercise for _, exercise in store.names()))
        page.write_all(folder, exercises)
    return amiss
