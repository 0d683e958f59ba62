"""Removing what a worker leaves on a disk: a tower of folders of any height, closed ones, a million files."""

from __future__ import annotations

import os
from contextlib import suppress
from stat import S_ISDIR

FOLDER_ONLY = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW


def sweep(path: str) -> None:
    """Remove the folder at `path`; no link is followed, and no depth is too great: folders are moved up before they are emptied."""
    with suppress(OSError):
        top = _opened(path)
        try:
            _empty(top)
        finally:
            os.close(top)
        os.rmdir(path)


def _empty(top: int) -> None:
    """Empty the folder `top`: each folder inside is a child of it, or becomes one, before it is looked into."""
    while names := os.listdir(top):
        for name in names:
            if not _removed(name, top):
                _move_up(name, top)
                os.rmdir(name, dir_fd=top)


def _removed(name: str, folder: int) -> bool:
    """Remove what is not a folder, or an empty one; tell whether it has gone."""
    if S_ISDIR(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
        with suppress(OSError):
            os.rmdir(name, dir_fd=folder)
            return True
        return False
    os.unlink(name, dir_fd=folder)
    return True


def _move_up(name: str, top: int) -> None:
    """Move the folders in one of `top`'s folders up into `top`, and remove its files."""
    folder = _opened(name, top)
    try:
        for inner in os.listdir(folder):
            if not _removed(inner, folder):
                os.close(_opened(inner, folder))  # a closed folder cannot be moved
                os.rename(inner, os.urandom(16).hex(), src_dir_fd=folder, dst_dir_fd=top)
    finally:
        os.close(folder)


def _opened(name: str, above: int | None = None) -> int:
    """Open a folder after making it ours to change; its owner may have closed it to itself."""
    handle = os.open(name, FOLDER_ONLY, dir_fd=above)
    try:
        os.chmod(f"/proc/self/fd/{handle}", 0o700)
        return os.open(f"/proc/self/fd/{handle}", os.O_RDONLY | os.O_DIRECTORY)
    finally:
        os.close(handle)
