"""A class on a real cluster: several workers, one of them killed in the middle, and a driver stopped and started again."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import made
import pytest
from fake import stored
from made_cluster import Cluster

from courselib import sandbox
from courselib.cluster import joining, parcel
from courselib.course import load_course
from courselib.trouble import Trouble

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a class is graded on Linux")
STUDENTS = 10
ON_A_GPU = """

@check("greet", 1, requires="cuda", bn="GPU-তেও", en="on a GPU too")
def greets_there(greet):
    judge.equal(greet("GPU"), "hello GPU", "greet")
"""
FEW_COMMANDS = "/nowhere"  # a path without bubblewrap


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small course of which one exercise has a check for a GPU, and a class that takes its time."""
    root = made.course(tmp_path_factory.mktemp("course"))
    made.write(root / "autograder" / "first" / "greeting.py", made.GREETING_CHECKS + ON_A_GPU)
    for n in range(STUDENTS):
        folder = root / "class" / f"s{n:02d}"
        wait = "import time\n\ntime.sleep(0.3)\n"
        made.write(folder / "greeting.py", f"{wait}\n\ndef greet(name):\n    return {'hello ' if n % 3 else 'bye '!r} + name\n")
        made.write(folder / "powers.py", wait + (made.RIGHT if n % 4 else made.POWERS.replace("2 * n", "n")))
    made.write(root / "class" / "broken" / "powers.ipynb", '{"cells": [')
    return root


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Start a worker, and one that says it has a GPU; that one lacks bubblewrap, so that its records tell it from the other."""
    with closing(Cluster(tmp_path_factory.mktemp("cluster"))) as cluster:
        cluster.worker()
        cluster.worker("--resources", "GPU=1", path=FEW_COMMANDS)
        yield cluster


@pytest.fixture(scope="module")
def local(root: Path) -> Path:
    """Return the results of a run on this machine alone."""
    finished(root, "local", "--jobs", "2")
    return root / "local"


def start(root: Path, out: str, *more: object, before: str = "") -> subprocess.Popen[str]:
    """Start `courselib grade`, after the lines `before` in the same Python."""
    lines = f"import sys\n{before}\nfrom courselib.cli import main\nmain(sys.argv[1:])"
    words = [sys.executable, "-c", lines, "grade", "class", "--out", out, *map(str, more)]
    pipe = subprocess.PIPE
    return subprocess.Popen(words, cwd=root, env=made.ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True)


def finished(root: Path, out: str, *more: object) -> str:
    """Run it to its end and return what it said."""
    with start(root, out, *more) as process:
        said, complaint = process.communicate(timeout=240)
    assert process.returncode == 1, complaint  # the broken notebook needs a person
    assert "Traceback" not in complaint
    return said


def until(process: subprocess.Popen[str], out: Path, count: int) -> int:
    """Wait until so many records are stored; return how many there are."""
    while stored(out) < count:
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    return stored(out)


def rows(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (out / "results.jsonl").read_text(encoding="utf-8").splitlines()]


def same(ours: Path, theirs: Path) -> bool:
    """Tell whether two runs are equal to the byte, but for where and how quickly each work was graded."""
    tables = all((ours / n).read_bytes() == (theirs / n).read_bytes() for n in ("grades.csv", "checks.csv"))
    return tables and [r | {"machine": 0, "seconds": 0} for r in rows(ours)] == [r | {"machine": 0, "seconds": 0} for r in rows(theirs)]


def test_a_stopped_driver_goes_on_where_it_was_and_works_for_a_gpu_went_where_one_is(root: Path, cluster: Cluster, local: Path) -> None:
    out, kept = root / "stopped", 0
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # a shell's background job ignores it
    for stop, where in ((signal.SIGINT, cluster.address), (signal.SIGKILL, cluster.file)):
        with start(root, "stopped", "--cluster", where, before=heed) as process:
            assert kept < until(process, out, kept + 3) < 2 * STUDENTS
            process.send_signal(stop)
            said, complaint = process.communicate(timeout=60)
        assert (process.returncode, said) == (130 if stop == signal.SIGINT else -9, "")
        assert "Traceback" not in complaint
        kept = stored(out)
    assert f"{kept} were graded before" in finished(root, "stopped", "--cluster", cluster.address)
    assert same(out, local)
    if sandbox.choose("auto")[0] != "namespaces":
        pytest.skip("without namespaces here all workers have the same walls, and nothing tells them apart")
    walls = {e: {r["machine"]["isolation"] for r in rows(out) if r["exercise"] == e} for e in ("first/greeting", "first/powers")}
    assert walls["first/greeting"] == {"process"}
    assert "namespaces" in walls["first/powers"]


@pytest.mark.parametrize(
    ("theirs", "require", "sentence"),
    [
        (
            {"versions": {"torch": "1.0.0"}},
            None,
            r"tcp://\S+: its torch is [\d.]+, the driver's is 1\.0\.0; install the same on every machine\.",
        ),
        (
            {"files": {"solutions/first/powers.py": b"def double(n): return n"}},
            None,
            r"tcp://\S+: powers\.py: the reference solution itself does not pass the check “double doubles”: .*",
        ),
        (
            {},
            "cuda",
            r"--require cuda: no worker of the cluster has it; start one with a GPU \(--resources GPU=1\), or leave the option out\.",
        ),
    ],
)
def test_a_worker_that_cannot_grade_as_the_driver_would_is_refused(
    root: Path, cluster: Cluster, monkeypatch: pytest.MonkeyPatch, theirs: dict[str, Any], require: str | None, sentence: str
) -> None:
    def changed(*args: Any) -> Any:
        whole: Any = packed(*args)
        return whole | {name: whole[name] | value for name, value in theirs.items()}

    packed = parcel.packed
    monkeypatch.setattr(parcel, "packed", changed)
    course = load_course(root)
    with pytest.raises(Trouble) as told:
        joining.employ(course, ["first/powers"], cluster.address, "auto", require)
    assert re.fullmatch(sentence, str(told.value))


def test_a_worker_killed_in_the_middle_costs_nothing(root: Path, cluster: Cluster, local: Path) -> None:
    with start(root, "killed", "--cluster", cluster.address) as process:
        assert 3 <= until(process, root / "killed", 3) < 2 * STUDENTS
        cluster.processes[1].kill()
        said, complaint = process.communicate(timeout=240)
    assert process.returncode == 1, complaint
    assert "Traceback" not in complaint
    assert "cluster: workers 1, slots 1" in said
    assert same(root / "killed", local)


def test_a_cluster_without_workers_is_not_waited_for_for_ever(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from courselib.cluster import posts

    monkeypatch.setattr(posts, "ARRIVE", 1)
    with closing(Cluster(tmp_path)) as empty, pytest.raises(Trouble) as told:
        joining.employ(load_course(root), ["first/powers"], empty.address, "auto", None)
    assert str(told.value) == "the cluster has had no worker for 1 seconds; start workers and run again: what is graded is kept."


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("tcp://127.0.0.1:9", r"--cluster tcp://127\.0\.0\.1:9: no Dask scheduler answers there \(.+\); check the address, such as .*\."),
        ("nonsense", r"--cluster nonsense: no Dask scheduler answers there \(missing port .*\); check the address, such as .*\."),
        (__file__, r"--cluster .*: no Dask scheduler answers there \(Extra data.*\); check the address, such as .*\."),
    ],
)
def test_where_no_scheduler_answers_it_is_said(root: Path, monkeypatch: pytest.MonkeyPatch, address: str, sentence: str) -> None:
    monkeypatch.setattr(joining, "REACH", 1)
    with pytest.raises(Trouble) as told:
        joining.employ(load_course(root), ["first/powers"], address, "auto", None)
    assert re.fullmatch(sentence, str(told.value))


def test_without_dask_the_command_says_what_to_install(root: Path) -> None:
    with start(root, "none", "--cluster", "tcp://127.0.0.1:9", before="sys.modules['distributed'] = None") as process:
        said, complaint = process.communicate(timeout=120)
    assert (process.returncode, said) == (2, "")
    assert re.fullmatch(
        r"found: .*\ncourselib: --cluster needs Dask \(.*\); run: pip install 'courselib\[cluster\]'\n",
        complaint,
    )
