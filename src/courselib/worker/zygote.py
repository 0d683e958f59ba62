"""The zygote: imports torch, NumPy and IPython once, starts no thread, then forks one worker per submission.

It reads commands from its standard input, a socket shared with the checkers: each spawn carries the
worker's socket as a file descriptor. It never runs a student's code itself.
"""

from __future__ import annotations

import codecs
import gc
import importlib
import json
import os
import selectors
import signal
import socket
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from time import monotonic
from typing import Any, TypedDict

from courselib.worker import doors, family, landlock, pages, seccomp, walls
from courselib.worker.serve import Server
from courselib.worker.shell import Shell
from courselib.worker.sweep import sweep
from courselib.worker.wire import Channel

FOLDER_BYTES = 64 * 2**20
WATCH_SECONDS = 0.1
OWN_USERS = 4000  # without namespaces, as root: how many users the workers take turns in


class Setting(TypedDict):
    """How this zygote was started: with which walls, limits, and as which user (0: unchanged)."""

    namespaces: bool
    user: int
    controls: list[int]
    resident: int
    limits: walls.Limits


class Zygote:
    """One warm parent; `living` maps a worker's pid to the control socket that asked for it."""

    def __init__(self, setting: Setting, shell: Shell) -> None:
        self.setting, self.shell = setting, shell
        self.selector = selectors.DefaultSelector()
        self.living: dict[int, socket.socket] = {}
        self.doors = {} if setting["namespaces"] or not setting["user"] else doors.open_doors()
        self.rules = [] if setting["namespaces"] else landlock.rules(hidden="courselib")
        self.overfed: set[int] = set()
        self.watched = 0.0
        self.own = family.resident()  # what every fork shares with us
        self.folder = os.getcwd()
        self.controls = [socket.socket(fileno=n) for n in setting["controls"]]

    def run(self) -> None:
        """Serve the control sockets until all of them are closed."""
        for control in self.controls:
            self.selector.register(control, selectors.EVENT_READ, self.command)
        wake, wake_in = os.pipe()
        os.set_blocking(wake_in, False)
        signal.set_wakeup_fd(wake_in, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # from here on it ends when its controls are closed
        self.selector.register(wake, selectors.EVENT_READ, self.reap)
        while len(self.selector.get_map()) > 1:
            for key, _ in self.selector.select(WATCH_SECONDS if self.living else None):
                key.data(key.fileobj)
            self.watch()
        self.end()

    def watch(self) -> None:
        """Kill a worker that holds more memory than it may, together with all it started: the kernel's limit is for each process.

        It is looked at ten times a second, however often we are called: a look costs as much as half a fork.
        """
        if monotonic() - self.watched < WATCH_SECONDS:
            return
        self.watched = monotonic()
        for pid in self._new_eaters():
            self.overfed.add(pid)
            _kill(pid)

    def _new_eaters(self) -> list[int]:
        eating = set(self.living) - self.overfed
        return [pid for pid, held in family.held(eating, self.own).items() if held > self.setting["resident"]] if eating else []

    def end(self) -> None:
        """Leave nothing behind; with namespaces the kernel ends all that is in this one."""
        if not self.setting["namespaces"]:
            self.living.clear()
            self.end_strays()

    def end_strays(self) -> None:
        """Kill what dead workers have left to us, and what that leaves, until nothing comes.

        All are stopped before any is killed: a fork bomb would fill each place that comes free, but what is stopped keeps its place.
        """
        while strays := family.children() - set(self.living):
            stopped: set[int] = set()
            while running := family.descendants(strays) - stopped:
                _signal(running, signal.SIGSTOP)
                stopped |= running
                strays |= family.children() - set(self.living)
            _signal(stopped, signal.SIGKILL)
            for pid in strays:
                with suppress(ChildProcessError):
                    os.waitpid(pid, 0)

    def command(self, control: socket.socket) -> None:
        """Do one command: spawn a worker on the descriptor that came along, or kill one."""
        data, fds = _receive(control)
        if not data:
            self.selector.unregister(control)
            for pid in [p for p, c in self.living.items() if c is control]:
                _kill(pid)
            return
        order = json.loads(data)
        if "kill" in order:
            if self.living.get(order["kill"]) is control:
                _kill(order["kill"])
        else:
            self.warm(order["warm"])
            self.spawn(control, fds[0], order)

    def warm(self, modules: list[str]) -> None:
        """Import what the next workers would otherwise import one by one."""
        missing = [m for m in modules if m not in sys.modules]
        for module in missing:
            importlib.import_module(module)
        if missing:
            settle()
            self.own = family.resident()

    def spawn(self, control: socket.socket, link: int, order: dict[str, Any]) -> None:
        """Fork a worker on `link`; with namespaces it is pid 1 of its own."""
        pid = walls.fork_as_first() if self.setting["namespaces"] else os.fork()
        if pid == 0:
            self._guarded(lambda: self._live(link, order["core"]))
        os.close(link)
        self.living[pid] = control
        _tell(control, {"pid": pid, "ticket": order["spawn"]})

    def _guarded(self, life: Callable[[], None]) -> None:
        """Live the child's life and end it here, whatever happens: it must never return into the zygote."""
        code = 70
        try:
            life()
            code = 0
        finally:
            os._exit(code)

    def _live(self, link: int, core: int | None) -> None:
        """Be a worker: behind the walls, in a session of its own, with nothing open but the link."""
        if core is not None:
            os.sched_setaffinity(0, {core})
        os.setsid()  # else kill(0) would reach the zygote, through every namespace
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        link = os.dup2(link, 3)
        null = os.open(os.devnull, os.O_RDWR)
        for fd in (0, 1, 2):
            os.dup2(null, fd)
        self._close_all_but({fd for fd, _ in self.rules} | doors.numbers(self.doors))
        folder = self._enclose()
        self._close_all_but(doors.numbers(self.doors))
        Server(Channel(socket.socket(fileno=link), to_checker=True), self.shell, folder).run()

    def _close_all_but(self, kept: set[int]) -> None:
        first = 4
        for fd in sorted(kept):
            os.closerange(first, fd)
            first = fd + 1
        os.closerange(first, 4096)

    def _enclose(self) -> str:
        """Raise the walls and return the worker's own folder."""
        if self.setting["namespaces"]:
            walls.new_namespaces(walls.CLONE_NEWIPC | walls.CLONE_NEWNS)
            walls.own_folders((self.folder, *walls.PLACES), FOLDER_BYTES)
            walls.drop_rights()
            walls.unseen()
        else:
            self._enclose_bare()
        walls.limit(self.setting["limits"])
        seccomp.refuse_calls(namespaces=self.setting["namespaces"], driver=not self.setting["limits"]["memory"])
        return os.getcwd()

    def _enclose_bare(self) -> None:
        """Raise what walls a process can have without namespaces: as root, a user of its own for each worker."""
        own = _folder(self.folder, os.getpid())
        os.mkdir(own, 0o700)
        os.chdir(own)
        if self.setting["user"]:
            user = self.setting["user"] + os.getpid() % OWN_USERS
            os.chown(".", user, user)
            walls.become(user)
            walls.seen()  # its doors are under /proc/self; no other worker has its user
            doors.go_through(self.doors)
        walls.drop_rights()
        walls.die_with_parent()
        landlock.fence(self.rules, os.getcwd())

    def reap(self, wake: int) -> None:
        """Collect the dead; tell the checker how its worker ended; nothing that a worker started outlives it."""
        os.read(wake, 4096)
        dead = {pid: status for pid, status in _ended() if pid in self.living}
        if not self.setting["namespaces"]:
            for pid in dead:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(pid, signal.SIGKILL)
            self.end_strays()
        for pid, status in dead.items():
            self.bury(pid, status)

    def bury(self, pid: int, status: int) -> None:
        """Remove a dead worker's folder and tell its checker."""
        control = self.living.pop(pid)
        if not self.setting["namespaces"]:
            sweep(_folder(self.folder, pid))
        _tell(control, {"dead": pid, "status": os.waitstatus_to_exitcode(status), "memory": pid in self.overfed})
        self.overfed.discard(pid)


def _ended() -> Iterator[tuple[int, int]]:
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            yield ended


def _receive(control: socket.socket) -> tuple[bytes, list[int]]:
    """Return one command and the descriptors it carries; nothing where the other side has gone."""
    try:
        data, fds, _, _ = socket.recv_fds(control, 4096, 1)
    except ConnectionError:
        return b"", []
    return data, fds


def _tell(control: socket.socket, message: dict[str, Any]) -> None:
    with suppress(OSError):
        control.send(json.dumps(message).encode())


def _kill(pid: int) -> None:
    _signal([pid], signal.SIGKILL)


def _signal(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, number)


def _folder(above: str, pid: int) -> str:
    """Return where a worker without a mount namespace has its folder."""
    return f"{above}/worker-{pid}"


def main() -> None:
    """Start from one JSON argument, warm up, and serve."""
    setting: Setting = json.loads(sys.argv[1])
    forget_the_source()
    if setting["namespaces"] and setting["user"]:
        walls.become(setting["user"])
    if setting["namespaces"]:
        walls.own_processes()
    walls.unseen()
    walls.adopt_orphans()
    shell = warm()
    settle()
    Zygote(setting, shell).run()


def forget_the_source() -> None:
    """Take courselib's own source off the path: an editable install puts it there whole, oracles and all."""
    kept = sysconfig.get_path("purelib")  # here a copy of courselib is masked, or fenced off
    sys.path[1:] = [p for p in sys.path[1:] if p == kept or not os.path.isdir(os.path.join(p, "courselib"))]


def settle() -> None:
    """Leave nothing for the collector to do: it would write into the pages that workers share."""
    gc.collect()
    gc.freeze()
    pages.collapse()


def warm() -> Shell:
    """Import what a worker would otherwise import for itself, and keep to one thread."""
    import torch

    for name in ("ascii", "latin-1", "cp1252", "utf-16", "idna"):
        codecs.lookup(name)  # imported at first use

    torch.set_num_threads(1)
    torch.manual_seed(0)
    return Shell()


if __name__ == "__main__":
    main()
