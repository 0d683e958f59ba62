from __future__ import annotations

import os
import platform
from glob import glob
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from conftest import ROOT, Grade

from courselib import sandbox
from courselib.checks import check
from courselib.trouble import Trouble
from courselib.worker import seccomp

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
    listed = reach(lambda: os.listdir("/proc"))
    processes = [str(n) for n in range(1, 100_000)] if listed == "PermissionError" else [e for e in listed if e.isdigit()]
    mine = str(os.getpid()), os.readlink("/proc/self")  # in its own namespace, and in that of the /proc it sees
    peeked = [e for e in processes if e not in mine and reach(lambda: open(f"/proc/{e}/environ", "rb").close()) is True]
    return {
        "environment": sorted(os.environ), "home": os.path.expanduser("~"), "folder": os.listdir("."), "peeked": peeked,
        "uid": os.getuid(), "capabilities": [l.split()[1] for l in open("/proc/self/status") if l.startswith("CapEff")],
        "descriptors": sorted(int(fd) for fd in os.listdir("/proc/self/fd")) if os.access("/proc/self/fd", os.R_OK) else [],
        "modules": [m for m in sys.modules if m.startswith("courselib")], "path": [p for p in sys.path if "courselib" in p],
    }

def imports(names):
    return {n: reach(lambda: __import__(n, fromlist=["x"])) for n in names}
"""


CALLS = """
import ctypes, fcntl, os, resource, signal, socket

libc = ctypes.CDLL(None, use_errno=True)

def call(*args):
    ctypes.set_errno(0)
    return -1 if libc.syscall(*args) == -1 and ctypes.get_errno() == 1 else ctypes.get_errno() or "done"

def raw(numbers):
    return {name: call(number, 0, 0, 0, 0, 0, 0) for name, number in numbers.items()}

def refused(what, *args):
    try:
        what(*args)
    except OSError as error:
        return type(error).__name__
    return "done"

def meddle(pid, path):
    read, _ = os.pipe()
    one, _ = socket.socketpair()
    return {
        "limits": refused(resource.prlimit, pid, resource.RLIMIT_CPU, (1, 1)),
        "core": refused(os.sched_setaffinity, pid, {0}),
        "priority": refused(os.setpriority, os.PRIO_PROCESS, pid, 19),
        "user's priority": refused(os.setpriority, os.PRIO_USER, os.getuid(), 19),
        "owner": refused(fcntl.fcntl, read, fcntl.F_SETOWN, pid),
        "socket's owner": refused(fcntl.ioctl, one, 0x8901, pid.to_bytes(4, "little")),
        "local socket": refused(socket.socket, socket.AF_UNIX),
        "truncate": refused(os.truncate, path, 0),
        "mode": refused(os.chmod, path, 0),
        "time": refused(os.utime, path),
        "command": refused(open, f"/proc/{pid}/cmdline"),
        "status": refused(open, f"/proc/{pid}/status"),
    }

def ordinary():
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    os.kill(os.getpid(), 0)
    pid = os.fork()
    if pid == 0:
        os._exit(7)
    import subprocess, threading
    thread = threading.Thread(target=lambda: None)
    thread.start(); thread.join()
    one, two = socket.socketpair()
    one.send(b"x")
    with open("a", "w") as file:
        file.truncate(10)
    os.truncate("a", 3); os.rename("a", "b"); os.mkdir("c"); os.rename("b", "c/b")
    ended = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return [ended, subprocess.run(["/bin/true"]).returncode, os.stat("c/b").st_size, len(two.recv(2))]

def places():
    found = {}
    for folder, _, _ in os.walk("/"):
        if folder.startswith(("/proc", "/sys")):
            continue
        try:
            open(folder + "/probe", "w").close()
            os.unlink(folder + "/probe")
            found[folder] = os.statvfs(folder).f_blocks * os.statvfs(folder).f_frsize
        except OSError:
            pass
    return found
"""


def ask_for(put: Grade, function: str, *args: object) -> Any:
    told: list[Any] = []
    bodies = {
        "raw": lambda raw: told.append(raw(*args)),
        "meddle": lambda meddle: told.append(meddle(*args)),
        "ordinary": lambda ordinary: told.append(ordinary()),
        "places": lambda places: told.append(places()),
    }
    record = put(CALLS, check("part", 1, bn="ডাকে", en="calls")(bodies[function]))
    assert record.score == 1, record.checks[0].message
    return told[0]


def numbers(*tables: dict[str, seccomp.Numbers]) -> dict[str, int]:
    column = seccomp.ARCHITECTURES[platform.machine()][0]
    return {name: number[column] for table in tables for name, number in table.items() if number[column] >= 0}


def test_calls_that_no_answer_needs_are_refused(put: Grade, zygote: sandbox.Zygote) -> None:
    bare = zygote.isolation == "process"
    tried = numbers(seccomp.EVERYWHERE, seccomp.WITHOUT_NAMESPACES if bare else {})
    if glob("/dev/nvidia[0-9]*"):
        tried = {name: number for name, number in tried.items() if name not in seccomp.DRIVERS}
    told = ask_for(put, "raw", tried)
    assert len(told) >= 25
    assert set(told.values()) == {-1}, told


def test_no_other_process_and_no_file_can_be_meddled_with(put: Grade, zygote: sandbox.Zygote, secret: Path) -> None:
    secret.chmod(0o666)  # only the walls stand before it
    told = ask_for(put, "meddle", os.getpid(), str(secret))
    names = {"local socket", "owner", "socket's owner", "user's priority"} if zygote.isolation == "namespaces" else set()
    left = {what: how for what, how in told.items() if what not in names}  # these reach nobody in a namespace
    assert set(left.values()) <= {"PermissionError", "ProcessLookupError", "FileNotFoundError", "OSError"}, told
    assert secret.read_text(encoding="utf-8") == "secret"


def test_what_ordinary_programs_do_is_not_refused(put: Grade) -> None:
    assert ask_for(put, "ordinary") == [7, 0, 3, 1]


def test_a_worker_writes_in_its_own_places_only_and_each_is_small(put: Grade, zygote: sandbox.Zygote) -> None:
    told = ask_for(put, "places")
    if zygote.isolation == "namespaces":
        assert {place for place in told if not place.startswith("/tmp/")} == {"/tmp", "/dev/shm", sandbox.FOLDER}
        assert all(size <= 64 * 2**20 for size in told.values())
    else:
        assert len(told) <= 1  # it cannot even list the way to its own


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


def _living(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except OSError:
        return False


def test_a_sandbox_closed_while_it_is_being_built_leaves_nothing_behind() -> None:
    if sandbox.choose("auto")[0] != "namespaces":
        pytest.skip(f"no namespaces on this machine: {sandbox.choose('auto')[1]}")
    started = sandbox.start(1, "namespaces")
    pid = started.process.pid
    while not (children := Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
        assert started.process.poll() is None
    started.close()
    deadline = monotonic() + 10
    while any(map(_living, children)) and monotonic() < deadline:
        sleep(0.02)
    assert not any(map(_living, children))
