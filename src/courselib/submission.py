"""Reading what a student handed in: bytes to cells. Nothing is executed, nothing is written.

Scripts are decoded as Python's own tokenizer decodes them; notebooks of every format are read in memory,
whatever kernel they name.
"""

from __future__ import annotations

import io
import json
import tokenize
from dataclasses import dataclass
from typing import Any

from courselib.parts import parts_of
from courselib.text import Text, say
from courselib.trouble import Trouble
from courselib.worker.cell import Cell

MAX_BYTES = 20 * 2**20


class Unreadable(Trouble):
    """The file is damaged or is not what its name says."""


class Refused(Trouble):
    """The file is not one that we open."""


@dataclass(frozen=True)
class Submission:
    """A submission's code, cell by cell; a script is one cell."""

    cells: list[Cell]
    notebook: bool


def read(name: str, data: bytes) -> Submission:
    """Read the file called `name`; raise `Unreadable` or `Refused` with the reason."""
    if len(data) > MAX_BYTES:
        raise Refused(say("{n}: {m} MB-এর চেয়ে বড়।", "{n}: larger than {m} MB.", n=name, m=MAX_BYTES >> 20))
    if not data.strip():
        raise Unreadable(say("{n}: ফাইলটি খালি।", "{n}: the file is empty.", n=name))
    short = name.replace("\\", "/").rsplit("/", 1)[-1]
    return _notebook(short, data) if short.lower().endswith(".ipynb") else _script(short, data)


def _script(name: str, data: bytes) -> Submission:
    return Submission([Cell(name=name, source=decode(name, data))], notebook=False)


def decode(name: str, data: bytes) -> str:
    """Decode Python source: a byte-order mark, a coding line, else UTF-8; any line ends."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = data.decode("utf-16", "replace")  # PowerShell's `>` writes this
    else:
        try:
            encoding, _ = tokenize.detect_encoding(io.BytesIO(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")).readline)
            text = data.decode(encoding)
        except (SyntaxError, UnicodeError, LookupError) as fault:  # the codec "undefined" raises a bare UnicodeError
            raise Unreadable(
                say(
                    "{n}: লেখাটি পড়া গেল না ({f}); ফাইলটি UTF-8 হিসেবে save করে আবার জমা দাও।",
                    "{n}: the text cannot be decoded ({f}); save the file as UTF-8 and hand it in again.",
                    n=name,
                    f=fault,
                )
            ) from None
    if "\0" in text:
        raise Unreadable(say("{n}: এটি Python ফাইল নয় (NUL বাইট আছে)।", "{n}: not a Python file (it holds NUL bytes).", n=name))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _notebook(name: str, data: bytes) -> Submission:
    book = _json(name, data)
    language = _language(book)
    if language not in ("", "python", "python3", "ipython"):
        raise Unreadable(say("{n}: এটি Python notebook নয় ({l})।", "{n}: not a Python notebook ({l}).", n=name, l=language))
    every = _cells(name, book)
    cells = [
        _cell(f"{name}, cell {i}", _source(cell), part)
        for i, (cell, part) in enumerate(zip(every, parts_of(every), strict=True), 1)
        if isinstance(cell, dict) and cell.get("cell_type") == "code"
    ]
    if not any(c["source"].strip() for c in cells):
        raise Unreadable(say("{n}: notebook-টিতে কোনো code cell নেই।", "{n}: the notebook has no code cell.", n=name))
    return Submission(cells, notebook=True)


def _cell(name: str, source: str, part: str) -> Cell:
    return Cell(name=name, source=source, part=part) if part else Cell(name=name, source=source)


def _json(name: str, data: bytes) -> dict[str, Any]:
    try:
        book = json.loads(data.decode("utf-8-sig", "replace" if _is_cut(data) else "strict"))
    except json.JSONDecodeError as fault:
        raise Unreadable(_damage(name, data, fault)) from None
    except (ValueError, RecursionError):  # not UTF-8, an endless number, a tower of brackets
        raise Unreadable(say("{n}: notebook নয়।", "{n}: not a notebook.", n=name)) from None
    if not isinstance(book, dict):
        raise Unreadable(say("{n}: notebook নয় (JSON, কিন্তু object নয়)।", "{n}: not a notebook (JSON, but no object).", n=name))
    return book


def _is_cut(data: bytes) -> bool:
    """Tell whether the text ends in the middle of a character."""
    try:
        data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        return fault.reason == "unexpected end of data"
    return False


def _damage(name: str, data: bytes, fault: json.JSONDecodeError) -> Text:
    text = data.decode("utf-8-sig", "replace")
    if "<<<<<<<" in text and ">>>>>>>" in text:
        line = text[: text.index("<<<<<<<")].count("\n") + 1
        return say(
            "{n}:{l}: Git-এর merge conflict রয়ে গেছে; মিটিয়ে আবার জমা দাও।",
            "{n}:{l}: a Git merge conflict is left in it; resolve it and hand it in again.",
            n=name,
            l=line,
        )
    if text.lstrip()[:1] == "<":
        return say(
            "{n}: এটি একটি web page, notebook নয়; LMS-এ লগ-ইন করে আবার নামাও।",
            "{n}: this is a web page, not a notebook; log in to the LMS and download it again.",
            n=name,
        )
    return say(
        "{n}:{l}: notebook-টি নষ্ট বা মাঝপথে কাটা (অক্ষর {c})।",
        "{n}:{l}: the notebook is damaged or cut off (at character {c}).",
        n=name,
        l=fault.lineno,
        c=fault.pos,
    )


def _language(book: dict[str, Any]) -> str:
    meta = book.get("metadata")
    meta = meta if isinstance(meta, dict) else {}
    for key, word in (("kernelspec", "language"), ("language_info", "name")):
        entry = meta.get(key)
        if isinstance(entry, dict) and isinstance(entry.get(word), str):
            return str(entry[word]).lower()
    return ""


def _cells(name: str, book: dict[str, Any]) -> list[Any]:
    if isinstance(book.get("cells"), list):
        return list(book["cells"])
    sheets = book.get("worksheets")
    if isinstance(sheets, list):
        return [c for sheet in sheets if isinstance(sheet, dict) for c in _list(sheet.get("cells"))]
    raise Unreadable(say("{n}: notebook নয় (cells নেই)।", "{n}: not a notebook (it has no cells).", n=name))


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source", cell.get("input", ""))
    if isinstance(source, list):
        return "".join(s for s in source if isinstance(s, str))
    return source if isinstance(source, str) else ""
