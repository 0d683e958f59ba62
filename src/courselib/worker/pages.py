"""The warm heap in huge pages: a fork copies one entry for 2 MB instead of 512, and takes a fraction of the time."""

from __future__ import annotations

import ctypes

from courselib.worker.walls import libc

MADV_COLLAPSE = 25  # Linux 6.1 and later; an older kernel refuses, and forks stay slower
HUGE = 2**21


def collapse() -> None:
    """Ask the kernel to gather this process's own memory into huge pages, now."""
    for start, end in _own():
        first, last = -(-start // HUGE) * HUGE, end // HUGE * HUGE
        if last > first:
            libc.madvise(ctypes.c_void_p(first), ctypes.c_size_t(last - first), MADV_COLLAPSE)


def _own() -> list[tuple[int, int]]:
    """Return the address ranges that are private, writable and of no file."""
    found: list[tuple[int, int]] = []
    with open("/proc/self/maps", encoding="ascii") as file:
        for line in file:
            span, rights, *_, inode = line.split()[:5]
            if rights.startswith("rw-p") and inode == "0":
                start, end = (int(n, 16) for n in span.split("-"))
                found.append((start, end))
    return found
