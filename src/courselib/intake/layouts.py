"""How a class lies on disk: every layout that we know becomes the same list of entries, a student's each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from courselib.intake import archive, lms
from courselib.intake.archive import ARCHIVES, BadArchive, Budget
from courselib.intake.contents import File, Folder, ZipFolder, in_zip
from courselib.intake.entries import BY_FILE, BY_LMS, FLAT, GITHUB, PLAIN, Entry, Piece, gathered
from courselib.intake.names import leftover, nearly_script, script, split, stem
from courselib.text import Text, one_line, say

WORK_THAT_IS_NO_CODE = (".pdf", ".doc", ".docx", ".odt", ".rtf", ".pages", ".png", ".jpg", ".jpeg", ".heic")


@dataclass
class Layout:
    """What was found: a student's entry each, sorted, and the names of what is nobody's."""

    entries: list[Entry] = field(default_factory=list)
    others: list[str] = field(default_factory=list)

    @property
    def said(self) -> Text:
        """Say in one line what the class was taken for."""
        kinds = Counter(e.kind for e in self.entries)
        found = one_line(say("{k}: {n}", "{k}: {n}", k=k, n=n) for k, n in sorted(kinds.items()))
        late = sum(any(p.late for p in e.pieces) for e in self.entries)
        told = say("পাওয়া গেল: {f}", "found: {f}", f=found)
        if late:
            told = say("{t}; দেরিতে {n} জন", "{t}; {n} of them late", t=told, n=late)
        if self.others:
            names = ", ".join(self.others[:5]) + (", ..." if len(self.others) > 5 else "")
            told = say("{t}; বাদ: {o}", "{t}; left out: {o}", t=told, o=names)
        return say("{t}।", "{t}.", t=told)


def recognise(top: Folder, exercises: Iterable[str], only: str | None, budget: Budget) -> Layout:
    """Return the entries of the class in `top`; `only` is the exercise where a single one is graded."""
    layout = Layout()
    found: list[Entry] = []
    top = _unwrapped(top)
    downloads = _downloads(top, budget)
    if downloads[0] is not top:
        layout.others += [i.name for i in visible(top) if isinstance(i, File) and not i.name.lower().endswith(".zip")]
    for download in downloads:
        found += gathered(_whole(download, layout) or _one_by_one(download, tuple(exercises), only, layout), BY_FILE)
    layout.entries = gathered(found, BY_LMS)
    return layout


def visible(folder: Folder) -> list[File | Folder]:
    """Return what lies in a folder, without hidden files and leftovers."""
    return [i for i in folder.items() if not i.name.startswith(".") and not leftover(i.name)]


def _unwrapped(top: Folder) -> Folder:
    """Step through the one folder that a zip of a class usually holds."""
    while isinstance(top, ZipFolder):
        items = visible(top)
        if len(items) != 1 or not isinstance(items[0], ZipFolder):
            break
        inner = visible(items[0])
        several = len(inner) > 1 and not any(isinstance(i, File) and script(i.name) for i in inner)
        if not several and items[0].name.casefold() != stem(top.name).casefold():
            break
        top = items[0]
    return top


def _downloads(top: Folder, budget: Budget) -> list[Folder]:
    """Return the downloads that lie side by side in `top`, or `top` itself.

    All of it must be downloads: what a student puts into a folder of their own never makes rows for others.
    """
    inner = [i for i in visible(top) if isinstance(i, Folder) or i.name.lower().endswith(".zip")]
    found: list[Folder] = []
    if lms.is_download(top):
        return [top]
    for item in inner:
        try:
            folder = item if isinstance(item, Folder) else in_zip(item, budget, shared=True)
            if isinstance(item, File) and not lms.is_download(folder):
                folder = _unwrapped(folder)
            if not lms.is_download(folder):
                return [top]
        except (BadArchive, *archive.FAULTS):  # whose it is, and what is wrong with it, comes out when it is graded
            return [top]
        found.append(folder)
    return found or [top]


def _whole(download: Folder, layout: Layout) -> list[Entry]:
    """Read a download that is of one kind as a whole."""
    return lms.gradescope(download) or lms.nbgrader(download, layout.others) or []


def _one_by_one(top: Folder, exercises: tuple[str, ...], only: str | None, layout: Layout) -> list[Entry]:
    """Read a class item by item: each name tells what it is."""
    found = []
    assignment = github_assignment(top, exercises)
    for item in visible(top):
        entry = _repository(item, assignment) or lms.moodle(item) or lms.canvas(item) or _plain(item) or _loose(item, exercises, only)
        if entry:
            found.append(entry)
        else:
            layout.others.append(item.name)
    return lms.newest(found)


def github_assignment(top: Folder, exercises: tuple[str, ...]) -> str:
    """Return the assignment whose name, and a hyphen, every folder of a GitHub Classroom begins with; "" where it is none.

    Students' own names may begin alike, so it must be known: from the folder that holds them, as Classroom's tool calls it
    ("gpu-week-1-submissions"), or as the name of an exercise.
    """
    folders = [i.name.casefold() for i in visible(top) if isinstance(i, Folder)]
    held = stem(top.name).casefold().removesuffix("-submissions") if stem(top.name).casefold().endswith("-submissions") else ""
    known = [held, *(e.casefold().replace("_", mark) for e in exercises for mark in "-_")]
    return next((a for a in known if a and folders and all(f.startswith(f"{a}-") and len(f) > len(a) + 1 for f in folders)), "")


def _repository(item: File | Folder, assignment: str) -> Entry | None:
    """Return the entry of a repository of GitHub Classroom: what stands behind the assignment's name is the user's."""
    if not assignment or not isinstance(item, Folder):
        return None
    user = item.name[len(assignment) + 1 :]
    return Entry(user, GITHUB, [Piece(item.alone(), item.name)], (user, item.name), user)


def _plain(item: File | Folder) -> Entry | None:
    """Return the entry of a folder or an archive that is named after its student."""
    if isinstance(item, Folder):
        return Entry(item.name, PLAIN, [Piece(item.alone(), item.name)], (item.name,), item.name)
    suffix = PurePosixPath(item.name).suffix.lower()
    if suffix != ".zip" and suffix not in ARCHIVES:
        return None
    student = stem(item.name) if not stem(item.name).lower().endswith(".tar") else stem(stem(item.name))
    return Entry(student, PLAIN, [Piece(item, item.name)], (student,), student)


def _loose(item: File | Folder, exercises: tuple[str, ...], only: str | None) -> Entry | None:
    """Return the entry of a file that lies loose: student and exercise are both in its name."""
    assert isinstance(item, File)
    code = script(item.name) or nearly_script(item.name)
    if not code and not item.name.lower().endswith(WORK_THAT_IS_NO_CODE):
        return None
    if code and (both := split(item.name, exercises)):
        who, name = both
        return Entry(who, FLAT, [Piece(item, name)], (who,), who)
    who = stem(item.name)
    entry = Entry(who, FLAT, [Piece(item, item.name)], (who,), who)
    if not code:
        why = say("{n}: এটি .py বা .ipynb নয়।", "{n}: not a .py or .ipynb file.", n=item.name)
    elif only and who.casefold() not in map(str.casefold, exercises):
        return Entry(who, FLAT, [Piece(item, f"{only}{PurePosixPath(item.name).suffix}")], (who,), who)
    else:
        why = say(
            "{n}: কার, কোন exercise-এর? নাম দাও rahim_{e}.py-এর মতো, বা শিক্ষার্থীর নামের ফোল্ডারে রাখো।",
            "{n}: whose is it, and which exercise? Name it like rahim_{e}.py, or put it in a folder named after the student.",
            n=item.name,
            e=exercises[0] if exercises else "exercise",
        )
    entry.trouble = ("unreadable", why)
    return entry
