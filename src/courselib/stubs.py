"""From the one file an author writes to what a student is given: the stub, and the notebook.

Markers are Otter's own: `# BEGIN SOLUTION` to `# END SOLUTION`, and `# SOLUTION` at the end of a line.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from courselib.course import Course, Exercise
from courselib.parts import parts_of
from courselib.text import say
from courselib.trouble import Trouble

BEGIN = re.compile(r"^(\s*)# BEGIN SOLUTION\s*$")
END = re.compile(r"^\s*# END SOLUTION\s*$")
VALUE = re.compile(r"^(\s*[A-Za-z_]\w*(?:\s*:[^=]+)?\s*=\s*).*# SOLUTION\s*$")
LINE = re.compile(r"^(\s*)[^\s#].*# SOLUTION\s*$")  # no plain assignment: nothing of it may stay
SETUP = """\
import os

import otter

os.environ["COURSELIB_LANG"] = "{lang}"
grader = otter.Notebook(tests_dir="{checks}")
"""
CHECK = 'grader.check("{question}")\n'
HERE = "তোমার উত্তর এখানে / your answer here"


def stub_of(solution: Path) -> str:
    """Return the stub that the solution file at `solution` gives."""
    out: list[str] = []
    opened = 0
    for number, line in enumerate(solution.read_text(encoding="utf-8").splitlines(), 1):
        if opened:
            opened = 0 if END.match(line) else opened
        elif begin := BEGIN.match(line):
            opened = number
            out.append(f"{begin[1]}raise NotImplementedError  # {HERE}" if begin[1] else f"...  # {HERE}")
        elif END.match(line):
            raise _unpaired(solution, number)
        else:
            pattern = VALUE if VALUE.match(line) else LINE
            out.append(pattern.sub(rf"\g<1>...  # {HERE}", line))
    if opened:
        raise _unpaired(solution, opened)
    return "\n".join(out) + "\n"


def _unpaired(path: Path, line: int) -> Trouble:
    return Trouble(
        say(
            "{p}:{n}: SOLUTION marker-এর জোড়া নেই; BEGIN আর END দুটিই দাও।",
            "{p}:{n}: a SOLUTION marker without its pair; write both BEGIN and END.",
            p=path.name,
            n=line,
        )
    )


def answers_of(solution: Path) -> list[list[str]]:
    """Return what no student may be given: each block between the markers, each value line, stripped."""
    blocks: list[list[str]] = []
    inside = False
    for line in solution.read_text(encoding="utf-8").splitlines():
        if BEGIN.match(line):
            inside = True
            blocks.append([])
        elif END.match(line):
            inside = False
        elif inside and line.strip():
            blocks[-1].append(line.strip())
        elif VALUE.match(line) or LINE.match(line):
            blocks.append([line.split("# SOLUTION")[0].strip()])
    return blocks


def build(course: Course) -> int:
    """Write every stub that is not in step with its solution; say which."""
    for exercise in course.exercises.values():
        path, text = course.tree.stub(exercise.id), stub_of(course.tree.solution(exercise.id))
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
        print(say("লেখা হয়েছে: {p}", "written: {p}", p=path.relative_to(course.tree.root)).read())
    return 0


def notebook_of(stub: str, exercise: Exercise, lang: str, checks: str = "autograder") -> dict[str, Any]:
    """Return the stub as a notebook in one language, with Otter's own check after each part's last cell.

    Where the stub marks no parts, one check of the whole exercise is the last cell. `checks` is the way from the
    notebook's folder to the one that holds the check files.
    """
    import jupytext

    book = jupytext.reads(stub, fmt="py:percent")
    cells = [c for c in book.cells if c.metadata.get("lang", lang) == lang]
    setup = SETUP.format(lang=lang, checks=checks)
    book.cells = _checked(cells, exercise, setup) if any(parts_of(cells)) else [*cells, _code(setup + CHECK.format(question=exercise.id))]
    for i, cell in enumerate(book.cells):
        cell["id"] = f"{exercise.name.replace('_', '-')}-{i}"
    book.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    plain: dict[str, Any] = book
    return plain


def _checked(cells: list[Any], exercise: Exercise, setup: str) -> list[Any]:
    """Put Otter's set-up before the first part, and each part's own check after its last cell of code."""
    parts = parts_of(cells)
    last = {part: i for i, part in enumerate(parts) if part and cells[i]["cell_type"] == "code"}
    first = next(i for i, part in enumerate(parts) if part)
    out: list[Any] = []
    for i, (cell, part) in enumerate(zip(cells, parts, strict=True)):
        out += [_code(setup)] if i == first else []
        out += [cell, _code(CHECK.format(question=f"{exercise.id}/{part}"))] if last.get(part) == i else [cell]
    return out


def _code(source: str) -> Any:
    from nbformat import v4

    return v4.new_code_cell(source.strip())


def marked(stub: str) -> list[str]:
    """Return the parts that a stub, or a solution, marks cells of, in order."""
    import jupytext

    cells = jupytext.reads(stub, fmt="py:percent").cells
    return list(dict.fromkeys(part for part in parts_of(cells) if part))
