"""A class on disk: one entry per student, a folder or a zip, and in it one file per exercise."""

from __future__ import annotations

import unicodedata
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path, PurePosixPath

from courselib.course import Course
from courselib.grader import Work
from courselib.paths import SUFFIXES
from courselib.record import Status
from courselib.submission import MAX_BYTES
from courselib.text import Text, say
from courselib.trouble import Trouble

MAX_FILES = 2000
MAX_TOTAL = 200 * 2**20
LEFTOVERS = {".ipynb_checkpoints", "__MACOSX", "__pycache__", ".git", ".venv"}


class BadArchive(Trouble):
    """A zip that we do not open, with the reason."""


@dataclass(frozen=True)
class File:
    """A file that a student handed in: where it lies, and how to get its bytes."""

    name: str
    source: Path
    member: str = ""

    def read(self) -> bytes:
        """Return the bytes, one more than the limit at most."""
        if not self.member:
            with self.source.open("rb") as file:
                return file.read(MAX_BYTES + 1)
        with zipfile.ZipFile(self.source) as archive, archive.open(self.member) as file:
            return file.read(MAX_BYTES + 1)


def works(folder: Path, course: Course, exercises: list[str]) -> Iterator[Work]:
    """Yield one piece of work for every student of the class and every one of `exercises`."""
    for student, entry in entries(folder):
        yield from _of_student(student, entry, course, exercises)


def entries(folder: Path) -> list[tuple[str, Path]]:
    """Return the students of a class, sorted, each with a folder or a zip."""
    if not folder.is_dir():
        raise Trouble(say("{f} কোনো ফোল্ডার নয়।", "{f} is not a folder.", f=folder))
    found: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in LEFTOVERS or not (path.is_dir() or path.suffix.lower() == ".zip"):
            continue
        student = _spelt(path.name if path.is_dir() else path.stem)
        if student in found:
            raise Trouble(
                say(
                    "{s} নামে দুটি জমা আছে ({a}, {b}); একটি রাখো।",
                    "There are two entries for {s} ({a} and {b}); keep one.",
                    s=student,
                    a=found[student].name,
                    b=path.name,
                )
            )
        found[student] = path
    if not found:
        raise Trouble(
            say(
                "{f}-এ কোনো জমা নেই: প্রতি শিক্ষার্থীর একটি ফোল্ডার বা zip দরকার।",
                "{f} holds no submissions: one folder or zip per student is needed.",
                f=folder,
            )
        )
    return sorted(found.items())


def _of_student(student: str, entry: Path, course: Course, exercises: list[str]) -> Iterator[Work]:
    try:
        files = _in_zip(entry) if entry.is_file() else _in_folder(entry)
    except BadArchive as refused:
        for exercise in exercises:
            yield Work(student, exercise, entry.name, None, ("refused", refused.sentence))
        return
    for exercise in exercises:
        yield _pick(student, exercise, files, course)


def _pick(student: str, exercise: str, files: list[File], course: Course) -> Work:
    name = course.exercises[exercise].name
    mine = [f for f in files if PurePosixPath(f.name).stem == name]
    if not mine:
        return Work(student, exercise, "", None, _near(name, files, course))
    if len(mine) > 1:
        which = ", ".join(f.name for f in mine)
        why = say("{n}-এর জন্য একাধিক ফাইল: {w}; একটি রাখো।", "more than one file for {n}: {w}; keep one.", n=name, w=which)
        return Work(student, exercise, which, None, ("refused", why))
    try:
        return Work(student, exercise, mine[0].name, mine[0].read())
    except Exception as fault:  # zlib, lzma and bz2 each have errors of their own
        why = say("{n} পড়া গেল না: {f}", "{n} cannot be read: {f}", n=mine[0].name, f=fault)
        return Work(student, exercise, mine[0].name, None, ("unreadable", why))


def _near(name: str, files: list[File], course: Course) -> tuple[Status, Text] | None:
    """Where nothing has the exercise's name, name the file that nearly has."""
    taken = {e.name for e in course.exercises.values()}
    others = {PurePosixPath(f.name).stem.lower(): f.name for f in files if PurePosixPath(f.name).stem not in taken}
    near = get_close_matches(name, others, 1, 0.75)
    if not near:
        return None
    return "unreadable", say(
        "{f} হয়তো {n}; নামটি ঠিক করে আবার গ্রেড করো।", "{f} may be {n}; rename it and grade again.", f=others[near[0]], n=name
    )


def _spelt(name: str) -> str:
    """Return a file's name in one spelling, fit to be written as UTF-8 even where the disk's is not."""
    return unicodedata.normalize("NFC", name.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))


def _wanted(name: str) -> bool:
    path = PurePosixPath(name)
    return path.suffix.lower() in SUFFIXES and not LEFTOVERS.intersection(path.parts) and not path.name.startswith("._")


def _in_folder(folder: Path) -> list[File]:
    found: list[File] = []
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if not _wanted(name) or not path.is_file():
            continue
        if not path.resolve().is_relative_to(folder.resolve()):
            continue  # a link that leads out of the student's own folder
        found.append(File(_spelt(name), path))
        if len(found) > MAX_FILES:
            raise BadArchive(say("{m}-এর বেশি ফাইল।", "more than {m} files.", m=MAX_FILES))
    return found


def _in_zip(path: Path) -> list[File]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as fault:
        raise BadArchive(say("{n}: zip নয় বা নষ্ট ({f})।", "{n}: not a zip, or damaged ({f}).", n=path.name, f=fault)) from None
    _safe(path, members)
    named = ((m.filename.replace("\\", "/"), m.filename) for m in members)  # some of Windows's own archivers write backslashes
    return [File(_spelt(name), path, member) for name, member in named if not name.endswith("/") and _wanted(name)]


def _safe(path: Path, members: list[zipfile.ZipInfo]) -> None:
    """Refuse an archive for what it says of itself, before any of it is opened."""
    if len(members) > MAX_FILES or sum(m.file_size for m in members) > MAX_TOTAL:
        raise BadArchive(
            say(
                "{n}: খুললে {f}টির বেশি ফাইল বা {m} MB-এর বেশি হবে।",
                "{n}: opens to more than {f} files or {m} MB.",
                n=path.name,
                f=MAX_FILES,
                m=MAX_TOTAL >> 20,
            )
        )
    for m in members:
        parts = PurePosixPath(m.filename.replace("\\", "/"))
        link = (m.external_attr >> 16) & 0o170000 == 0o120000
        if parts.is_absolute() or ".." in parts.parts or m.filename[1:2] == ":" or link:
            raise BadArchive(say("{n}: নিষিদ্ধ path {m!r}।", "{n}: it holds a forbidden path {m!r}.", n=path.name, m=m.filename))
        if m.flag_bits & 1:
            raise BadArchive(say("{n}: password দেওয়া।", "{n}: it is encrypted.", n=path.name))
