"""What a desk is told: the course's files as bytes and how to grade, so that a worker needs no disk of the driver's."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, TypedDict

from courselib import crew, sandbox
from courselib.cluster.cores import keep_to, own_cores
from courselib.course import Course, load_course
from courselib.keep.keys import versions
from courselib.text import language, say
from courselib.trouble import Trouble


class Parcel(TypedDict):
    """Plain data, read before anything of another version could be misunderstood."""

    versions: dict[str, str]
    files: dict[str, bytes]
    exercises: list[str]
    isolation: Literal["auto", "namespaces", "process"]
    language: str


def packed(course: Course, exercises: list[str], isolation: Literal["auto", "namespaces", "process"]) -> Parcel:
    """Pack the manifest, and the checks and solutions of `exercises`; of a quiz, its source."""
    tree = course.tree
    paths = [tree.manifest, *(p for e in exercises for p in (tree.checks(e), tree.solution(e)))]
    paths += [tree.quiz(quiz.name) for e, quiz in course.quizzes.items() if e in exercises]
    files = {p.relative_to(tree.root).as_posix(): p.read_bytes() for p in paths if p.is_file()}
    return Parcel(versions=versions(), files=files, exercises=exercises, isolation=isolation, language=language())


def compare(theirs: dict[str, str]) -> None:
    """Refuse software that could come to other verdicts than the driver's."""
    for name, mine in versions().items():
        if theirs.get(name) != mine:
            raise Trouble(
                say(
                    "এখানে {n} {m:.8}, driver-এ {t:.8}; সব মেশিনে একই version বসাও।",
                    "its {n} is {m:.8}, the driver's is {t:.8}; install the same on every machine.",
                    n=name,
                    m=mine,
                    t=theirs.get(name, "?"),
                )
            )


def unpacked(parcel: Parcel, slots: int) -> crew.Crew:
    """Start a crew from a parcel. The course lies on disk only meanwhile, in a folder that no other user can read."""
    with TemporaryDirectory(prefix="courselib-course-") as folder:
        for name, data in parcel["files"].items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        course = load_course(Path(folder))
        keep_to(cores := own_cores(slots))
        return crew.start(course, parcel["exercises"], sandbox.start(slots, parcel["isolation"]), cores)
