from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Grade

from courselib import sandbox
from courselib.checks import check
from courselib.trouble import Trouble

TRY = """
import os, socket, sys

def reach(call):
    try:
        return call() or True
    except BaseException as error:
        return type(error).__name__

def connect(host):
    socket.create_connection((host, 9), timeout=1)

def tries(files):
    found = {f"open {f}": reach(lambda: open(f).read()[:1]) for f in files}
    found |= {f"list {f}": reach(lambda: os.listdir(os.path.dirname(f))) for f in files}
    found["kill all"] = reach(lambda: os.kill(-1, 0))
    found["network"] = reach(lambda: connect("192.0.2.1"))
    found["this machine"] = reach(lambda: connect("127.0.0.1"))
    return found

def around():
    processes = [e for e in os.listdir("/proc") if e.isdigit()]
    peeked = [e for e in processes if int(e) != os.getpid() and reach(lambda: open(f"/proc/{e}/mem", "rb").read(1)) is True]
    return {
        "environment": sorted(os.environ), "home": os.path.expanduser("~"), "folder": os.listdir("."), "peeked": peeked,
        "uid": os.getuid(), "capabilities": [l.split()[1] for l in open("/proc/self/status") if l.startswith("CapEff")],
        "descriptors": sorted(int(fd) for fd in os.listdir("/proc/self/fd")) if os.access("/proc/self/fd", os.R_OK) else [],
        "modules": [m for m in sys.modules if m.startswith("courselib")], "path": [p for p in sys.path if "courselib" in p],
    }

def imports(names):
    return {n: reach(lambda: __import__(n, fromlist=["x"])) for n in names}
"""


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file that anybody on this machine may read."""
    path = tmp_path / "secret.txt"
    path.write_text("secret", encoding="utf-8")
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o755)
    return path


def ask(put: Grade, function: str, *args: object) -> dict[str, Any]:
    told: dict[str, Any] = {}
    look = check("part", 1, bn="দেখে", en="looks around")(_taking(function, args, told))
    record = put(TRY, look)
    assert record.score == 1, record.checks[0].message
    return told


def _taking(function: str, args: tuple[object, ...], told: dict[str, Any]) -> Any:
    bodies = {
        "tries": lambda tries: told.update(tries(*args)),
        "around": lambda around: told.update(around(*args)),
        "imports": lambda imports: told.update(imports(*args)),
    }
    return bodies[function]


def test_no_file_of_this_machine_can_be_opened(put: Grade, secret: Path) -> None:
    files = [str(secret), str(ROOT / "course.yaml"), str(ROOT / "solutions/timing/cuda_ms.py"), str(ROOT / "src/courselib/judge.py")]
    told = ask(put, "tries", files)
    for name in files:
        assert told[f"open {name}"] in ("FileNotFoundError", "PermissionError"), (name, told)
        assert Path(name).name not in told[f"list {name}"], (name, told)


def test_nobody_can_be_signalled_and_nothing_reached(put: Grade, zygote: sandbox.Zygote) -> None:
    told = ask(put, "tries", [])
    assert told["kill all"] in ("PermissionError", "ProcessLookupError")
    assert told["network"] == "OSError"
    assert told["this machine"] in ("OSError", "ConnectionRefusedError")


def test_a_worker_has_nothing_but_its_folder(put: Grade) -> None:
    told = ask(put, "around")
    set_by_torch = {name for name in told["environment"] if name.startswith("TORCH")}  # its compiler names its own cache
    assert set(told["environment"]) - {"LC_CTYPE"} - set_by_torch <= set(sandbox.ENVIRONMENT) | {"PWD"}
    assert told["folder"] == []
    assert told["peeked"] == []
    assert set(told["capabilities"]) == {"0000000000000000"}
    assert told["uid"] != 0
    assert len(told["descriptors"]) <= 12


def test_what_computes_expected_values_cannot_be_imported(put: Grade) -> None:
    names = ["oracles", "oracles.memory", "oracles.gpu", "judge", "checks", "grader", "slot"]
    told = ask(put, "imports", [f"courselib.{n}" for n in names])
    assert set(told.values()) == {"ModuleNotFoundError"}, told


def test_asking_for_namespaces_where_there_are_none_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox.shutil, "which", lambda name: None)
    sandbox.choose.cache_clear()
    try:
        with pytest.raises(Trouble, match="bubblewrap is not installed"):
            sandbox.choose("namespaces")
        kind, note = sandbox.choose("auto")
        assert kind == "process"
        assert "bubblewrap is not in use (bubblewrap is not installed)" in note.en
    finally:
        sandbox.choose.cache_clear()


def test_a_closed_zygote_leaves_no_folder_and_no_process() -> None:
    zygote = sandbox.start(1, "process")
    folder = Path(zygote.folder.name) if zygote.folder else Path("/")
    assert folder.is_dir()
    zygote.close()
    assert not folder.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(zygote.process.pid, 0)
