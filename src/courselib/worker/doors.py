"""Keeping Python importable for a worker whose user may not walk the path to it.

Root's own Python often lies under a closed home. A folder that root has opened stays open: the worker
reaches it as /proc/self/fd/N, and the closed folders above it are never asked.
"""

from __future__ import annotations

import os
import sys


def open_doors() -> dict[str, str]:
    """Open this Python's folders; return the way to each that needs no right on the folders above."""
    doors: dict[str, str] = {}
    for prefix in dict.fromkeys([sys.prefix, sys.base_prefix, *(p for p in sys.path if os.path.isdir(p))]):
        if not any(prefix.startswith(f"{known}/") for known in doors):
            fd = os.open(prefix, os.O_PATH | os.O_DIRECTORY)
            doors[prefix] = f"/proc/self/fd/{fd}"
    return doors


def go_through(doors: dict[str, str]) -> None:
    """Turn every path that Python imports from into one through an open door."""
    sys.path[:] = [_through(p, doors) for p in sys.path]
    sys.path_importer_cache.clear()
    for module in list(sys.modules.values()):
        paths = getattr(module, "__path__", None)
        if isinstance(paths, list):
            paths[:] = [_through(p, doors) for p in paths]


def _through(path: str, doors: dict[str, str]) -> str:
    for prefix, door in doors.items():
        if path == prefix or path.startswith(f"{prefix}/"):
            return door + path.removeprefix(prefix)
    return path


def numbers(doors: dict[str, str]) -> set[int]:
    """Return the descriptors that must stay open."""
    return {int(door.rsplit("/", 1)[1]) for door in doors.values()}
