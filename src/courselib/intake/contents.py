"""Folders and files, on disk or inside a zip, seen the same way."""

from __future__ import annotations

import os
import zipfile
from dataclasses import dataclass, field
from pathlib import Path

from courselib.intake import archive
from courselib.intake.archive import BadArchive, Budget
from courselib.intake.names import spelt
from courselib.text import Text, say


@dataclass(frozen=True, eq=False)
class File:
    """A file, known by its own name."""

    name: str

    def read(self, limit: int) -> bytes:
        """Return `limit` bytes at most."""
        raise NotImplementedError

    def opened(self, budget: Budget) -> zipfile.ZipFile:
        """Open the file as a zip."""
        data = self.read(archive.MAX_HELD + 1)
        if len(data) > archive.MAX_HELD:
            raise BadArchive(say("{n}: বড় বেশি; আলাদা করে খোলো।", "{n}: too large to open where it is; unzip it yourself.", n=self.name))
        return archive.opened(self.name, data, budget)


@dataclass(frozen=True, eq=False)
class Folder:
    """A folder, known by its own name."""

    name: str

    def items(self) -> list[File | Folder]:
        """Return what lies in it, by name."""
        raise NotImplementedError

    def alone(self) -> Folder:
        """Return it as a student's own: no link may lead out of it."""
        return self


@dataclass(frozen=True, eq=False)
class Barred(File):
    """A name that we see and do not follow, with the reason."""

    why: Text

    def read(self, limit: int) -> bytes:
        """Refuse."""
        raise BadArchive(self.why)


@dataclass(frozen=True, eq=False)
class DiskFile(File):
    """A file on disk."""

    path: Path

    def read(self, limit: int) -> bytes:
        """Return `limit` bytes at most."""
        with self.path.open("rb") as file:
            return file.read(limit)

    def opened(self, budget: Budget) -> zipfile.ZipFile:
        """Open the file as a zip, without reading it whole."""
        return archive.opened(self.name, self.path, budget)


@dataclass(frozen=True, eq=False)
class DiskFolder(Folder):
    """A folder on disk; below `root` links are followed no further than `root`."""

    path: Path
    root: Path | None = None

    def items(self) -> list[File | Folder]:
        """Return what lies in it, by name; what is neither a file nor a folder is nothing."""
        found: list[File | Folder] = []
        for each in sorted(self.path.iterdir()):
            name = spelt(each.name)
            if self.root and each.is_symlink() and not (each.is_file() and each.resolve().is_relative_to(self.root)):
                found.append(Barred(name, say("{n}: link অনুসরণ করা হয় না।", "{n}: it is a link, and is not followed.", n=name)))
            elif each.is_dir():
                found.append(DiskFolder(name, each, self.root))
            elif each.is_file():
                found.append(DiskFile(name, each))
        return found

    def alone(self) -> Folder:
        """Return it as a student's own: no link may lead out of it."""
        return DiskFolder(self.name, self.path, self.path.resolve())


@dataclass(frozen=True, eq=False)
class Member(File):
    """A file in a zip that is open."""

    archive: zipfile.ZipFile
    info: zipfile.ZipInfo

    def read(self, limit: int) -> bytes:
        """Return `limit` bytes at most; never more than the zip says that there are."""
        with self.archive.open(self.info) as file:
            return file.read(min(limit, self.info.file_size + 1))  # asked for more, zipfile would inflate more before it looks


@dataclass(frozen=True, eq=False)
class ZipFolder(Folder):
    """A folder in a zip that is open."""

    folders: dict[str, ZipFolder] = field(default_factory=dict)
    files: list[File] = field(default_factory=list)

    def items(self) -> list[File | Folder]:
        """Return what lies in it, by name."""
        return sorted([*self.folders.values(), *self.files], key=lambda item: item.name)

    def below(self, parts: tuple[str, ...]) -> ZipFolder:
        """Return the folder at a path, made where it is missing."""
        here = self
        for part in parts:
            here = here.folders.setdefault(part, ZipFolder(part))
        return here


def in_zip(file: File, budget: Budget, *, shared: bool = False) -> ZipFolder:
    """Return what is in a zip as a folder; raise `BadArchive` with the reason.

    A forbidden path condemns the zip of one student whole; in a zip that a class shares it costs only the student below
    whose folder it stands.
    """
    opened = file.opened(budget)
    top = ZipFolder(file.name)
    for info in opened.infolist():
        parts = archive.parts(info)
        if parts is None:
            refusal = archive.forbidden(file.name, info)
            top.below(_owner(info, shared, refusal)).files.append(Barred(spelt(info.filename[:200]), refusal.sentence))
        elif info.is_dir() or info.filename.endswith("\\"):
            top.below(tuple(map(spelt, parts)))
        else:
            names = tuple(map(spelt, parts))
            top.below(names[:-1]).files.append(Member(names[-1], opened, info))
    return top


def _owner(info: zipfile.ZipInfo, shared: bool, refusal: BadArchive) -> tuple[str, ...]:
    first, slash, _ = info.filename.replace("\\", "/").partition("/")
    if not shared or not slash or first in ("", ".", "..") or os.path.isabs(first) or ":" in first:
        raise refusal
    return (spelt(first),)
