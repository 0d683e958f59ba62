"""Whatever ends a run at whatever moment, the next one finishes it, and nobody can tell the two apart.

`COURSELIB_TEST_KILLS=200` tries that many moments of each kind instead of a few.
"""

from __future__ import annotations

import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import made
import postgres
import pytest
from fake import EXERCISES, Run, lasting, python, rows, stored, works
from sqlalchemy import func, select

from courselib import results
from courselib.keep import marking
from courselib.keep.folder import FILE, NOTE, open_store
from courselib.keep.marking import Wish
from courselib.keep.tables import Kept
from courselib.trouble import Trouble

MANY = int(os.environ.get("COURSELIB_TEST_KILLS", "0"))
STUDENTS = 12
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a class is graded on Linux")

# ---------------------------------------------------------------------------------------------------------------
# The whole program, killed from outside at random moments


@dataclass
class Class:
    """A course and a class of twelve, and how an uninterrupted run of it went."""

    root: Path
    seconds: float

    def start(self, out: str, *more: str, limit: int = 0) -> subprocess.Popen[bytes]:
        """Start `courselib grade`; with `limit`, no file may grow beyond so many bytes, as on a disk that is full."""
        line = [sys.executable, "-m", "courselib", "grade", "class", "--out", out, "--jobs", "2", "--exercise", "greeting", *more]
        pipe = subprocess.PIPE
        hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]

        def before() -> None:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's background job starts with it ignored, and so would this
            if limit:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))

        return subprocess.Popen(line, cwd=self.root, env=made.ENVIRONMENT, stdout=pipe, stderr=pipe, preexec_fn=before)

    def finish(self, out: str, *more: str) -> str:
        """Run it to its end and return what it said."""
        with self.start(out, *more) as process:
            said, complaint = process.communicate(timeout=240)
        assert process.returncode == 0, complaint.decode()
        return said.decode()


@pytest.fixture(scope="module")
def class_(tmp_path_factory: pytest.TempPathFactory) -> Class:
    root = made.course(tmp_path_factory.mktemp("course"))
    for n in range(STUDENTS):  # each takes a while, so that a kill finds the class half graded
        greeting = "'hello '" if n % 3 else "'bye '"
        made.write(
            root / "class" / f"s{n:02d}" / "greeting.py",
            f"import time\ntime.sleep(0.3)\n\n\ndef greet(name):\n    return {greeting} + name\n",
        )
    whole = Class(root, 0)
    began = time.monotonic()
    assert "were graded before" not in whole.finish("whole")
    whole.seconds = time.monotonic() - began
    return whole


def tree(pid: int) -> list[int]:
    """Return a process and all under it, the sandbox and its workers too."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
        below = [int(c) for task in tasks for c in (task / "children").read_text().split()]
    except FileNotFoundError:
        return []
    return [pid, *(p for child in below for p in tree(child))]


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a run's whole process tree at once."""
    for pid in tree(process.pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
    process.communicate(timeout=60)


def skipped(said: str) -> int:
    found = re.search(r"(\d+) were graded before and have not changed\.", said)
    return int(found[1]) if found else 0


def test_killed_again_and_again_at_any_moment_a_class_is_finished_as_if_nothing_had_been(class_: Class) -> None:
    chance = random.Random(5)
    kept = 0
    for n in range(MANY or 4):
        process = class_.start("killed")
        if n % 2:  # at any moment, of the start too
            time.sleep(chance.uniform(0, class_.seconds))
        else:  # when a few more are graded
            wanted = min(kept + chance.randint(1, 4), STUDENTS)
            while process.poll() is None and stored(class_.root / "killed") < wanted:
                time.sleep(0.01)
            time.sleep(chance.uniform(0, 0.3))
        kill(process)
        now = stored(class_.root / "killed")
        assert now >= kept
        kept = now
    assert kept > 0
    assert skipped(class_.finish("killed")) == kept
    assert lasting(class_.root / "killed") == lasting(class_.root / "whole")


def test_ctrl_c_keeps_what_is_graded(class_: Class) -> None:
    out = class_.root / "stopped"
    process = class_.start("stopped")
    while process.poll() is None and stored(out) < 3:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    said, complaint = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, b"")
    assert b"Traceback" not in complaint
    assert not (out / "results.jsonl").exists()
    kept = stored(out)
    assert 3 <= kept < STUDENTS
    assert skipped(class_.finish("stopped")) == kept
    assert lasting(out) == lasting(class_.root / "whole")


def test_a_full_disk_is_one_sentence_and_room_again_is_all_it_takes(class_: Class) -> None:
    with class_.start("full", limit=100_000) as process:
        said, complaint = process.communicate(timeout=120)
    assert (process.returncode, said) == (2, b"")
    told = r"courselib: \S*store\.sqlite: it cannot be written \(.*\); make room and run again: what is graded is kept\."
    assert re.fullmatch(told, complaint.decode().splitlines()[-1])
    assert b"Traceback" not in complaint
    kept = stored(class_.root / "full")
    assert 0 < kept < STUDENTS
    assert skipped(class_.finish("full")) == kept
    assert lasting(class_.root / "full") == lasting(class_.root / "whole")


def shared(out: Path) -> int:
    """Return how many records a department's store holds of the class in `out`."""
    if not (out / NOTE).exists():
        return 0
    with closing(open_store(out)) as store, store.engine.begin() as connection:
        return connection.execute(select(func.count()).where(Kept.class_ == store.class_)).scalar_one()


def test_a_department_keeps_a_class_in_postgresql_and_fresh_grades_it_again(class_: Class) -> None:
    with postgres.server() as url:
        out = class_.root / "shared"
        process = class_.start("shared", "--store", url)
        while process.poll() is None and shared(out) < 3:
            time.sleep(0.05)
        kill(process)
        kept = skipped(class_.finish("shared"))
        assert 0 < kept < STUDENTS
        assert lasting(out) == lasting(class_.root / "whole")
        assert skipped(class_.finish("shared", "--fresh")) == 0
        assert lasting(out) == lasting(class_.root / "whole")
        assert not (out / FILE).exists()


# ---------------------------------------------------------------------------------------------------------------
# The keeping alone, killed from within after any line of ours or of the database's engine

NURSERY = """
import os, signal, sys
from pathlib import Path
import fake
from courselib import results
from courselib.keep import marking
results.EVERY, results.SECONDS = 5, 3600.0  # by number only: a slow machine is no reason for another commit
OURS = ("/courselib/", "/sqlalchemy/engine/")

def dying(left):
    def count(frame, event, arg):
        nonlocal left
        if event == "line":
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        return count
    sys.settrace(lambda frame, event, arg: count if any(o in frame.f_code.co_filename for o in OURS) else None)
    return lambda: left

for folder, after in zip(sys.argv[1::2], map(int, sys.argv[2::2])):
    if not os.fork():
        left = dying(after)
        DO
        sys.settrace(None)
        print(after - left(), flush=True)
        os._exit(0)
    if os.wait()[1] == signal.SIGKILL:
        print(0, flush=True)
"""
GRADE = "fake.Run()(Path(folder), fake.works(12))"
MARK = "marking.mark(Path(folder), marking.Wish('s03', 'late', points='1'))"


def deaths(do: str, *moments: tuple[Path, int]) -> list[int]:
    """Do something in each folder and die after so many lines; return how many lines it took where it lived, else 0."""
    words = [word for moment in moments for word in moment]
    with python(NURSERY.replace("DO", do), *words) as process:
        said = process.communicate(timeout=240)[0].decode()
    assert process.returncode == 0
    return [int(line) for line in said.splitlines() if line.isdigit()]


def spread(most: int, count: int) -> list[int]:
    """Return `count` moments, one at random from each stretch of `most` lines."""
    chance = random.Random(7)
    return [chance.randrange(n * most // count, (n + 1) * most // count) + 1 for n in range(count)]


def test_after_any_line_of_ours_a_kill_costs_nothing(tmp_path: Path) -> None:
    (lines,) = deaths(GRADE, (tmp_path / "whole", 10**9))
    whole = lasting(tmp_path / "whole")
    moments = [(tmp_path / str(n), n) for n in spread(lines, MANY or 24)]
    assert deaths(GRADE, *moments) == [0] * len(moments)
    kept = []
    for folder, _ in moments:
        kept.append(stored(folder))
        assert len(Run()(folder, works(12)).graded) == 24 - kept[-1]
        assert lasting(folder) == whole
    assert {0, 24} < set(kept) <= {0, 5, 10, 15, 20, 24}


def test_a_kill_leaves_the_earlier_results_or_the_new_ones_and_never_loses_a_mark(tmp_path: Path) -> None:
    def earlier(folder: Path) -> tuple[bytes, ...]:
        Run()(folder, works(12, s05=b"old"))
        marking.mark(folder, Wish("s03", "late", points="1"))
        return tuple(sorted((folder / name).read_bytes() for name in names))

    names = ("results.jsonl", "grades.csv", "checks.csv")
    earlier(tmp_path / "whole")
    (lines,) = deaths(GRADE, (tmp_path / "whole", 10**9))
    whole = {name: (tmp_path / "whole" / name).read_bytes() for name in names[1:]}
    moments = [(tmp_path / str(n), n) for n in spread(lines, MANY or 10)]
    before = {folder: earlier(folder) for folder, _ in moments}
    assert deaths(GRADE, *moments) == [0] * len(moments)
    for folder, _ in moments:
        for name in names[1:]:
            assert (folder / name).read_bytes() in (*before[folder], whole[name])
        assert len((folder / names[0]).read_bytes().splitlines()) == 24
        Run()(folder, works(12))
        assert {name: (folder / name).read_bytes() for name in names[1:]} == whole
        assert rows(folder)["s03", EXERCISES[0]]["score"] == 1


def test_a_mark_is_given_whole_or_not_at_all(tmp_path: Path) -> None:
    Run()(tmp_path / "whole", works(12))
    without = lasting(tmp_path / "whole")
    (lines,) = deaths(MARK, (tmp_path / "whole", 10**9))
    marked = lasting(tmp_path / "whole")[:2]
    moments = [(tmp_path / str(n), n) for n in spread(lines, MANY or 10)]
    for folder, _ in moments:
        Run()(folder, works(12))
    assert deaths(MARK, *moments) == [0] * len(moments)
    given = []
    for folder, _ in moments:
        assert Run()(folder, works(12)).graded == []
        given.append("manual" in rows(folder)["s03", EXERCISES[0]])
        assert lasting(folder)[:2] == (marked if given[-1] else without[:2])
    assert given == sorted(given)
    assert set(given) == {False, True}


# ---------------------------------------------------------------------------------------------------------------
# Disks that are full at any point


@contextmanager
def small_files(size: int) -> Iterator[None]:
    """Let no file of this process grow beyond `size` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def small_disk(folder: Path, size: int) -> Iterator[None]:
    """Make `folder` a disk of `size` bytes, and in the end one with room."""
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder], capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"no disk can be mounted here: {done.stderr.decode().strip()}")
    try:
        yield
    finally:
        subprocess.run(["mount", "-o", "remount,size=64m", folder], check=True)


Small = Callable[[Path, int], "contextmanager[None]"]


@pytest.mark.parametrize("kind", ["files", "disk"])
@pytest.mark.parametrize("size", [8, 40, 56, 72, 88, 104, 136, 200])
def test_wherever_the_disk_is_full_it_is_told_and_finished_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, size: int
) -> None:
    monkeypatch.setattr(results, "EVERY", 5)
    Run()(tmp_path / "whole", works(40))
    folder = tmp_path / "small"
    folder.mkdir()
    small = small_files(size << 10) if kind == "files" else small_disk(folder, size << 10)
    told = ""
    try:
        with small:
            try:
                Run()(folder, works(40))
            except Trouble as trouble:
                told = str(trouble)
        assert re.search(r"it cannot be written \(.*\); make room and run again", told), told
        kept = stored(folder)
        assert len(Run()(folder, works(40)).graded) == 80 - kept
        assert lasting(folder) == lasting(tmp_path / "whole")
    finally:
        if os.path.ismount(folder):
            subprocess.run(["umount", "-l", folder], check=True)


def test_a_store_half_made_is_made_whole(tmp_path: Path) -> None:
    for content in (b"", None):
        folder = tmp_path / str(content)
        folder.mkdir()
        if content is not None:
            (folder / FILE).write_bytes(content)
        assert len(Run()(folder, works(2)).graded) == 4
