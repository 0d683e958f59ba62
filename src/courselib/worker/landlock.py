"""What files a worker without namespaces may open: Python and the system's libraries to read, its own folder to use.

Landlock is the kernel's own fence for a process that has no rights to give away; where it is missing the
user that the worker runs as is all that stands before the files, and the report says so.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
import sysconfig
from contextlib import suppress

from courselib.worker.walls import libc

CREATE, ADD, RESTRICT = 444, 445, 446  # system calls, the same on every machine
READ = 0b0000_0000_1101  # execute, read a file, read a folder
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # how many rights on files each version knows (3: to cut one off); later ones 16
FILE_ONLY = 0b0000_0000_0111  # execute, write, read: all that a rule on a file, not a folder, may name
KERNEL = tuple(f"/proc/{name}" for name in ("cpuinfo", "filesystems", "loadavg", "meminfo", "stat", "sys", "version"))
SYSTEM = ("/usr", "/lib", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime", "/sys/devices/system", *KERNEL)
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/full")

Rule = tuple[int, int]  # an open path, and what may be done below it


def known() -> int:
    """Return the version of Landlock that this kernel has; 0 where it has none."""
    version: int = libc.syscall(CREATE, None, ctypes.c_size_t(0), 1)
    return max(0, version)


def rules(hidden: str) -> list[Rule]:
    """Open what every worker may read; of Python's packages all but `hidden` and what belongs to it."""
    packages = sysconfig.get_path("purelib")
    paths = [*SYSTEM, *sys.path, *_around(sys.prefix, packages), *_around(sys.base_prefix, packages)]
    found = [(path, READ) for path in dict.fromkeys(paths) if path != packages]
    found += [(entry.path, READ) for entry in os.scandir(packages) if hidden not in entry.name.lower()]
    return [(fd, rights) for path, rights in [*found, *((d, READ | 0b10) for d in DEVICES)] if (fd := _open(path)) >= 0]


def _around(prefix: str, packages: str) -> list[str]:
    """Return the paths that make up all of `prefix` but the folder `packages`."""
    if not packages.startswith(f"{prefix}/"):
        return [prefix]
    out: list[str] = []
    for entry in os.scandir(prefix):
        if entry.path != packages:
            out += _around(entry.path, packages) if packages.startswith(f"{entry.path}/") else [entry.path]
    return out


def _open(path: str) -> int:
    with suppress(OSError):
        return os.open(path, os.O_PATH)
    return -1


def fence(allowed: list[Rule], folder: str) -> bool:
    """Keep this process, for good, to `allowed`, its own `folder` and its own entry under /proc; tell whether the kernel does."""
    version = known()
    every, handled = _handled(version)
    ruleset = libc.syscall(CREATE, handled, ctypes.c_size_t(len(handled)), 0)
    if ruleset < 0:
        return False
    own, itself = os.open(folder, os.O_PATH), os.open(f"/proc/{os.getpid()}", os.O_PATH)
    for fd, rights in [*allowed, (itself, READ), (own, every)]:
        is_folder = os.fstat(fd).st_mode & 0o170000 == 0o040000
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights if is_folder else rights & FILE_ONLY, fd))
        libc.syscall(ADD, ruleset, 1, rule, 0)
    done: int = libc.syscall(RESTRICT, ruleset, 0)
    for fd in (own, itself, ruleset):
        os.close(fd)
    return done == 0


def _handled(version: int) -> tuple[int, bytes]:
    """Return every right on files that this version knows, and what it shall refuse: these, TCP, and what is outside the fence."""
    every = (1 << RIGHTS.get(version, 16)) - 1
    words = (every, 0b11, 0b11)  # files; binding and connecting; abstract sockets and signals
    count = 1 if version < 4 else 2 if version < 6 else 3
    return every, struct.pack(f"={count}Q", *words[:count])
