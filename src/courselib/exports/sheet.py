"""A gradebook as its owner exported it: every byte stays as it was, save in the cells that are given a new value."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from courselib.text import say
from courselib.trouble import Trouble

SEPARATORS = ",;\t"
MARK = "\ufeff"
WRAPPED = re.compile(r'=\s*"(.*)"', re.DOTALL)  # how Canvas and spreadsheets keep a text from being a formula or a number


@dataclass
class Line:
    """One record: the line of the file where it begins, its cells as written, its line end."""

    number: int
    cells: list[str]
    end: str

    def __getitem__(self, column: int) -> str:
        """Return the value of a cell; a cell that is not there is empty."""
        raw = self.cells[column] if column < len(self.cells) else ""
        return raw[1:-1].replace('""', '"') if raw[:1] == '"' else raw

    @property
    def blank(self) -> bool:
        """Tell whether nothing stands in any cell."""
        return not any(self[i].strip() for i in range(len(self.cells)))


@dataclass
class Sheet:
    """A table kept as it was written."""

    path: Path
    mark: str
    separator: str
    lines: list[Line]

    @property
    def header(self) -> list[str]:
        """Return the titles of the columns."""
        first = self.lines[0]
        return [first[i].strip() for i in range(len(first.cells))]

    def put(self, line: Line, column: int, text: str) -> None:
        """Give one cell a new value; cells that its record lacks before it are made empty."""
        line.cells += [""] * (column + 1 - len(line.cells))
        line.cells[column] = '"' + text.replace('"', '""') + '"' if re.search(r'[",;\t\r\n]', text) else text

    def write(self, path: Path) -> None:
        """Write the whole sheet in one step."""
        text = self.mark + "".join(self.separator.join(line.cells) + line.end for line in self.lines)
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = path.with_name(path.name + ".tmp")
        whole.write_bytes(text.encode())
        whole.replace(path)


def read(path: Path) -> Sheet:
    """Read a CSV that a gradebook wrote: UTF-8 with or without a mark; commas, semicolons or tabs."""
    try:
        text = path.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        raise Trouble(
            say(
                "{p}: এটি UTF-8 নয়; spreadsheet-এ না খুলে LMS থেকে আবার নামাও।",
                "{p}: not UTF-8; download it again, and do not save it from a spreadsheet.",
                p=path,
            )
        ) from None
    mark = MARK if text.startswith(MARK) else ""
    text = text.removeprefix(MARK)
    first = re.sub(r'"[^"]*"', "", re.split(r"[\r\n]", text, maxsplit=1)[0])
    separator = max(SEPARATORS, key=first.count)
    lines = list(_lines(path, text, separator))
    if not lines:
        raise Trouble(say("{p}: ফাইলটি খালি; LMS থেকে আবার নামাও।", "{p}: the file is empty; download it again.", p=path))
    return Sheet(path, mark, separator, lines)


def _lines(path: Path, text: str, separator: str) -> Iterator[Line]:
    """Cut a text into records; a quote that does not close is told with its line."""
    cell = re.compile(rf'("[^"]*(?:""[^"]*)*"|(?!")[^{separator}\r\n]*)({separator}|\r\n|\r|\n|\Z)')
    at, number, cells = 0, 1, list[str]()
    began = number
    while at < len(text) or cells:
        found = cell.match(text, at)
        if not found:
            why = say(
                "{p}:{n}: উদ্ধৃতিচিহ্ন মেলে না; LMS থেকে আবার নামাও।", "{p}:{n}: the quotes do not match; download it again.", p=path, n=number
            )
            raise Trouble(why)
        raw, end = found.groups()
        cells.append(raw)
        at, number = found.end(), number + _breaks(raw) + (end not in (separator, ""))
        if end != separator:
            yield Line(began, cells, end)
            cells, began = [], number


def _breaks(raw: str) -> int:
    return len(re.findall(r"\r\n|\r|\n", raw))


def unwrapped(text: str) -> str:
    """Return what stands in ="...", else `text` as it is."""
    found = WRAPPED.fullmatch(text.strip())
    return found[1].replace('""', '"') if found else text
