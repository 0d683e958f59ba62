"""What a student is given of the checks: the public ones, with just the lines that these need."""

from __future__ import annotations

import ast
from itertools import pairwise
from pathlib import Path

from courselib.checks import CheckFile
from courselib.text import say
from courselib.trouble import Trouble

HEAD = '"""The public checks of this exercise; the others run when you hand in."""\n\n'
ALWAYS = {"OK_FORMAT", "name", "points"}


def public_checks(file: CheckFile, part: str = "") -> str:
    """Return the autograder file, or one part of it, without its hidden checks and without anything that only they use."""
    source = file.path.read_text(encoding="utf-8")
    mine = [c for c in file.checks if part in ("", c.part)]
    shown = {c.id for c in mine if not c.hidden}
    kept = _reachable(ast.parse(source).body, ALWAYS | shown, {c.id for c in file.checks} - shown)
    points = ", ".join(f'"{c.points}"' for c in mine if c.hidden)
    named = f'\n\nname += "/{part}"' if part else ""  # what Otter calls it
    return HEAD + "\n\n".join(_segment(source, s) for s in kept) + f"{named}\n\nleft_out = [{points}]\n"


def _reachable(statements: list[ast.stmt], wanted: set[str], hidden: set[str]) -> list[ast.stmt]:
    """Return the statements that define `wanted`, and what those use in turn."""
    by_name: dict[str, list[ast.stmt]] = {}
    for statement in statements:
        for name in _defines(statement) - hidden:
            by_name.setdefault(name, []).append(statement)
    seen: set[str] = set()
    queue = list(wanted)
    while queue:
        name = queue.pop()
        if name in seen or name not in by_name:
            continue
        seen.add(name)
        queue += [n.id for s in by_name[name] for n in ast.walk(s) if isinstance(n, ast.Name)]
        queue += [n.id for s in statements if name in _changes(s) for n in ast.walk(s) if isinstance(n, ast.Name)]
    futures = [s for s in statements if isinstance(s, ast.ImportFrom) and s.module == "__future__"]
    return futures + [s for s in statements if s not in futures and (seen & _defines(s) or seen & _changes(s))]


def _defines(statement: ast.stmt) -> set[str]:
    match statement:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return {(a.asname or a.name).split(".")[0] for a in names}
        case ast.Assign(targets=targets):
            return {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.AugAssign(target=ast.Name(id=name)):
            return {name}
        case ast.If(body=body) | ast.For(body=body) | ast.While(body=body) | ast.With(body=body) | ast.Try(body=body):
            return {n for s in body for n in _defines(s)}
    return set()


def _changes(statement: ast.stmt) -> set[str]:
    """Return the names whose object a bare call may change, as `table.update(...)` does."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return {n.id for n in ast.walk(statement.value.func) if isinstance(n, ast.Name)}
    if isinstance(statement, (ast.If, ast.For, ast.While, ast.With, ast.Try)):
        return {n for s in statement.body for n in _changes(s)}
    return set()


def _segment(source: str, statement: ast.stmt) -> str:
    decorators = getattr(statement, "decorator_list", [])
    first = min([statement.lineno, *(d.lineno for d in decorators)])
    return "\n".join(source.splitlines()[first - 1 : statement.end_lineno])


def leaks(text: str, answers: list[list[str]], file: CheckFile) -> list[str]:
    """Return what `text`, given to a student, holds of the answers or of the hidden checks.

    Two lines of an answer one after the other count, or the whole of a one-line answer; a single common line does not.
    """
    lines = [line.strip() for line in text.splitlines()]
    pairs = set(pairwise(line for line in lines if line))
    found = [a for block in answers for a in block if len(block) == 1 and a in lines]
    found += [f"{a} {b}" for block in answers for a, b in pairwise(block) if (a, b) in pairs]
    return found + [c.id for c in file.checks if c.hidden and (f"def {c.id}(" in text or c.name.en in text or c.name.bn in text)]


def write_public(file: CheckFile, path: Path, part: str = "") -> None:
    """Write the student's copy of a check file, or of one part of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(in_ascii(public_checks(file, part), file.path.name), encoding="ascii", newline="\n")


def in_ascii(source: str, name: str) -> str:
    """Return Python source of the same meaning in ASCII: Otter opens check files in the machine's own encoding, which may lack Bangla."""
    escaped = source.encode("ascii", "backslashreplace").decode()
    if ast.dump(ast.parse(escaped)) != ast.dump(ast.parse(source)):
        raise Trouble(
            say(
                "{n}: বাংলা শুধু সাধারণ string আর comment-এ লেখো; raw string বা নামে নয়।",
                "{n}: write Bangla in plain strings and comments only, not in raw strings or names.",
                n=name,
            )
        )
    return escaped
