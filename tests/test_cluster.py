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
    """Start two workers, and one that says it has a GPU; that one lacks bubblewrap, so that its records tell it from the others."""
    with closing(Cluster(tmp_path_factory.mktemp("cluster"))) as cluster:
        cluster.worker()
        cluster.worker()
        cluster.worker("--resources", "GPU=1", path=FEW_COMMANDS)
        yield cluster


@pytest.fixture(scope="module")
def local(root: Path) -> Path:
    """Return the results of a run on this machine alone."""
    return finished(root, "local", "--jobs", "2")


def start(root: Path, out: str, *more: object, before: str = "") -> subprocess.Popen[str]:
    """Start `courselib grade`, after the lines `before` in the same Python."""
    lines = f"import sys\n{before}\nfrom courselib.cli import main\nmain(sys.argv[1:])"
    words = [sys.executable, "-c", lines, "grade", "class", "--out", out, *map(str, more)]
    pipe = subprocess.PIPE
    return subprocess.Popen(words, cwd=root, env=made.ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True)


def finished(root: Path, out: str, *more: object) -> Path:
    with start(root, out, *more) as process:
        _, complaint = process.communicate(timeout=240)
    assert process.returncode == 1, complaint  # the broken notebook needs a person
    assert "Traceback" not in complaint
    return root / out


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


def test_a_worker_killed_in_the_middle_costs_nothing(root: Path, cluster: Cluster, local: Path) -> None:
    out = root / "killed"
    with start(root, "killed", "--cluster", cluster.address) as process:
        assert 3 <= until(process, out, 3) < 2 * STUDENTS
        cluster.processes[1].kill()
        said, complaint = process.communicate(timeout=240)
    assert process.returncode == 1, complaint
    assert "Traceback" not in complaint
    assert "cluster: workers 2, slots 2" in said
    assert same(out, local)
    assert all(r["status"] in ("graded", "unreadable", "not_submitted") for r in rows(out))


def test_works_for_a_gpu_go_where_one_is_and_the_record_names_that_machine(root: Path, cluster: Cluster, local: Path) -> None:
    out = finished(root, "gpu", "--cluster", cluster.file)
    assert same(out, local)
    if sandbox.choose("auto")[0] != "namespaces":
        pytest.skip("without namespaces here all workers have the same walls, and nothing tells them apart")
    walls = {e: {r["machine"]["isolation"] for r in rows(out) if r["exercise"] == e} for e in ("first/greeting", "first/powers")}
    assert walls["first/greeting"] == {"process"}
    assert "namespaces" in walls["first/powers"]


def test_a_stopped_driver_goes_on_where_it_was(root: Path, cluster: Cluster, local: Path) -> None:
    out, kept = root / "stopped", 0
    for stop in (signal.SIGINT, signal.SIGKILL):
        with start(
            root, "stopped", "--cluster", cluster.address, before="import signal; signal.signal(2, signal.default_int_handler)"
        ) as process:
            assert kept < until(process, out, kept + 3) < 2 * STUDENTS
            process.send_signal(stop)
            said, complaint = process.communicate(timeout=60)
        assert (process.returncode, said) == (130 if stop == signal.SIGINT else -9, "")
        assert "Traceback" not in complaint
        kept = stored(out)
    with start(root, "stopped", "--cluster", cluster.address) as process:
        said, _ = process.communicate(timeout=240)
    assert f"{kept} were graded before" in said
    assert same(out, local)


@pytest.mark.parametrize(
    ("before", "more", "sentence"),
    [
        (
            "sys.modules['distributed'] = None",
            ["tcp://127.0.0.1:9"],
            r"--cluster needs Dask \(.*\); run: pip install 'courselib\[cluster\]'",
        ),
        (
            "from courselib.cluster import joining; joining.REACH = 1",
            ["tcp://127.0.0.1:9"],
            r"--cluster tcp://127.0.0.1:9: no Dask scheduler answers there \(.*\); check the address, such as tcp://10.0.0.1:8786\.",
        ),
        ("", ["nonsense"], r"--cluster nonsense: no Dask scheduler answers there \(.*\); check the address, .*"),
        (
            "from courselib.keep import keys; had = keys.versions(); keys.versions = lambda: had | {'torch': '1.0.0'}",
            ["ADDRESS"],
            r"tcp://\S+: its torch is [\d.]+, the driver's is 1\.0\.0; install the same on every machine\.",
        ),
        (
            "from pathlib import Path; p = Path('solutions/first/powers.py'); t = p.read_text(); p.write_text(t.replace('2 * n', 'n'))",
            ["ADDRESS"],
            r"tcp://\S+: powers\.py: the reference solution itself does not pass the check “double doubles”: .*",
        ),
        (
            "",
            ["ADDRESS", "--require", "cuda"],
            r"--require cuda: no worker of the cluster has it; start one with a GPU \(--resources GPU=1\), or leave the option out\.",
        ),
    ],
)
def test_what_is_amiss_is_one_sentence(root: Path, cluster: Cluster, tmp_path: Path, before: str, more: list[str], sentence: str) -> None:
    solution = root / "solutions" / "first" / "powers.py"
    had = solution.read_text(encoding="utf-8")
    words = [cluster.address if word == "ADDRESS" else word for word in more]
    try:
        with start(root, str(tmp_path / "out"), "--cluster", *words, before=before) as process:
            said, complaint = process.communicate(timeout=120)
    finally:
        solution.write_text(had, encoding="utf-8")
    assert (process.returncode, said) == (2, "")
    found, *told = complaint.splitlines()
    assert found.startswith("found: ")
    assert len(told) == 1, complaint
    assert re.fullmatch(f"courselib: {sentence}", told[0])


def test_a_cluster_without_workers_is_not_waited_for_for_ever(root: Path, tmp_path: Path) -> None:
    with closing(Cluster(tmp_path)) as empty:
        before = "from courselib.cluster import posts; posts.ARRIVE = 1"
        with start(root, str(tmp_path / "out"), "--cluster", empty.address, before=before) as process:
            said, complaint = process.communicate(timeout=120)
    assert (process.returncode, said) == (2, "")
    assert complaint.splitlines()[1:] == [
        "courselib: the cluster has had no worker for 1 seconds; start workers and run again: what is graded is kept."
    ]
