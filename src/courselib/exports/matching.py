"""Whose row is whose: by id as text, and by name only where no id fits. A doubt stops the export and is listed."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from courselib.exports.cells import plain
from courselib.exports.sheet import Line, unwrapped
from courselib.intake.names import squeezed
from courselib.text import Text, say
from courselib.trouble import Trouble

DOWNLOADED = re.compile(r"(.+)_(\d+)", re.DOTALL | re.ASCII)  # rahmananika_1234567, Anika Rahman_1327627


@dataclass(frozen=True)
class Person:
    """A student's row in a gradebook: ids by the title of their column, and the name's spellings."""

    line: Line
    ids: dict[str, str]
    names: tuple[str, ...]


def key(text: str) -> str:
    """Return an id in one spelling: NFC, no blanks around it, and an e-mail address in small letters; never a number."""
    text = unicodedata.normalize("NFC", unwrapped(text)).strip()
    return text.casefold() if "@" in text else text


def name_key(text: str) -> str:
    """Return a name in one spelling: NFC, single blanks, small letters."""
    return " ".join(unicodedata.normalize("NFC", unwrapped(text)).casefold().split())


def spellings(name: str) -> tuple[str, ...]:
    """Return "Last, First" as it is and as "First Last"."""
    name = unwrapped(name)
    last, comma, first = name.partition(",")
    return (name_key(name), name_key(f"{first} {last}")) if comma and name_key(name) != "," else (name_key(name),)


def match(students: Iterable[str], people: list[Person]) -> tuple[dict[str, Line], list[str]]:
    """Return each student's row, and the students who have none; refuse doubled rows and students with a list."""
    _refuse_doubled(people)
    index = Index(people)
    found: dict[str, Line] = {}
    missing, doubts = [], list[Text]()
    for student in students:
        lines = index.find(student)
        if len(lines) > 1:
            doubts.append(_at_lines(student, sorted(lines)))
        elif lines:
            found[student] = next(iter(lines.values()))
        else:
            missing.append(student)
    doubts += _shared(found)
    if doubts:
        raise Trouble(_doubtful(doubts))
    if not found:
        raise Trouble(say("{m} এই ফাইল কি এই class-এর?", "{m} Is this file of this class?", m=no_row(missing)))
    return found, missing


class Index:
    """The rows of a gradebook by id and by name; a row is known by its line number."""

    def __init__(self, people: list[Person]) -> None:
        self.by_id: defaultdict[str, dict[int, Line]] = defaultdict(dict)
        self.by_name: defaultdict[str, dict[int, Line]] = defaultdict(dict)
        self.letters = {p.line.number: {squeezed(n) for n in p.names} for p in people}
        for person in people:
            for value in filter(None, map(key, person.ids.values())):
                self.by_id[value][person.line.number] = person.line
            for name in filter(None, person.names):
                self.by_name[name][person.line.number] = person.line

    def find(self, student: str) -> dict[int, Line]:
        """Return the rows that a student's key fits: as an id, as name_id, as a name; the first that fits any."""
        return self.by_id.get(key(student)) or self._downloaded(student) or self.by_name.get(name_key(student)) or {}

    def _downloaded(self, student: str) -> dict[int, Line]:
        """Return the rows of a key as an LMS's download makes it, where the name agrees with the id."""
        if not (parts := DOWNLOADED.fullmatch(student)):
            return {}
        lines, who = self.by_id.get(parts[2], {}), squeezed(parts[1])
        return {n: line for n, line in lines.items() if who in (self.letters[n] or {who})}


def no_row(missing: list[str]) -> Text:
    """Name the students who are not in a gradebook."""
    return say(
        "এঁদের সারি পাওয়া যায়নি, তাই নম্বর যায়নি: {w}; id মিলিয়ে আবার export করো।",
        "no row was found for these, so their grades are not in it: {w}; make the ids agree and export again.",
        w=", ".join(map(plain, missing)),
    )


def _refuse_doubled(people: list[Person]) -> None:
    seen: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for person in people:
        for column, value in person.ids.items():
            if key(value):
                seen[column, key(value)].append(person.line.number)
    doubled = [_at_lines(f"{column} {value}", lines) for (column, value), lines in seen.items() if len(lines) > 1]
    if doubled:
        raise Trouble(_doubtful(doubled))


def _at_lines(who: str, lines: list[int]) -> Text:
    at = ", ".join(map(str, lines))
    return say("{w}: লাইন {l}", "{w}: lines {l}", w=plain(who), l=at)


def _shared(found: dict[str, Line]) -> list[Text]:
    owners: defaultdict[int, list[str]] = defaultdict(list)
    for student, line in found.items():
        owners[line.number].append(student)
    return [
        say("লাইন {l}: {w}", "line {l}: {w}", l=number, w=", ".join(map(plain, mine))) for number, mine in owners.items() if len(mine) > 1
    ]


def refuse_twins(students: Iterable[str]) -> None:
    """Refuse students whose ids differ only in spelling, with a list."""
    twins: defaultdict[str, list[str]] = defaultdict(list)
    for student in students:
        twins[key(student)].append(student)
    doubled = [say("{w}", "{w}", w=" = ".join(map(plain, mine))) for mine in twins.values() if len(mine) > 1]
    if doubled:
        raise Trouble(_doubtful(doubled))


def _doubtful(doubts: list[Text]) -> Text:
    all_of_it = Text("; ".join(d.bn for d in doubts), "; ".join(d.en for d in doubts))
    return say(
        "কার নম্বর কোন সারিতে যাবে তা স্পষ্ট নয়, তাই কিছু লেখা হয়নি: {d}; প্রত্যেকের আলাদা id রেখে আবার export করো।",
        "it is not clear whose grade goes where, so nothing was written: {d}; give each student one id of their own and export again.",
        d=all_of_it,
    )
