"""What lies beside an answer: modules and data that the student's own code may import and open."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import PurePosixPath

from courselib.intake import names
from courselib.intake.haul import Found, Haul
from courselib.text import Text, say

MAX_FILES = 200
MAX_TOTAL = 16 * 2**20  # bytes of all files beside one answer; a worker's folder holds four times as much
MAX_NAME = 200  # bytes of one name, and characters of the way to it

Files = tuple[tuple[str, bytes], ...]  # by the way to each from the answer's own folder


def beside(one: Found, found: Haul, exercises: list[str]) -> tuple[Files, list[Text]]:
    """Return what lies in the answer's folder or below it, and what a person should know of it.

    The answers to other exercises stay out, and so does what is too large or has no honest name. Nothing is opened
    or run here: these are bytes, laid into the worker's own folder.
    """
    files: dict[str, bytes] = {}
    left_out: list[Text] = []
    room = MAX_TOTAL
    for name, each in _near(one, found, exercises):
        data = _read(each, room) if _fits(name, files) and len(files) < MAX_FILES else None
        if data is None:
            left_out.append(_left_out(each.path))
        else:
            files[name] = data
            room -= len(data)
    return tuple(sorted(files.items())), [*map(_hides, sorted(_hiding(files))), *left_out[:3]]


def _near(one: Found, found: Haul, exercises: list[str]) -> Iterator[tuple[str, Found]]:
    """Yield what came in together with the answer, each with the way to it from the answer's folder."""
    home, path = _place(one)
    folder = path.rpartition("/")[0]
    prefix = f"{folder}/" if folder else ""
    for each in sorted([*found.files, *found.rest], key=lambda f: f.path):
        at, way = _place(each)
        if at == home and each.depth == one.depth and way.startswith(prefix) and not _is_an_answer(each, exercises):
            yield way.removeprefix(prefix), each


def _place(each: Found) -> tuple[int, str]:
    """Return in which piece a file lies, and where; files that came loose lie together, under their own names."""
    return (0, each.name) if each.file is each.piece.item else (id(each.piece), each.path)


def _is_an_answer(each: Found, exercises: list[str]) -> bool:
    return (names.script(each.name) or names.sheet(each.name)) and any(names.answers(each.name, e) for e in exercises)


def _fits(name: str, files: dict[str, bytes]) -> bool:
    """Tell whether a name can be laid down: no way out, not too long, and no file where a folder is to be."""
    path = PurePosixPath(name)
    honest = name.isprintable() and not path.is_absolute() and ".." not in path.parts and "\\" not in name and ":" not in name
    short = len(name) <= MAX_NAME and all(len(p.encode("utf-8", "replace")) <= MAX_NAME for p in path.parts)
    free = name not in files and all(str(p) not in files for p in path.parents) and not any(f.startswith(f"{name}/") for f in files)
    return honest and short and free


def _read(each: Found, room: int) -> bytes | None:
    try:
        data = each.file.read(room + 1)
    except Exception:  # zlib has errors of its own, and so has every way in which a disk can fail
        return None
    return data if len(data) <= room else None


def _left_out(path: str) -> Text:
    return say(
        "{p} তোমার কোডের পাশে রাখা যায়নি: সব মিলিয়ে {m} MB আর {n}টি ফাইল পর্যন্ত চলে, সাধারণ নামে।",
        "{p} could not be put beside your code: up to {m} MB and {n} files in all, under plain names.",
        p=path,
        m=MAX_TOTAL >> 20,
        n=MAX_FILES,
    )


def _hiding(files: dict[str, bytes]) -> set[str]:
    """Return the files and folders of modules that have a library's name."""
    tops = {n.partition("/")[0] for n in files if n.endswith(".py")}
    return {top for top in tops if top.removesuffix(".py") in _libraries()}


@cache
def _libraries() -> frozenset[str]:
    return frozenset({"courselib", *sys.stdlib_module_names, *packages_distributions()})


def _hides(top: str) -> Text:
    return say(
        "তোমার {t} একটি library-কে আড়াল করে; এখানে import {m} library-টিকেই আনে, তোমার ফাইলকে নয়। নাম বদলাও।",
        "your {t} hides a library; here `import {m}` gets the library and not your file. Rename it.",
        t=top,
        m=top.removesuffix(".py"),
    )
