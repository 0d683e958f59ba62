"""Which of a student's files answers an exercise, and what to say where none or several do."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches

from courselib.course import Course
from courselib.grader import Work
from courselib.intake import names
from courselib.intake.beside import beside
from courselib.intake.entries import Entry
from courselib.intake.haul import Found, Haul
from courselib.record import Status
from courselib.submission import MAX_BYTES
from courselib.text import Text, say


def pick(entry: Entry, exercise: str, found: Haul, course: Course) -> Work:
    """Choose the one file of an exercise: an exact name before a decorated one, and never one of two equals."""
    name, quiz = course.assigned[exercise].name, exercise in course.quizzes
    mine, notes = _candidates(name, [f for f in found.rest if names.sheet(f.name)] if quiz else _scripts(found), course)
    if not mine:
        return Work(entry.student, exercise, "", None, *_nothing(name, found, course, quiz=quiz))
    if len(mine) > 1:
        which = ", ".join(f.path for f in mine)
        why = say("{n}-এর জন্য একাধিক ফাইল: {w}; একটি রাখো।", "more than one file for {n}: {w}; keep one.", n=name, w=which)
        return Work(entry.student, exercise, which, None, ("refused", why))
    work = _read(entry.student, exercise, mine[0])
    code = work.data is not None and not quiz
    files, told = beside(mine[0], found, [e.name for e in course.assigned.values()]) if code else ((), [])
    notes = [*notes, *told, *_unopened(found)]
    ids = (*entry.ids, entry.name) if quiz else ()
    return replace(work, ids=ids, beside=files, notes=tuple(notes), submitted=mine[0].piece.submitted, late=mine[0].piece.late)


def _read(student: str, exercise: str, one: Found) -> Work:
    try:
        return Work(student, exercise, one.path, one.file.read(MAX_BYTES + 1))
    except Exception as fault:  # zlib has errors of its own, and so has every way in which a disk can fail
        why = say("{n} পড়া গেল না: {f}", "{n} cannot be read: {f}", n=one.path, f=fault)
        return Work(student, exercise, one.path, None, ("unreadable", why))


def _scripts(found: Haul) -> list[Found]:
    return [f for f in found.files if names.script(f.name)]


def _nothing(name: str, found: Haul, course: Course, *, quiz: bool) -> tuple[tuple[Status, Text] | None, tuple[Text, ...]]:
    """Say what there is where no file has the name that was asked for."""
    if quiz:
        return (("refused", found.closed[0][1]) if found.closed else None), ()
    return _instead(name, found, course), tuple(_no_code(found))


def _candidates(name: str, files: list[Found], course: Course) -> tuple[list[Found], list[Text]]:
    """Return the files that may be an exercise's, of the best kind that there is, and what a person should know."""
    if exact := _latest([f for f in files if names.stem(f.name) == name]):
        return exact
    others = {e.name for e in course.assigned.values()}
    decorated = [f for f in files if names.stem(f.name) not in others and names.answers(f.name, name)]
    mine, notes = _latest(decorated) or ([], [])
    taken = [say("{f}-কে {n} ধরা হয়েছে।", "{f} is taken for {n}.", f=f.path, n=name) for f in mine]
    return mine, notes + taken


def _latest(mine: list[Found]) -> tuple[list[Found], list[Text]] | None:
    """Leave the newest of a notebook's Otter exports; anything else stays as it is."""
    if len({f.export and f.export[0] for f in mine}) != 1 or not mine[0].export:
        return (mine, []) if mine else None
    last = max(f.export[1] for f in mine if f.export)
    notes = [
        say("পুরোনো Otter export বাদ: {n}।", "an older Otter export is left out: {n}.", n=f.path)
        for f in mine
        if f.export and f.export[1] != last
    ]
    return [f for f in mine if f.export and f.export[1] == last], notes


def _unopened(found: Haul) -> list[Text]:
    return [why for _, why in found.closed[:3]]


def _no_code(found: Haul) -> list[Text]:
    """Where a student has handed in other things only, name them."""
    if found.files or found.closed or not found.others:
        return []
    what = ", ".join(found.others[:5])
    return [say("কোনো .py বা .ipynb নেই, আছে: {w}।", "no .py or .ipynb, only: {w}.", w=what)]


def _instead(name: str, found: Haul, course: Course) -> tuple[Status, Text] | None:
    """Where nothing has the exercise's name, say what may hold it: an archive not opened, a file that nearly has the name."""
    if found.closed:
        return "refused", found.closed[0][1]
    taken = {e.name for e in course.assigned.values()}
    free = {
        names.bare(names.stem(f.name)).casefold(): f.path for f in found.files if not (names.script(f.name) and names.stem(f.name) in taken)
    }
    near = get_close_matches(name, free, 1, 0.75) or [f for f in free if name in f]
    if not near:
        return None
    say_it = say("{f} হয়তো {n}; নামটি ঠিক করে আবার গ্রেড করো।", "{f} may be {n}; rename it and grade again.", f=free[near[0]], n=name)
    return "unreadable", say_it
