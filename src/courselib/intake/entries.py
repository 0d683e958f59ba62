"""An entry: everything that came in from one student, and how it is known whose it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from courselib.intake.contents import File, Folder
from courselib.intake.names import spelt
from courselib.record import Status
from courselib.text import Text, one_line, say
from courselib.trouble import Trouble

PLAIN = say("প্রতি শিক্ষার্থীর একটি ফোল্ডার বা zip", "one folder or zip per student")
FLAT = say("এক ফোল্ডারে সবার ফাইল", "loose files in one folder")
CANVAS = say("Canvas-এর ডাউনলোড", "Canvas download")
MOODLE = say("Moodle-এর ডাউনলোড", "Moodle download")
GRADESCOPE = say("Gradescope-এর export", "Gradescope export")
NBGRADER = say("nbgrader-এর submitted ফোল্ডার", "nbgrader's submitted folder")
GITHUB = say("GitHub Classroom-এর repository", "repositories of GitHub Classroom")
BY_FILE = (FLAT, CANVAS, MOODLE)  # where one student may come in several pieces
BY_LMS = (CANVAS, MOODLE, GRADESCOPE, NBGRADER)  # where the LMS says who is who, also across its downloads


@dataclass(frozen=True)
class Piece:
    """A file or folder of a student, the name they gave it, and what the export says of its time."""

    item: File | Folder
    name: str
    late: bool = False
    submitted: str = ""
    upload: tuple[str, int, int] | None = None  # of which file, the how manieth upload, and the LMS's own number


@dataclass
class Entry:
    """What came in from one student: `student` names the row, `ids` are what a roster may know them by."""

    student: str
    kind: Text
    pieces: list[Piece]
    ids: tuple[str, ...]
    name: str
    notes: list[Text] = field(default_factory=list)
    trouble: tuple[Status, Text] | None = None

    def __post_init__(self) -> None:
        self.student, self.name = spelt(self.student), spelt(self.name)
        self.ids = tuple(spelt(i) for i in self.ids if i)

    @property
    def sources(self) -> str:
        """Return the names of what came in, as they stand."""
        return ", ".join(p.item.name for p in self.pieces[:3]) or self.student

    def join(self, other: Entry) -> None:
        """Take in what else came in from the same student."""
        self.pieces += other.pieces
        self.notes += [n for n in other.notes if n not in self.notes]
        self.trouble = self.trouble or other.trouble


def gathered(entries: Iterable[Entry], joined: tuple[Text, ...]) -> list[Entry]:
    """Return one entry per student, sorted; two of one kind in `joined` become one, any others stop us with a list."""
    found: dict[str, Entry] = {}
    twice: list[Text] = []
    for entry in entries:
        first = found.setdefault(entry.student, entry)
        if first is entry:
            continue
        if first.kind == entry.kind and entry.kind in joined:
            first.join(entry)
            continue
        twice.append(
            say(
                "{s} নামে দুটি জমা আছে ({a}, {b}); একটি রাখো।",
                "There are two entries for {s} ({a} and {b}); keep one.",
                s=entry.student,
                a=first.sources,
                b=entry.sources,
            )
        )
    if twice:
        raise Trouble(one_line(twice, "\n"))
    return [found[s] for s in sorted(found)]
