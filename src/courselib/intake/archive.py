"""Zips, opened in memory and never unpacked: what they say of themselves is judged before any of it is read.

Every cap on what a student may hand in stands here.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from contextlib import ExitStack
from pathlib import Path, PurePosixPath

from courselib.text import Text, both, say
from courselib.trouble import Trouble

MAX_FILES = 2000  # of one student, in all archives together
MAX_TOTAL = 200 * 2**20  # bytes of one student, opened, in all archives together
MAX_DEPTH = 3  # a zip in a zip in a zip
MAX_NAME = 1000  # characters of a path inside a zip
MAX_HELD = 2 * 2**30  # bytes of one zip inside another, held in memory while it is read
MAX_CLASS_FILES = 200_000  # where the class itself is a zip
MAX_CLASS_TOTAL = 20 * 2**30

METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}  # bz2 and lzma open a block whole, however large it turns out to be
ARCHIVES = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".tbz2", ".xz", ".txz", ".zst", ".zipx")
MAGIC = {b"Rar!": "rar", b"7z\xbc\xaf\x27\x1c": "7z", b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"%PDF": "PDF"}
FAULTS = (OSError, zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError)  # what reading a damaged archive can raise
FORMAT = 0o170000
PLAIN_KINDS = {0, 0o100000, 0o040000}  # not said, file, folder; the rest are links, pipes and devices


class BadArchive(Trouble):
    """An archive (or a file in it) that we do not open, with the reason."""


class Budget:
    """What may still be opened, and the archives that are open until it is closed."""

    def __init__(self, files: int | None = None, total: int | None = None) -> None:
        self.files = self.max_files = MAX_FILES if files is None else files
        self.total = self.max_total = MAX_TOTAL if total is None else total
        self._open = ExitStack()

    def take(self, name: str, files: int, total: int) -> None:
        """Count what the archive called `name` opens to; raise `BadArchive` where that is too much."""
        self.files -= files
        self.total -= total
        if self.files < 0 or self.total < 0:
            raise BadArchive(
                say(
                    "{n}: খুললে {f}টির বেশি ফাইল বা {m} MB-এর বেশি হবে।",
                    "{n}: opens to more than {f} files or {m} MB.",
                    n=name,
                    f=self.max_files,
                    m=self.max_total >> 20,
                )
            )

    def keep(self, archive: zipfile.ZipFile) -> zipfile.ZipFile:
        """Close `archive` together with this budget."""
        return self._open.enter_context(archive)

    def close(self) -> None:
        """Close every archive that was opened under this budget."""
        self._open.close()


def opened(name: str, source: Path | bytes, budget: Budget) -> zipfile.ZipFile:
    """Open a zip and judge all that it says of itself, names excepted; raise `BadArchive` with the reason."""
    try:
        head = _head(source)
        archive = budget.keep(zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source))
        if disguise := _disguise(head):  # a tar may end in a zip of its own
            raise zipfile.BadZipFile(disguise)
    except Exception as fault:  # the parser of zips meets foreign bytes: whatever it raises is this archive's fault
        why = _disguise(head) if "head" in locals() else None
        raise BadArchive(say("{n}: zip নয় বা নষ্ট ({f})।", "{n}: not a zip, or damaged ({f}).", n=name, f=both(why or fault))) from None
    members = archive.infolist()
    budget.take(name, len(members), sum(m.file_size for m in members))
    for member in members:
        _openable(name, member)
    return archive


def _head(source: Path | bytes) -> bytes:
    if isinstance(source, bytes):
        return source[:512]
    with source.open("rb") as file:
        return file.read(512)


def _disguise(head: bytes) -> Text | None:
    """Tell what a file that calls itself a zip really is."""
    kind = next((word for magic, word in MAGIC.items() if head.startswith(magic)), "tar" if head[257:262] == b"ustar" else "")
    if kind:
        return say("আসলে এটি {k}; zip করে আবার জমা দাও", "it is really {k}; hand it in again as a zip", k=kind)
    if head.lstrip()[:1] == b"<":
        return say("আসলে এটি একটি web page; LMS-এ লগ-ইন করে আবার নামাও", "it is really a web page; log in to the LMS and download it again")
    return None


def _openable(name: str, member: zipfile.ZipInfo) -> None:
    if member.flag_bits & 1:
        raise BadArchive(say("{n}: password দেওয়া; password ছাড়া zip করো।", "{n}: it is encrypted; zip it without a password.", n=name))
    if member.compress_type not in METHODS:
        raise BadArchive(
            say(
                "{n}: {m}-এর compression খোলা হয় না; সাধারণ zip (deflate) বানাও।",
                "{n}: the compression of {m} is not opened; make an ordinary zip (deflate).",
                n=name,
                m=member.filename,
            )
        )


def parts(member: zipfile.ZipInfo) -> tuple[str, ...] | None:
    """Return the path of a member, part by part; None where it leads out, is a link, or is no honest name."""
    raw = member.orig_filename
    name = _name(member).replace("\\", "/")  # some of Windows's own archivers write backslashes
    path = PurePosixPath(name)
    honest = "\0" not in raw and len(name) <= MAX_NAME and name[1:2] != ":" and not path.is_absolute() and ".." not in path.parts
    kind = (member.external_attr >> 16) & FORMAT
    return path.parts if honest and path.parts and kind in PLAIN_KINDS else None


def _name(member: zipfile.ZipInfo) -> str:
    """Return a member's name; many archivers write UTF-8 and do not say so."""
    if not member.flag_bits & 0x800:
        try:
            return member.filename.encode("cp437").decode("utf-8")
        except UnicodeError:
            pass
    return member.filename


def forbidden(name: str, member: zipfile.ZipInfo) -> BadArchive:
    """Return the refusal of an archive for the path of one member."""
    return BadArchive(
        say("{n}: নিষিদ্ধ path {m!r}।", "{n}: it holds a forbidden path {m!r}.", n=name, m=member.orig_filename[:200].replace("\\", "/"))
    )


def other_archive(name: str) -> Text:
    """Say that an archive is of a kind that we do not open."""
    kind = PurePosixPath(name).suffix
    return say("{n}: {k} খোলা হয় না; zip করে আবার জমা দাও।", "{n}: {k} is not opened; hand it in again as a zip.", n=name, k=kind)
