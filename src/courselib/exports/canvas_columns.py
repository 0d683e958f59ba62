"""Which column of a Canvas gradebook an exercise has, and what Canvas will make of its title."""

from __future__ import annotations

import re
import unicodedata

from courselib.exports.cells import points
from courselib.exports.filling import same_maximum
from courselib.exports.sheet import Line, Sheet
from courselib.text import Text, say
from courselib.trouble import Trouble

# Canvas leaves out columns of these words as totals of its own, and takes a number in brackets for the id of a column.
RISKY = re.compile(r"final|current (score|points|grade)|override|unposted|\(\d+\)$", re.IGNORECASE)
WITH_ID = re.compile(r"(.*?)\s*\((\d+)\)", re.DOTALL)


def is_points(line: Line) -> bool:
    """Tell whether a row holds the points possible."""
    return "Points Possible" in line[0]


def place(sheet: Sheet, exercise: str, named: str, possible: float, first: int, notes: list[Text]) -> int:
    """Return the column of an exercise, added where there is none; tell what Canvas will make of its title."""
    wanted = {_folded(named)} if named else {_folded(exercise), _folded(exercise.split("/")[-1])}
    titles = sheet.header
    found = [i for i, t in enumerate(titles) if i >= first and {_folded(t), _folded(_bare(t))} & wanted]
    if len(found) > 1 or (named and not found):
        raise Trouble(_which(sheet, named or exercise, [titles[i] for i in found or range(first, len(titles))]))
    if not found:
        return _added(sheet, exercise.split("/")[-1], possible, notes)
    for line in filter(is_points, sheet.lines):
        _refuse_read_only(sheet, line, found[0])
        same_maximum(sheet, line, found[0], possible, titles[found[0]])
    _warn(_bare(titles[found[0]]), notes)
    return found[0]


def _bare(title: str) -> str:
    """Return a title without the id that Canvas puts behind it."""
    found = WITH_ID.fullmatch(title)
    return found[1] if found else title


def _folded(title: str) -> str:
    return " ".join(re.split(r"[\s_]+", unicodedata.normalize("NFC", title).casefold().strip()))


def _added(sheet: Sheet, title: str, possible: float, notes: list[Text]) -> int:
    """Add a column behind the last: its title, its points possible, and an empty cell in every other row."""
    column = len(sheet.header)
    for line in sheet.lines:
        if line is sheet.lines[0] or not line.blank:
            sheet.put(line, column, title if line is sheet.lines[0] else points(possible) if is_points(line) else "")
    _warn(title, notes)
    told = say(
        "“{t}” নামে কোনো কলাম ছিল না: import করলে Canvas নতুন একটি বানাবে ({q} point)।",
        "there was no column “{t}”: on import Canvas will make a new one ({q} points).",
        t=title,
        q=points(possible),
    )
    notes.append(told)
    return column


def _warn(title: str, notes: list[Text]) -> None:
    if RISKY.search(title):
        notes.append(
            say(
                "সাবধান: “{t}” শিরোনামের কলাম Canvas import-এর সময় বাদ দিতে বা ভুল জায়গায় দিতে পারে; Canvas-এ নামটি বদলে আবার export করো।",
                "warning: Canvas may pass over a column titled “{t}”, or take it for another; rename it in Canvas and export again.",
                t=title,
            )
        )


def _refuse_read_only(sheet: Sheet, line: Line, column: int) -> None:
    if re.search(r"read\s+only", line[column], re.IGNORECASE):
        raise Trouble(
            say(
                "{p}:{n}: “{t}” কলামটি read only, Canvas তা নেবে না; অন্য কলাম দাও: --exercise NAME=COLUMN।",
                "{p}:{n}: the column “{t}” is read only and Canvas will not take it; name another: --exercise NAME=COLUMN.",
                p=sheet.path,
                n=line.number,
                t=sheet.header[column],
            )
        )


def _which(sheet: Sheet, wanted: str, titles: list[str]) -> Text:
    return say(
        "{p}:1: “{w}” কোন কলাম তা স্পষ্ট নয়; --exercise NAME=COLUMN দিয়ে একটি বলো: {t}।",
        "{p}:1: it is not clear which column “{w}” is; name one with --exercise NAME=COLUMN: {t}.",
        p=sheet.path,
        w=wanted,
        t=", ".join(titles),
    )
