"""The downloads of Canvas, Moodle, Gradescope and nbgrader: whose is what, by the names that each of them gives."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import yaml

from courselib.intake.archive import FAULTS
from courselib.intake.contents import File, Folder
from courselib.intake.entries import CANVAS, GRADESCOPE, MOODLE, NBGRADER, Entry, Piece
from courselib.intake.names import leftover, reupload
from courselib.text import say
from courselib.trouble import Trouble

# A number is followed by another one: Canvas takes `_7_` out of users' own names for the sake of this.
CANVAS_FILE = re.compile(r"(?P<who>.+?)(?P<late>_LATE)?_(?P<user>[1-9]\d*)_(?P<file>[1-9]\d*)_(?P<name>.+)", re.DOTALL)
CANVAS_NOBODY = re.compile(r"(?P<late>LATE_)?anon_(?P<user>[0-9A-Za-z]+)_(?P<file>[1-9]\d*)_(?P<name>.+)", re.DOTALL)
CANVAS_TEXT = re.compile(r"(?P<who>.+?)(?P<late>_LATE)?_(?P<user>[1-9]\d*)_(?:text|link)\.html")
MOODLE_NAME = re.compile(r"(?P<who>.+)_(?P<user>\d+)_assignsubmission_(?P<what>file|onlinetext)(?:_(?P<name>.*))?", re.DOTALL)
METADATA = "submission_metadata.yml"
MAX_METADATA = 256 * 2**20
COURSE_FOLDERS = {"source", "release", "autograded", "feedback", "nbgrader_config.py", "gradebook.db"}
STAMP = "timestamp.txt"
Loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # every scalar is text: an id keeps its zeros, nothing is constructed


def is_download(folder: Folder) -> bool:
    """Tell whether a folder is a download as an LMS makes it: what it holds says so, or most of its names do."""
    items = [i for i in folder.items() if not i.name.startswith(".") and not leftover(i.name)]
    if _tree(folder) or any(i.name == METADATA for i in items):
        return True
    ours = sum(bool(moodle(i) or canvas(i)) for i in items)
    return 2 * ours > len(items)


def canvas(item: File | Folder) -> Entry | None:
    """Read the name of a file in Canvas's bulk download."""
    if isinstance(item, Folder):
        return None
    if found := CANVAS_TEXT.fullmatch(item.name):
        return Entry(f"{found['who']}_{found['user']}", CANVAS, [], (found["user"],), found["who"], [_no_text(item.name)])
    found = CANVAS_NOBODY.fullmatch(item.name) or CANVAS_FILE.fullmatch(item.name)
    if not found:
        return None
    who = found.groupdict().get("who") or "anon"
    name, count = reupload(found["name"])
    piece = Piece(item, name, bool(found["late"]), upload=(name, count, int(found["file"])))
    return Entry(f"{who}_{found['user']}", CANVAS, [piece], (found["user"],), who)


def newest(entries: list[Entry]) -> list[Entry]:
    """Leave the newest upload of each of Canvas's files, and say which ones are left out."""
    last: dict[tuple[str, str], tuple[str, int, int]] = {}
    for entry, upload in _uploads(entries):
        last[entry.student, upload[0]] = max(upload, last.get((entry.student, upload[0]), upload))
    for entry, upload in list(_uploads(entries)):
        piece = entry.pieces[0]
        if upload != last[entry.student, upload[0]]:
            entry.pieces = []
            entry.notes.append(say("পুরোনো upload বাদ: {n}।", "an older upload is left out: {n}.", n=piece.item.name))
    return entries


def _uploads(entries: list[Entry]) -> Iterator[tuple[Entry, tuple[str, int, int]]]:
    return ((e, p.upload) for e in entries for p in e.pieces if p.upload)


def moodle(item: File | Folder) -> Entry | None:
    """Read the name of a folder, or of a file, in Moodle's "download all submissions"."""
    found = MOODLE_NAME.fullmatch(item.name)
    if not found or (isinstance(item, File) and not found["name"]):
        return None
    entry = Entry(f"{found['who']}_{found['user']}", MOODLE, [], (found["user"],), found["who"])
    if found["what"] == "onlinetext":
        entry.notes.append(_no_text(item.name))
    else:
        entry.pieces.append(Piece(item.alone() if isinstance(item, Folder) else item, found["name"] or item.name))
    return entry


def _no_text(name: str) -> Any:
    return say("LMS-এ লেখা online text দেখা হয় না ({n})।", "online text typed into the LMS is not graded ({n}).", n=name)


def gradescope(folder: Folder) -> list[Entry]:
    """Read a Gradescope export: a folder per submission, and a file that says whose each is."""
    items = {i.name: i for i in folder.items()}
    listed = items.get(METADATA)
    if not isinstance(listed, File):
        return []
    entries = []
    for key, about in _metadata(listed).items():
        item = items.pop(key, None)
        piece = Piece(item.alone() if isinstance(item, Folder) else item, key) if item else None
        entries += [_submitter(who, key, piece, about) for who in _submitters(about)]
    rest = (i for i in items.values() if isinstance(i, Folder) and not i.name.startswith(".") and not leftover(i.name))
    return entries + [_unlisted(i) for i in rest]


def _metadata(file: File) -> dict[str, Any]:
    try:
        data = yaml.load(file.read(MAX_METADATA).decode("utf-8-sig"), Loader)
    except (yaml.YAMLError, UnicodeError, RecursionError) as fault:
        raise Trouble(
            say("{n} পড়া গেল না: {f}; export-টি আবার নামাও।", "{n} cannot be read: {f}; download the export again.", n=METADATA, f=fault)
        ) from None
    if not isinstance(data, dict):
        raise Trouble(say("{n}-এ কোনো জমার তালিকা নেই।", "{n} holds no list of submissions.", n=METADATA))
    return {str(k): v if isinstance(v, dict) else {} for k, v in data.items()}


def _submitters(about: dict[str, Any]) -> list[dict[str, str]]:
    """Return the people of one submission: a group's are several, and each has a row."""
    listed = about.get(":submitters")
    people: list[dict[str, str]] = [p for p in listed if isinstance(p, dict)] if isinstance(listed, list) else []
    return people or [{}]


def _submitter(who: dict[str, str], key: str, piece: Piece | None, about: dict[str, Any]) -> Entry:
    sid, email, name = (str(who.get(k) or "").strip() for k in (":sid", ":email", ":name"))
    time = about.get(":created_at")
    pieces = [replace(piece, submitted=time if isinstance(time, str) else "")] if piece else []
    missing = [] if piece else [say("{k}: export-এ এই ফোল্ডার নেই।", "{k}: the export has no such folder.", k=key)]
    return Entry(sid or email or name or key, GRADESCOPE, pieces, (sid, email), name, missing)


def _unlisted(item: Folder) -> Entry:
    why = say("{n}: {m}-এ এর নাম নেই।", "{n}: {m} does not list it.", n=item.name, m=METADATA)
    return Entry(item.name, GRADESCOPE, [Piece(item.alone(), item.name)], (), item.name, [why])


def nbgrader(folder: Folder, others: list[str]) -> list[Entry]:
    """Read nbgrader's tree: submitted/<student>/<its name for the exercises>/, each with a time stamp."""
    tree = _tree(folder)
    if not tree:
        return []
    others += [i.name for i in folder.items() if tree is not folder and i.name != tree.name and not i.name.startswith(".")]
    students = (i for i in tree.items() if isinstance(i, Folder) and not i.name.startswith(".") and not leftover(i.name))
    return [_stamped_entry(s) for s in students]


def _stamped_entry(student: Folder) -> Entry:
    try:
        return Entry(student.name, NBGRADER, list(_stamped(student)), (student.name,), student.name)
    except FAULTS:  # what is wrong comes out when it is graded
        return Entry(student.name, NBGRADER, [Piece(student.alone(), student.name)], (student.name,), student.name)


def _tree(folder: Folder) -> Folder | None:
    """Return the tree of what was submitted: the folder itself, or the one in a whole course."""
    items = {i.name: i for i in folder.items()}
    inside = items.get("submitted")
    if isinstance(inside, Folder) and (len(items) == 1 or COURSE_FOLDERS & items.keys() or _all_stamped(inside)):
        return inside
    return folder if _all_stamped(folder) else None


def _all_stamped(folder: Folder) -> bool:
    """Tell whether each of the first students has a time stamp where nbgrader writes it."""
    students = [i for i in folder.items() if isinstance(i, Folder) and not i.name.startswith(".")][:10]
    return bool(students) and all(any(p.submitted for p in _stamped_entry(s).pieces) for s in students)


def _stamped(student: Folder) -> Iterator[Piece]:
    for item in student.alone().items():
        stamp = next((i for i in item.items() if i.name == STAMP), None) if isinstance(item, Folder) else None
        time = stamp.read(100).decode("utf-8", "replace").strip() if isinstance(stamp, File) else ""
        yield Piece(item, item.name, submitted=time)
