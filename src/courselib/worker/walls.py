"""The kernel's walls around one worker: namespaces, limits, no standing rights. Linux only.

Called in a fresh fork, before any of the student's code: everything here can only be tightened later.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from collections.abc import Sequence
from typing import TypedDict

CLONE_NEWNS, CLONE_NEWIPC, CLONE_NEWUSER, CLONE_NEWPID = 0x00020000, 0x08000000, 0x10000000, 0x20000000
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER, PR_SET_NO_NEW_PRIVS = 1, 4, 36, 38
NO_SUID, NO_DEVICES, BIND, RECURSIVE = 2, 4, 4096, 16384
CAPABILITY_VERSION_3 = 0x20080522
INODES = 50_000  # files in a folder of a worker's own: each costs memory that no other limit counts
PLACES = ("/tmp", "/dev/shm")  # where any program may write: shared, they would be a way from one worker to the next

libc = ctypes.CDLL(None, use_errno=True)


class Limits(TypedDict):
    """What one worker may use; `memory` is bytes beyond what the zygote already maps, 0 for no limit."""

    cpu_seconds: int
    memory: int
    processes: int
    file_bytes: int
    open_files: int


def _do(result: int) -> None:
    if result != 0:
        errno = ctypes.get_errno()
        raise OSError(errno, os.strerror(errno))


def adopt_orphans() -> None:
    """Make this process the parent of every descendant that loses its own."""
    _do(libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))


def new_namespaces(kinds: int) -> None:
    """Leave the parent's namespaces of these `kinds` and its user namespace, as the same user with rights inside only."""
    uid, gid = os.getuid(), os.getgid()
    seen()  # else a process that changed its user may not write its own maps
    _do(libc.unshare(CLONE_NEWUSER | kinds))
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{uid} {uid} 1")
    _write("/proc/self/gid_map", f"{gid} {gid} 1")


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def own_processes() -> None:
    """Fork into a pid namespace of this process's own; the parent only waits and passes the end on."""
    new_namespaces(CLONE_NEWPID)
    pid = os.fork()
    if pid:
        os._exit(os.waitpid(pid, 0)[1] and 1)
    die_with_parent()


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent dies, however that comes about."""
    _do(libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0))


def fork_as_first() -> int:
    """Fork a child that is pid 1 of a new pid namespace: when it ends, the kernel ends all it started.

    Only one who has `own_processes` may: the namespace for the next child is set, used, and set back.
    """
    _do(libc.unshare(CLONE_NEWPID))
    pid = os.fork()
    if pid:
        own = os.open("/proc/self/ns/pid", os.O_RDONLY)
        _do(libc.setns(own, CLONE_NEWPID))
        os.close(own)
    return pid


def own_folders(paths: Sequence[str], size: int) -> None:
    """Mount an empty folder of at most `size` bytes at each of `paths`, seen by this worker only; the first is the current one."""
    for path in paths:
        kept = [(python, os.open(python, os.O_PATH)) for python in _pythons() if python.startswith(f"{path}/")]
        _do(libc.mount(b"tmpfs", path.encode(), b"tmpfs", NO_SUID | NO_DEVICES, f"size={size},nr_inodes={INODES},mode=700".encode()))
        for python, fd in kept:  # a Python under /tmp must not be covered
            os.makedirs(python)
            _do(libc.mount(f"/proc/self/fd/{fd}".encode(), python.encode(), None, BIND | RECURSIVE, None))
            os.close(fd)
    os.chdir(paths[0])


def _pythons() -> list[str]:
    """Return the folders that Python lies in, none of them inside another."""
    found = sorted({sys.prefix, sys.base_prefix}, key=len)
    return [p for i, p in enumerate(found) if not any(p.startswith(f"{outer}/") for outer in found[:i])]


def drop_rights() -> None:
    """Give up every capability, for good, and every way to get one back."""
    _do(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION_3, 0)
    _do(libc.capset(header, (ctypes.c_uint32 * 6)()))


def limit(limits: Limits) -> None:
    """Set the kernel's limits on this process and all it starts."""
    _cap(resource.RLIMIT_CORE, 0)
    _cap(resource.RLIMIT_CPU, limits["cpu_seconds"])
    _cap(resource.RLIMIT_FSIZE, limits["file_bytes"])
    _cap(resource.RLIMIT_NOFILE, limits["open_files"])
    _cap(resource.RLIMIT_NPROC, limits["processes"])
    if limits["memory"]:
        _cap(resource.RLIMIT_AS, _mapped() + limits["memory"])


def _cap(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def _mapped() -> int:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * resource.getpagesize()


def become(user: int) -> None:
    """Turn from root into an ordinary user without a group of its own."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def unseen() -> None:
    """Let no other process of this user look into this one's memory."""
    _do(libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0))


def seen() -> None:
    """Let this process look at its own entry under /proc, after a change of user has closed it."""
    _do(libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0))


def try_all(user: int) -> None:
    """Raise one after the other every wall that a worker will need; fail where one cannot be had."""
    if user:
        become(user)
    own_processes()
    pid = fork_as_first()
    if pid == 0:
        try:
            new_namespaces(CLONE_NEWIPC | CLONE_NEWNS)
            own_folders((os.getcwd(), *PLACES), 2**20)
            drop_rights()
        except OSError:
            os._exit(1)
        os._exit(0)
    os._exit(os.waitpid(pid, 0)[1] and 1)
