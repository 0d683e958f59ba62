"""Starting the zygote: in a bubblewrap sandbox where that works, as a plain process where it does not.

Nothing of the course, of other submissions or of this user is in the sandbox: a read-only Python, the
worker's own modules, an empty home, no network, an empty environment.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from glob import glob
from pathlib import Path
from typing import Literal

from courselib.limits import CPU_SECONDS, MEMORY, PROCESSES
from courselib.text import Text, say
from courselib.trouble import Trouble
from courselib.worker import landlock
from courselib.worker.sweep import sweep

Isolation = Literal["namespaces", "process"]

PACKAGE = Path(__file__).parent
NOBODY = 65534
OWN_USERS = 61_184  # the first of the users that root's workers turn into where there are no namespaces
ROOM = "/opt/courselib"  # where the worker's modules lie inside the sandbox
START = "import sys; sys.path.insert(0, {path!r}); from courselib.worker.zygote import main; main()"
CLOSING_SECONDS = 10
FOLDER = "/submission"  # where each worker finds its own empty folder
ALONE = ("-P", "-s")  # no current folder and no user's packages on the path; the environment is ours

ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/tmp",
    "IPYTHONDIR": "/tmp/.ipython",
    "LANG": "C.UTF-8",
    "PYTHONUTF8": "1",
    "PYTHONHASHSEED": "0",  # the order of a set must not differ between two runs
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONBREAKPOINT": "0",
    "MPLBACKEND": "Agg",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}


@dataclass
class Zygote:
    """A running zygote: one control socket for each slot that will ask it for workers."""

    process: subprocess.Popen[bytes]
    controls: list[socket.socket]
    isolation: Isolation
    note: Text
    folder: tempfile.TemporaryDirectory[str] | None = field(default=None)

    def close(self) -> None:
        """End the zygote and every worker it still has."""
        for control in self.controls:
            control.close()
        if self.isolation == "process":
            self._wait()  # it ends what it started; with namespaces the kernel does
        if self.process.poll() is None:  # its group: bubblewrap's own child, just forked, would wait for a dead parent for ever
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.folder:
            sweep(self.folder.name)
            self.folder.cleanup()

    def _wait(self) -> None:
        self.process.terminate()  # a zygote that is still importing ends at once; one that serves ignores it
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(CLOSING_SECONDS)


def start(slots: int, isolation: Isolation | Literal["auto"] = "auto", *, resident: bool | None = None) -> Zygote:
    """Start a zygote for `slots` slots; it imports torch while the caller goes on with its own work.

    `resident` leaves it at the memory that a worker and all it starts hold, and does not limit the addresses they map: so it must
    be with CUDA, which reserves far more than it uses. By default it is so where there is an NVIDIA device.
    """
    watched = bool(glob("/dev/nvidia[0-9]*")) if resident is None else resident
    chosen, note = choose(isolation)
    pairs = [socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET) for _ in range(slots)]  # one command, one message
    theirs = [b.fileno() for _, b in pairs]
    folder = None if chosen == "namespaces" else tempfile.TemporaryDirectory(prefix="courselib-")
    if folder:
        os.chmod(folder.name, 0o711)
    command = _walled() if chosen == "namespaces" else _bare(Path(folder.name))  # type: ignore[union-attr]
    setting = {
        "namespaces": chosen == "namespaces",
        "user": _user(chosen),
        "controls": theirs,
        "resident": MEMORY,
        "limits": _limits(chosen, addresses=not watched),
    }
    process = subprocess.Popen(
        [*command, json.dumps(setting)],
        pass_fds=theirs,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=_stderr(),
        env=ENVIRONMENT,
        cwd=folder.name if folder else "/",
        process_group=0,
    )
    for _, theirs_end in pairs:
        theirs_end.close()
    return Zygote(process, [ours for ours, _ in pairs], chosen, note, folder)


def _stderr() -> int | None:
    """Let the zygote's own complaints through where a developer asks for them."""
    return None if os.environ.get("COURSELIB_DEBUG") else subprocess.DEVNULL


def _limits(isolation: Isolation, *, addresses: bool) -> dict[str, int]:
    others = 0 if isolation == "namespaces" or _user(isolation) else _own_threads()  # the kernel counts by user
    return {
        "cpu_seconds": CPU_SECONDS,
        "memory": MEMORY if addresses else 0,
        "processes": PROCESSES + others,
        "file_bytes": 32 * 2**20,
        "open_files": 256,
    }


def _own_threads() -> int:
    """Count the threads of this user now."""
    mine = [p for p in Path("/proc").glob("[0-9]*/task/*") if _owner(p) == os.getuid()]
    return len(mine)


def _owner(path: Path) -> int:
    try:
        return path.stat().st_uid
    except OSError:
        return -1


@cache
def choose(asked: Isolation | Literal["auto"]) -> tuple[Isolation, Text]:
    """Return the isolation that this machine can give, and the line that says so in every report."""
    reason = None if asked == "process" else _why_not()
    if asked == "namespaces" and reason:
        raise Trouble(say("--isolation namespaces এখানে সম্ভব নয়: {r}", "--isolation namespaces is not possible here: {r}", r=reason))
    if asked != "process" and reason is None:
        return "namespaces", say(
            "isolation: bubblewrap আর kernel namespace (network, file, process আলাদা)",
            "isolation: bubblewrap and kernel namespaces (no network, no files, no other processes)",
        )
    return "process", say(
        "isolation: process-এর সীমা{user}{files}; bubblewrap চালু নেই{why}",
        "isolation: process limits{user}{files}; bubblewrap is not in use{why}",
        user=say(", আলাদা user", ", another user") if _user("process") else "",
        files=say(", file-এর বেড়া (Landlock)", ", a fence around files (Landlock)") if landlock.known() else "",
        why=f" ({reason})" if reason else "",
    )


def _why_not() -> str | None:
    """Return why namespaces cannot be had here; try the whole of it rather than guess."""
    if sys.platform != "linux":
        return sys.platform
    if not shutil.which("bwrap"):
        return "bubblewrap is not installed"
    trial = "import sys; sys.path.insert(0, {path!r}); from courselib.worker import walls; walls.try_all({user})"
    command = [*_wall(), sys.executable, *ALONE, "-c", trial.format(path=ROOM, user=_user("namespaces"))]
    try:
        done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired) as fault:
        return str(fault)
    return None if done.returncode == 0 else done.stderr.decode(errors="replace").strip().splitlines()[-1][:200]


def _user(isolation: Isolation) -> int:
    """Return the ordinary user that workers turn into when we are root, else 0."""
    if os.getuid() != 0:
        return 0
    return NOBODY if isolation == "namespaces" else OWN_USERS


def _walled() -> list[str]:
    return [*_wall(), sys.executable, *ALONE, "-c", START.format(path=ROOM)]


def _bare(folder: Path) -> list[str]:
    """Start without bubblewrap, from a copy of the worker's modules that holds nothing else."""
    room = folder / "courselib"
    shutil.copytree(PACKAGE / "worker", room / "worker", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(PACKAGE / "__init__.py", room)
    return [sys.executable, *ALONE, "-c", START.format(path=str(folder))]


def _wall() -> list[str]:
    args = ["bwrap", "--die-with-parent", "--new-session", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    args += ["--unshare-cgroup-try", "--hostname", "worker"]
    args += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"] if os.getuid() == 0 else ["--unshare-user"]
    args += ["--tmpfs", "/tmp", "--chmod", "1777", "/tmp", *_system(), *_python(), "--proc", "/proc", "--dev", "/dev"]
    for device in glob("/dev/nvidia*"):
        args += ["--dev-bind-try", device, device]
    return [*args, "--dir", FOLDER, "--chdir", FOLDER, "--remount-ro", "/dev", "--remount-ro", "/", "--"]


def _system() -> list[str]:
    args = ["--ro-bind", "/usr", "/usr"]
    args += ["--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"]
    for name in ("/bin", "/sbin", "/lib", "/lib32", "/lib64"):
        path = Path(name)
        if path.is_symlink():
            args += ["--symlink", os.readlink(path), name]
        elif path.exists():
            args += ["--ro-bind", name, name]
    return args


def _python() -> list[str]:
    args: list[str] = []
    for prefix in dict.fromkeys([sys.base_prefix, sys.prefix]):
        if not Path(prefix).is_relative_to("/usr"):
            args += [*_way_to(prefix), "--ro-bind", prefix, prefix]
    args += [*_way_to(f"{ROOM}/courselib/worker"), "--ro-bind", str(PACKAGE / "worker"), f"{ROOM}/courselib/worker"]
    args += ["--ro-bind", str(PACKAGE / "__init__.py"), f"{ROOM}/courselib/__init__.py"]
    installed = Path(sysconfig.get_path("purelib"), "courselib")
    return [*args, "--tmpfs", str(installed)] if installed.is_dir() else args


def _way_to(path: str) -> list[str]:
    """Make the folders above a bind open to the worker's user; bubblewrap itself would close them."""
    return [word for parent in reversed(Path(path).parents) if str(parent) not in ("/", "/tmp") for word in ("--dir", str(parent))]
