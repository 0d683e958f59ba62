"""What may go into a cell of somebody's gradebook, and what must stay."""

from __future__ import annotations

from collections import Counter

from courselib.exports.cells import number, points
from courselib.exports.sheet import Line, Sheet
from courselib.text import Text, say
from courselib.trouble import Trouble

EMPTY = {"", "-"}  # no grade yet, in Canvas and in Moodle
HANDS_OFF = {"EX", "N/A"}  # Canvas: excused; not given to this student


def fill(sheet: Sheet, line: Line, column: int, value: float | None, *, handed_in: bool) -> str:
    """Put a grade into a cell; return why an earlier value was kept, else nothing.

    A blank would wipe an earlier grade, and so would the 0 of work that came another way: both leave the cell alone.
    """
    before = line[column].strip()
    if before.upper() in HANDS_OFF:
        return "excused"
    if before not in EMPTY and value is None:
        return "no grade"
    if before not in EMPTY and not handed_in:
        return "not handed in"
    if value is not None and (before in EMPTY or number(before) != value):
        sheet.put(line, column, points(value))
    return ""


def kept_note(kept: Counter[str]) -> list[Text]:
    """Say how many cells were left as they were, where any were."""
    count = sum(n for why, n in kept.items() if why)
    if not count:
        return []
    return [
        say(
            "{n}টি ঘরের আগের মান রাখা হয়েছে (excused, locked, জমা পড়েনি বা এখনো নম্বর নেই)।",
            "{n} cells keep what they held (excused, locked, nothing handed in, or no grade yet).",
            n=count,
        )
    ]


def same_maximum(sheet: Sheet, line: Line, column: int, possible: float, what: str) -> None:
    """Refuse a column that is worth something else than what was graded: its grades would be wrong."""
    told = number(line[column])
    if told is not None and abs(told - possible) > 0.005:  # gradebooks show two decimals
        raise Trouble(
            say(
                "{p}:{n}: {w}-এর পূর্ণমান সেখানে {t}, এখানে {q}; LMS-এ সেটি {q} করে আবার নামাও।",
                "{p}:{n}: {w} is worth {t} there and {q} here; set it to {q} in the LMS and download the file again.",
                p=sheet.path,
                n=line.number,
                w=what,
                t=points(told),
                q=points(possible),
            )
        )
