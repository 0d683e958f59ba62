from __future__ import annotations

import io
import struct
import tarfile
import tracemalloc
import warnings
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from courselib.intake import archive
from courselib.intake.archive import BadArchive, Budget, opened, parts
from courselib.intake.contents import DiskFile, DiskFolder, in_zip
from courselib.intake.entries import PLAIN, Entry, Piece
from courselib.intake.haul import Haul, haul

ANSWER = b"x = 1\n" * 50


def zipped(*names: str | zipfile.ZipInfo, data: bytes = ANSWER, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name in names:
            file.writestr(name, data)
    return out.getvalue()


def info(name: str, mode: int = 0o100644) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name)
    made.external_attr = mode << 16
    return made


def handed_in(folder: Path, data: bytes, name: str = "rahim.zip") -> tuple[Haul, Budget]:
    path = folder / name
    path.write_bytes(data)
    budget = Budget()
    return haul(Entry("rahim", PLAIN, [Piece(DiskFile(name, path), name)], (), "rahim"), budget), budget


def refused(folder: Path, data: bytes) -> str:
    """Return why a zip was not opened; nothing may have come out of it."""
    found, budget = handed_in(folder, data)
    budget.close()
    assert found.files == []
    ((_, why),) = found.closed
    assert why.bn != why.en
    return why.en


LEADING_OUT = [
    "../../evil.py", "a/../../evil.py", "..", "/tmp/evil.py", "//host/evil.py", "C:/evil.py", "c:evil.py", "..\\evil.py",
    "a\\..\\..\\evil.py",    "\\\\host\\evil.py", "\\evil.py", "../out-evil/evil.py", "a" * 1001, "x/" * 600 + "a.py",
]  # fmt: skip
KINDS = [info("cuda_ms.py", mode) for mode in (0o120777, 0o010644, 0o020644, 0o060644, 0o140644)]


@pytest.mark.parametrize("name", [*LEADING_OUT, *KINDS], ids=lambda n: n[:20] if isinstance(n, str) else oct(n.external_attr >> 16))
def test_a_path_that_leads_out_or_is_no_file_condemns_the_zip(tmp_path: Path, name: str | zipfile.ZipInfo) -> None:
    assert "rahim.zip: it holds a forbidden path" in refused(tmp_path, zipped("a.py", name))


def test_a_name_with_a_nul_is_forbidden(tmp_path: Path) -> None:
    data = zipped("cuda_ms.pyX../../evil").replace(b"cuda_ms.pyX", b"cuda_ms.py\0")
    assert "forbidden path" in refused(tmp_path, data)


@pytest.mark.parametrize("name", ["...py", "..a/b.py", "a..b/c..py", "বাড়ির কাজ/cuda_ms.py", "a b/'\"$(x).py", "-rf.py", "con.py", "ab:c.py"])
def test_a_strange_name_is_only_a_name(tmp_path: Path, name: str) -> None:
    found, budget = handed_in(tmp_path, zipped(name))
    with budget._open:
        assert [(f.path, f.file.read(1000)) for f in found.files] == [(name, ANSWER)]


def test_nothing_is_ever_written(tmp_path: Path) -> None:
    handed_in(tmp_path, zipped("a/cuda_ms.py", "b.py"))[1].close()
    assert [p.name for p in tmp_path.iterdir()] == ["rahim.zip"]


def test_a_name_in_utf8_that_does_not_say_so_is_read_right(tmp_path: Path) -> None:
    name = "রহিম/cuda_ms.py"
    flagged = bytearray(zipped(name))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        where = flagged.index(mark) + at
        flagged[where : where + 2] = struct.pack("<H", struct.unpack("<H", flagged[where : where + 2])[0] & ~0x800)
    found, budget = handed_in(tmp_path, bytes(flagged))
    with budget._open:
        assert [(f.path, f.file.read(1000)) for f in found.files] == [(name, ANSWER)]


def test_a_name_in_an_old_code_page_stays_as_it_reads() -> None:
    made = zipfile.ZipInfo("caf\u00e9.py")
    made.flag_bits = 0
    assert parts(made) == ("caf\u00e9.py",)


def tarred() -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as file:
        inner = zipped("cuda_ms.py")
        member = tarfile.TarInfo("in.zip")
        member.size = len(inner)
        file.addfile(member, io.BytesIO(inner))
    return out.getvalue().rstrip(b"\0")


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"Rar!\x1a\x07\x01\x00" + zipped("cuda_ms.py"), "it is really rar; hand it in again as a zip"),
        (zlib.compress(b"x", wbits=31), "it is really gzip"),
        (b"7z\xbc\xaf\x27\x1c\0\4", "it is really 7z"),
        (b"BZh9", "it is really bzip2"),
        (b"\xfd7zXZ\0", "it is really xz"),
        (tarred(), "it is really tar"),
        (b"%PDF-1.7", "it is really PDF"),
        (b"\n <!DOCTYPE html><html>", "it is really a web page; log in to the LMS and download it again"),
        (b"", "not a zip, or damaged"),
        (zipped("cuda_ms.py")[:-30], "not a zip, or damaged"),
    ],
    ids=["rar", "gz", "7z", "bz2", "xz", "tar", "pdf", "html", "empty", "cut"],
)
def test_a_file_that_is_no_zip_is_told_what_it_is(tmp_path: Path, data: bytes, kind: str) -> None:
    assert kind in refused(tmp_path, data)


def test_an_encrypted_zip_is_refused_with_what_to_do(tmp_path: Path) -> None:
    data = bytearray(zipped("cuda_ms.py"))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert refused(tmp_path, bytes(data)) == "rahim.zip: it is encrypted; zip it without a password."


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_method_that_opens_blocks_of_any_size_is_not_opened(tmp_path: Path, method: int) -> None:
    assert "make an ordinary zip" in refused(tmp_path, zipped("cuda_ms.py", method=method))


def test_a_bomb_that_says_what_it_is_is_refused_before_it_is_read(tmp_path: Path) -> None:
    data = zipped(*(f"{i}.txt" for i in range(21)), data=bytes(10 * 2**20))
    assert len(data) < 2**19
    assert refused(tmp_path, data) == "rahim.zip: opens to more than 2000 files or 200 MB."
    assert "more than 2000 files" in refused(tmp_path, zipped(*(f"{i}.txt" for i in range(2001)), data=b""))


def test_a_bomb_that_lies_about_its_size_gives_no_more_than_it_has_said(tmp_path: Path) -> None:
    data = bytearray(zipped("cuda_ms.py", data=bytes(100 * 2**20)))
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        where = data.index(mark) + at
        data[where : where + 4] = struct.pack("<I", 100)
    found, budget = handed_in(tmp_path, bytes(data))
    tracemalloc.start()
    with budget._open, pytest.raises(zipfile.BadZipFile):
        found.files[0].file.read(20 * 2**20)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**20


def test_a_large_file_is_read_up_to_the_limit_only(tmp_path: Path) -> None:
    found, budget = handed_in(tmp_path, zipped("cuda_ms.py", data=bytes(150 * 2**20)))
    tracemalloc.start()
    with budget._open:
        assert len(found.files[0].file.read(2**20)) == 2**20
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 * 2**20


def nested(depth: int) -> bytes:
    data = zipped("cuda_ms.py")
    for _ in range(depth - 1):
        data = zipped("in.zip", data=data)
    return data


def test_zips_in_zips_are_opened_to_the_depth_that_is_stated(tmp_path: Path) -> None:
    found, budget = handed_in(tmp_path, nested(archive.MAX_DEPTH))
    with budget._open:
        assert [(f.path, f.file.read(1000)) for f in found.files] == [("in.zip/in.zip/cuda_ms.py", ANSWER)]
    assert refused(tmp_path, nested(archive.MAX_DEPTH + 1)) == "in.zip/in.zip/in.zip: more than 3 zips, one in another."


def test_a_tree_of_bombs_shares_one_budget(tmp_path: Path) -> None:
    leaf = zipped("a.py", "b.txt", data=bytes(40 * 2**20))
    tree = zipped(*(f"{i}.zip" for i in range(50)), data=leaf)
    found, budget = handed_in(tmp_path, tree)
    with budget._open:
        assert len(found.files) == 2  # 80 MB each: a third would be more than 200 MB
        assert all("opens to more than" in why.en for _, why in found.closed)
        assert len(found.closed) == 48


def test_one_bad_zip_inside_spares_the_others(tmp_path: Path) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("bad.zip", zipped("../evil.py"))
        file.writestr("good.zip", zipped("cuda_ms.py"))
        file.writestr("old.rar", b"Rar!")
    found, budget = handed_in(tmp_path, out.getvalue())
    with budget._open:
        assert [f.path for f in found.files] == ["good.zip/cuda_ms.py"]
    assert sorted(name for name, _ in found.closed) == ["bad.zip", "old.rar"]


def test_in_a_zip_that_a_class_shares_a_bad_path_costs_only_its_student(tmp_path: Path) -> None:
    path = tmp_path / "class.zip"
    path.write_bytes(zipped("rahim/../../evil.py", info("rahim/link.py", 0o120777), "rahim/cuda_ms.py", "salma/cuda_ms.py"))
    budget = Budget(archive.MAX_CLASS_FILES, archive.MAX_CLASS_TOTAL)
    top = in_zip(DiskFile("class.zip", path), budget, shared=True)
    assert [i.name for i in top.items()] == ["rahim", "salma"]
    rahim = haul(Entry("rahim", PLAIN, [Piece(top.folders["rahim"], "rahim")], (), "rahim"), Budget())
    assert [f.path for f in rahim.files] == ["cuda_ms.py"]
    assert all("forbidden path" in why.en for _, why in rahim.closed)
    assert len(rahim.closed) == 2
    for name in ("../rahim/evil.py", "/rahim/evil.py", "C:/x.py", "..\\x.py", "x\\..\\..\\y.py"[1:]):
        path.write_bytes(zipped(name, "salma/cuda_ms.py"))
        with pytest.raises(BadArchive, match="forbidden path"):
            in_zip(DiskFile("class.zip", path), budget, shared=True)
    budget.close()


def test_a_link_in_a_folder_is_seen_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "rahim").mkdir()
    (tmp_path / "secret.py").write_bytes(b"secret")
    (tmp_path / "rahim" / "cuda_ms.py").symlink_to(tmp_path / "secret.py")
    (tmp_path / "rahim" / "loop").symlink_to(tmp_path / "rahim")
    (tmp_path / "rahim" / "b.py").write_bytes(ANSWER)
    (tmp_path / "rahim" / "c.py").symlink_to("b.py")
    folder = DiskFolder("rahim", tmp_path / "rahim").alone()
    found = haul(Entry("rahim", PLAIN, [Piece(folder, "rahim")], (), "rahim"), Budget())
    assert [(f.path, f.file.read(1000)) for f in found.files] == [("b.py", ANSWER), ("c.py", ANSWER)]
    assert {name: why.en for name, why in found.closed} == {n: f"{n}: it is a link, and is not followed." for n in ("cuda_ms.py", "loop")}


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400), st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 255)), max_size=6))
def test_no_bytes_raise_anything_but_a_refusal(noise: bytes, edits: list[tuple[int, int]]) -> None:
    for data in (noise, zipped("a/cuda_ms.py", "b.zip") + noise, noise + zipped("cuda_ms.py")):
        changed = bytearray(data)
        for at, value in edits:
            if changed:
                changed[at % len(changed)] = value
        budget = Budget()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                for member in opened("x.zip", bytes(changed), budget).infolist():
                    path = parts(member)
                    assert path is None or (".." not in path and not path[0].startswith("/"))
            except BadArchive:
                pass
            finally:
                budget.close()
