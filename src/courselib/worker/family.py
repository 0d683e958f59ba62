"""The processes that come of this one, and the memory they hold, as /proc tells it.

/proc may number processes for an outer namespace: `NSpid` lists a process's number in each one.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator

Status = dict[str, str]


def children() -> set[int]:
    """Return this process's children, orphans it has adopted among them; only where /proc is of its own namespace."""
    return set(_children("thread-self"))


def resident() -> int:
    """Return the bytes of memory that this process holds."""
    return _bytes(_status("self"))


def held(pids: Collection[int], shared: int) -> dict[int, int]:
    """Return the bytes that each child in `pids` and its descendants hold beyond the `shared` ones of a fork."""
    depth = len(_status("self")["NSpid"].split())
    sums: dict[int, int] = {}
    for child in _children("thread-self"):
        numbers = _status(child).get("NSpid", "").split()
        if len(numbers) >= depth and int(numbers[depth - 1]) in pids:
            sums[int(numbers[depth - 1])] = sum(max(0, _bytes(_status(p)) - shared) for p in _tree(child))
    return sums


def descendants(pids: Collection[int]) -> set[int]:
    """Return `pids` and all that come of them; only where /proc is of this process's own namespace."""
    return {pid for root in pids for pid in _tree(root)}


def _tree(root: int) -> Iterator[int]:
    """Yield a process and all that come of it."""
    queue = [root]
    while queue:
        yield (pid := queue.pop())
        queue += _children(pid)


def _children(pid: int | str) -> list[int]:
    """Return the children of a process, or none where it has gone."""
    found: list[int] = []
    try:
        threads = [f"/proc/{pid}"] if isinstance(pid, str) else [f"/proc/{pid}/task/{t}" for t in os.listdir(f"/proc/{pid}/task")]
        for thread in threads:
            with open(f"{thread}/children", encoding="ascii") as file:
                found += map(int, file.read().split())
    except OSError:
        pass
    return found


def _status(pid: int | str) -> Status:
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
            return dict(line.rstrip("\n").split(":\t", 1) for line in file if ":\t" in line)
    except OSError:
        return {}


def _bytes(status: Status) -> int:
    """Return what a process holds of its own; the pages of files are the kernel's to take back."""
    return sum(int(status.get(kind, "0 kB").split()[0]) for kind in ("RssAnon", "RssShmem")) * 1024
