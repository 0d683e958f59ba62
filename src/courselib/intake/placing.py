"""Entries and the roster put together: by id first, as text, then by name; everyone on the roster has a row."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from courselib.intake.entries import PLAIN, Entry
from courselib.intake.names import squeezed
from courselib.intake.roster import ID_COLUMNS, Person
from courselib.text import Text, one_line, say
from courselib.trouble import Trouble


@dataclass
class Placed:
    """The entries of a class with their rows' names from the roster, and what a person should know."""

    entries: list[Entry]
    said: list[Text] = field(default_factory=list)


def place(entries: list[Entry], people: list[Person]) -> Placed:
    """Give every entry the row of its person, and everyone without an entry an empty row."""
    finder = _Finder(people)
    rows: dict[str, list[Entry]] = defaultdict(list)
    strangers: list[Entry] = []
    for entry in entries:
        person = finder.find(entry)
        if person:
            rows[person.key].append(entry)
        else:
            strangers.append(entry)
    _stop(finder.unclear, rows)
    known = [_row(p, rows[p.key]) for p in people]
    for stranger in strangers:
        stranger.notes.append(say("roster-এ নেই।", "not on the roster."))
    return Placed(sorted([*known, *strangers], key=lambda e: e.student), _said(people, known, strangers))


def _row(person: Person, mine: list[Entry]) -> Entry:
    ids = tuple(value for _, value in person.ids)
    if not mine:
        return Entry(person.key, PLAIN, [], ids, person.name)
    mine[0].student, mine[0].name = person.key, person.name or mine[0].name
    mine[0].ids = tuple(dict.fromkeys((*ids, *mine[0].ids)))
    return mine[0]


class _Finder:
    """Finds the person of an entry."""

    def __init__(self, people: list[Person]) -> None:
        self.by_id: dict[str, dict[str, list[Person]]] = {c: defaultdict(list) for c in ID_COLUMNS}
        self.by_name: dict[str, list[Person]] = defaultdict(list)
        self.unclear: list[Text] = []
        for person in people:
            for column, value in person.ids:
                self.by_id[column][same(value)].append(person)
            for name in spellings(person.name):
                self.by_name[name].append(person)

    def find(self, entry: Entry) -> Person | None:
        """Return who an entry is of; where a name fits several, say so and return nobody."""
        for column in ID_COLUMNS:
            for each in entry.ids:
                found = self.by_id[column].get(same(each), [])
                if found:
                    return self._one(entry, found)
        return self._one(entry, self.by_name.get(squeezed(entry.name), []))

    def _one(self, entry: Entry, found: list[Person]) -> Person | None:
        if len(found) > 1:
            who = ", ".join(f"{p.key} ({p.line})" for p in found)
            self.unclear.append(
                say(
                    "{s}: roster-এর একাধিক লাইনের সঙ্গে মেলে: {w}; নামের বদলে id দাও।",
                    "{s} fits more than one line of the roster: {w}; name it by id.",
                    s=entry.sources,
                    w=who,
                )
            )
        return found[0] if len(found) == 1 else None


def same(value: str) -> str:
    """Return an id for comparison: text, exactly; only an e-mail address has no case."""
    return value.casefold() if "@" in value else value


def spellings(name: str) -> set[str]:
    """Return the forms in which a name is compared: "Karim, Rahim" is also Rahim Karim."""
    last, comma, first = name.partition(",")
    return {s for s in (squeezed(name), squeezed(f"{first} {last}") if comma else "") if s}


def _stop(unclear: list[Text], rows: dict[str, list[Entry]]) -> None:
    twice = [
        say("{k}-এর একাধিক জমা: {w}; একটি রাখো।", "{k} has more than one entry: {w}; keep one.", k=k, w=", ".join(e.sources for e in mine))
        for k, mine in rows.items()
        if len(mine) > 1
    ]
    if unclear or twice:
        raise Trouble(one_line([*unclear, *twice], "\n"))


def _said(people: list[Person], known: list[Entry], strangers: list[Entry]) -> list[Text]:
    none = sum(not (e.pieces or e.notes or e.trouble) for e in known)
    line = say("roster: {n} জন, জমা নেই {m} জনের।", "roster: {n} students, {m} with nothing handed in.", n=len(people), m=none)
    if not strangers:
        return [line]
    who = ", ".join(e.student for e in strangers[:10]) + (", ..." if len(strangers) > 10 else "")
    return [line, say("roster-এ নেই {n} জন: {w}।", "{n} not on the roster: {w}.", n=len(strangers), w=who)]
