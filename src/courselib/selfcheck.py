"""`courselib check`: a student's own files against the public checks, on any machine.

Nothing here needs Linux: the worker is an ordinary Python process, reached over a local socket.
"""

from __future__ import annotations

import secrets
import socket
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from courselib.checks import CheckFile, load_checks
from courselib.course import Course, Exercise
from courselib.grader import Bench, Work, grade, here
from courselib.paths import SUFFIXES
from courselib.record import Record, Verdict
from courselib.slot import STARTUP_SECONDS, Slot, Worker
from courselib.text import say
from courselib.trouble import Trouble
from courselib.worker.wire import Channel

START = "from courselib.worker.alone import main; main({port}, {token!r}, {folder!r})"
MARKS = {"passed": "[green]✓[/]", "deferred": "[yellow]…[/]"}


class LocalSlot(Slot):
    """A slot without a zygote: each worker is a fresh Python process of this user."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.living: dict[int, subprocess.Popen[bytes]] = {}

    def spawn(self, warm: Sequence[str] = ()) -> Worker:
        """Start a Python process and wait until it has called back."""
        token = secrets.token_hex(16)
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(STARTUP_SECONDS)
            start = START.format(port=server.getsockname()[1], token=token, folder=str(self.folder))
            quiet = subprocess.DEVNULL
            process = subprocess.Popen([sys.executable, "-c", start], stdin=quiet, stdout=quiet, stderr=quiet)
            self.living[process.pid] = process
            while True:
                link, _ = server.accept()
                link.settimeout(10)
                if link.recv(len(token)).decode("ascii", "replace") == token:
                    return Worker(self, Channel(link), process.pid)
                link.close()

    def kill(self, pid: int) -> None:
        """Kill the process."""
        self.living[pid].kill()

    def ended(self, pid: int) -> int:
        """Wait for the process; return how it has ended."""
        return self.living[pid].wait()


@dataclass
class Found:
    """A student's file and the exercise it answers."""

    exercise: Exercise
    path: Path
    record: Record | None = field(default=None)


def check(course: Course, files: list[Path]) -> int:
    """Check `files` (or every file of an exercise found here); 0 where all public checks passed."""
    console = Console(highlight=False, soft_wrap=True)
    full = True
    for found in _find(course, files):
        checks = load_checks(course.tree.checks(found.exercise.id))
        record = _checked(found, checks)
        _show(console, found, record, checks)
        full = full and all(v.outcome in MARKS for v in record.checks) and record.status == "graded"
    return 0 if full else 1


def _find(course: Course, files: list[Path]) -> list[Found]:
    if files:
        return [Found(course.named(f.stem), _there(f)) for f in files]
    found = []
    for exercise in course.exercises.values():
        beside = [Path(f"{exercise.name}{s}") for s in SUFFIXES]
        path = next((p for p in [*beside, course.tree.stub(exercise.id)] if p.is_file()), None)
        if path:
            found.append(Found(exercise, path))
    return found


def _there(path: Path) -> Path:
    if not path.is_file():
        raise Trouble(say("{p} নেই।", "{p} does not exist.", p=path))
    return path


def _checked(found: Found, checks: CheckFile) -> Record:
    slot = LocalSlot(found.path.resolve().parent)
    bench = Bench(checks, max(found.exercise.seconds, 30), "")  # a student's laptop may be slow
    work = Work("", found.exercise.id, found.path.name, found.path.read_bytes())
    return grade(work, bench, slot, here("none"), hidden=False)


def _show(console: Console, found: Found, record: Record, checks: CheckFile) -> None:
    console.print(f"\n[bold]{escape(found.exercise.id)}[/]  {escape(str(found.path))}")
    if record.message:
        console.print(f"  {escape(record.message)}")
    for verdict in record.checks:
        _line(console, verdict)
    shown = sum(v.points for v in record.checks)
    console.print(escape(str(say("  {s:g}/{p:g} নম্বর", "  {s:g}/{p:g} points", s=record.score, p=shown))))
    hidden = record.possible - shown
    if hidden:
        text = say(
            "  আরও {n}টি check ({p:g} নম্বর) জমা দেওয়ার পরে চলবে।",
            "  {n} more checks ({p:g} points) run when you hand in.",
            n=checks.hidden_count,
            p=hidden,
        )
        console.print(escape(str(text)))
    if any(v.outcome not in MARKS for v in record.checks):
        console.print(escape(str(say("  ভেবে দেখো: {h}", "  Think about: {h}", h=found.exercise.hint))))


def _line(console: Console, verdict: Verdict) -> None:
    console.print(f"  {MARKS.get(verdict.outcome, '[red]✗[/]')} {escape(verdict.name)} ({verdict.points:g})")
    if verdict.message:
        console.print(f"      {escape(verdict.message)}")
