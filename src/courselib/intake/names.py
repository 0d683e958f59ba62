"""What a file's name says: its spelling, what browsers and drives have added to it, whose it is and what it answers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from pathlib import PurePosixPath

from courselib.paths import SHEETS, SUFFIXES

LEFTOVERS = {".ipynb_checkpoints", "__MACOSX", "__pycache__", ".git", ".venv", "node_modules"}
SAVED_AS_TEXT = (".txt", ".json")  # what a browser makes of a notebook or script that it shows

# What a copy is called, in the languages of English, German, French, Spanish, Italian, Portuguese and Bangla desktops.
COPY_OF = r"(?:(?:copy of|kopie von|copie de|copia de|c\u00f3pia de) )"
COPY = r"(?: - (?:copy|kopie|copie|copia|c\u00f3pia|কপি|অনুলিপি)| (?:copy|kopie|copie|copia|c\u00f3pia|কপি)|[ -]?এর (?:কপি|অনুলিপি))"
# Google Drive and Colab, Windows and macOS, browsers, Canvas, in this order.
ADDED = re.compile(rf"^{COPY_OF}|{COPY}(?: \d{{1,3}})?$| ?\(\d{{1,3}}\)$|-\d{{1,3}}$|\.(?:py|ipynb)$", re.IGNORECASE)
# A student's number may itself end in "-12": only what stands behind the exercise's name is ever taken for an addition.
FORMS = (
    rf"{COPY_OF}?(?P<who>.*?[^ _.-])(?: - |[ _.-]+)(?P<what>%s)(?P<added>(?:{COPY}| ?\(\d+\)|-\d+|\.py|\.ipynb)*)",
    rf"{COPY_OF}?(?P<what>%s)(?: - |[ _.-]+)(?P<who>[^ _.-].*?)(?P<added>(?:{COPY}| ?\(\d+\))*)",
)
UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # controls of terminals and of the direction of writing
JOINERS = "\u200c\u200d"  # Bangla is written with them
REUPLOAD = re.compile(r"^([^.]*?)-(\d{1,3})((?:\..*)?)$", re.DOTALL)  # Canvas counts before the first dot


def spelt(name: str) -> str:
    """Return a name in one spelling (NFC), fit to be written and shown even where the disk's is not."""
    text = unicodedata.normalize("NFC", name.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    return "".join("\ufffd" if unicodedata.category(c) in UNSEEN and c not in JOINERS else c for c in text)


def squeezed(name: str) -> str:
    """Return a person's name as letters, marks and digits only, in lower case: how an LMS writes it into a file's name."""
    return "".join(c for c in spelt(name).casefold() if unicodedata.category(c)[0] in "LMN")


def leftover(name: str) -> bool:
    """Tell whether a name is one that a system leaves behind."""
    return name in LEFTOVERS or name.startswith("._")


def script(name: str) -> bool:
    """Tell whether a name is that of a script or a notebook."""
    return PurePosixPath(name).suffix.lower() in SUFFIXES


def sheet(name: str) -> bool:
    """Tell whether a name may be that of an answer sheet."""
    return PurePosixPath(name).suffix.lower() in SHEETS


def nearly_script(name: str) -> bool:
    """Tell whether a name is that of a script or notebook which a browser has saved as text."""
    path = PurePosixPath(name)
    return path.suffix.lower() in SAVED_AS_TEXT and script(path.stem)


def stem(name: str) -> str:
    """Return a file's name without its folders and its suffix."""
    return PurePosixPath(name).stem


def bare(text: str) -> str:
    """Take away what drives, systems and browsers add to a file's name."""
    before = ""
    while before != text:
        before, text = text, ADDED.sub("", text.strip())
    return text


def answers(name: str, exercise: str) -> bool:
    """Tell whether a file's name, bare of decorations, is an exercise's: "Rahim - Copy of CUDA_MS (1).py"."""
    text = bare(stem(name)).casefold()
    return exercise.casefold() in (text, bare(text.rpartition(" - ")[2]))


def reupload(name: str) -> tuple[str, int]:
    """Return an uploaded file's own name, and the how manieth upload of it Canvas counts: "cuda_ms-1.py" is its second."""
    counted = REUPLOAD.match(name)
    return (counted[1] + counted[3], int(counted[2])) if counted and counted[1] else (name, 0)


def split(name: str, exercises: Iterable[str]) -> tuple[str, str] | None:
    """Split the name of a loose file into a student and the exercise's own file name.

    "rahim_cuda_ms (1).py" gives ("rahim", "cuda_ms (1).py"); "cuda_ms_rahim.py" and "Rahim Uddin - cuda_ms.py" are read too.
    """
    whole, suffix = stem(name), PurePosixPath(name).suffix
    one_of = "|".join(map(re.escape, sorted(exercises, key=len, reverse=True)))
    if not one_of or re.fullmatch(one_of, bare(whole), re.IGNORECASE):
        return None
    for form in FORMS:
        if found := re.fullmatch(form % one_of, whole, re.IGNORECASE | re.DOTALL):
            return found["who"].strip(), f"{found['what']}{found['added']}{suffix}"
    return None
