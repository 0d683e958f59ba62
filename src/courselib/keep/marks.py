"""What a person gives or says, put on top of what was graded. Pure functions of a record and its marks."""

from __future__ import annotations

import getpass
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from courselib.record import rounded
from courselib.text import Text, say
from courselib.trouble import Trouble

Row = dict[str, Any]
Marks = Mapping[str, Mapping[str, Any]]  # by check; WHOLE is the whole exercise
WHOLE = ""
NUMBER = re.compile(r"\d{1,6}(\.\d{1,6}|/\d{0,5}[^\D0]\d{0,5})?")
GROUNDS = ("submission_sha256", "checks_sha256")  # what a person had before them


def points(told: str, possible: float, where: str = "--points") -> float:
    """Read the points a person gives: a number or a fraction, from 0 to `possible` and never above it."""
    given = Fraction(told) if NUMBER.fullmatch(told) else None
    if given is None or rounded(given) > possible:
        raise Trouble(
            say(
                "{w} {t}: 0 থেকে {p:g}-এর মধ্যে একটি সংখ্যা দাও, যেমন 7.5 বা 1/2।",
                "{w} {t}: give a number from 0 to {p:g}, such as 7.5 or 1/2.",
                w=where,
                t=told,
                p=possible,
            )
        )
    return rounded(given)


def possible(row: Row, check: str, where: str = "") -> float:
    """Return the most that may be given for the exercise or one of its checks."""
    most = {WHOLE: row["possible"], **{c["id"]: c["points"] for c in row["checks"]}}
    if check in most:
        return float(most[check])
    raise Trouble(
        say(
            "{w}{e}-এ {c} নামে কোনো check নেই। আছে: {all}।",
            "{w}{e} has no check {c}. There are: {all}.",
            w=where,
            e=row["exercise"],
            c=check,
            all=", ".join(c["id"] for c in row["checks"]),
        )
    )


def who() -> str:
    """Return the name of whoever is at this machine, "" where it tells none."""
    try:
        return getpass.getuser().encode("utf-8", "replace").decode()
    except (KeyError, OSError):  # a container's user may have no name
        return ""


def applied(row: Row, marks: Marks) -> Row:
    """Return the record with the marks in it, and `manual` to say so; a whole exercise's mark outranks those of its checks."""
    automatic = {k: row[k] for k in ("score", "deferred", "status")}
    row = _by_checks(row, marks)
    whole = marks.get(WHOLE)
    if whole and whole["points"] is not None:
        row |= {"score": min(whole["points"], row["possible"]), "deferred": 0.0, "status": "graded"}  # a verdict waits for nothing
    return row | {"manual": _of_record(row, marks) | {"whole": _told(whole) if whole else None, "automatic": automatic}}


def _by_checks(row: Row, marks: Marks) -> Row:
    """Put in the marks of single checks; points that a person gave wait for no machine, so they leave `deferred`."""
    score, deferred, checks = row["score"], row["deferred"], []
    for check in row["checks"]:
        mark = marks.get(check["id"])
        if mark and mark["points"] is not None:
            earned = min(mark["points"], check["points"])
            score += earned - check["earned"]
            deferred -= check["points"] if check["outcome"] == "deferred" else 0
            check = check | {"earned": earned}
        checks.append(check | {"manual": _told(mark)} if mark else check)
    faults = [c for c in checks if c["outcome"] == "fault"]
    settled = faults and all(c.get("manual", {}).get("points") is not None for c in faults)
    status = "graded" if settled and row["status"] == "fault" else row["status"]
    return row | {"score": round(score, 6), "deferred": round(deferred, 6), "checks": checks, "status": status}


def _of_record(row: Row, marks: Marks) -> dict[str, Any]:
    """Return what the record says of its marks; the comments on hidden checks stay with those checks."""
    last = max(marks.values(), key=lambda m: str(m["when"]))
    hidden = {c["id"] for c in row["checks"] if c["hidden"]}
    comments = [m["comment"] for check, m in marks.items() if m["comment"] and check not in hidden]
    placed = [m for check, m in marks.items() if check == WHOLE or any(c["id"] == check for c in row["checks"])]
    given = row["score"] if any(m["points"] is not None for m in placed) else None
    outdated = any(m[k] != row[k] for m in marks.values() for k in GROUNDS)
    return {"points": given, "comment": "\n".join(comments), "by": last["by"], "when": last["when"], "outdated": outdated}


def _told(mark: Mapping[str, Any]) -> dict[str, Any]:
    return {k: mark[k] for k in ("points", "comment", "by", "when")}


def misfits(row: Row, marks: Marks) -> list[Text]:
    """Say which marks of a record are older than its file or checks, and which are for a check that is no more."""
    who = f"{row['student']} · {row['exercise']}"
    said = [nowhere(row["student"], row["exercise"], c) for c in marks if c != WHOLE and all(c != x["id"] for x in row["checks"])]
    if row["manual"]["outdated"]:
        said.append(
            say(
                "{w}: নম্বর দেওয়ার পর ফাইল বা check বদলেছে; আবার দেখো (নম্বরটি থাকছে)।",
                "{w}: the file or the checks changed after a person marked it; look again (the mark stands).",
                w=who,
            )
        )
    return said


def nowhere(student: str, exercise: str, check: str = WHOLE) -> Text:
    """Say that a mark has no place in this run's results, and is kept."""
    who = " · ".join(word for word in (student, exercise, check) if word)
    return say(
        "{w}: একজন মানুষ এতে নম্বর দিয়েছেন, কিন্তু এবারের ফলে এটি নেই; নম্বরটি রাখা আছে।",
        "{w}: a person marked this, and it is not in these results; the mark is kept.",
        w=who,
    )
