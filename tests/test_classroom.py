from __future__ import annotations

import io
import os
import random
import sys
import unicodedata
import warnings
import zipfile
from pathlib import Path

import pytest
from made_class import students, works

from courselib.course import Course, load_course
from courselib.grader import Work
from courselib.intake import archive
from courselib.trouble import Trouble

ANSWER = b"x = 1\n" * 50


@pytest.fixture(scope="module")
def course() -> Course:
    return load_course(Path(__file__).parent)


def put(folder: Path, name: str, data: bytes = ANSWER) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def packed(*names: str | zipfile.ZipInfo) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, ANSWER)
    return out.getvalue()


def handed_in(folder: Path, course: Course) -> Work:
    """Return the one student's work on cuda_ms; the other exercises must not be touched by it."""
    mine, other = works(folder, course, ["timing/cuda_ms", "memory/memory_arithmetic"])
    assert (mine.student, mine.exercise, other.data) == ("rahim", "timing/cuda_ms", None)
    return mine


def reason(work: Work, status: str) -> str:
    assert work.data is None
    assert work.trouble is not None
    assert work.trouble[0] == status
    return work.trouble[1].en


@pytest.mark.parametrize("name", ["cuda_ms.py", "my hw/deep/er/cuda_ms.ipynb", "cuda_ms.PY", "বাড়ির কাজ/cuda_ms.py"])
@pytest.mark.parametrize("zipped", [False, True])
def test_the_file_of_an_exercise_is_found_by_its_name_at_any_depth(tmp_path: Path, course: Course, name: str, zipped: bool) -> None:
    litter = [
        "notes.txt",
        ".ipynb_checkpoints/cuda_ms.py",
        "__MACOSX/._cuda_ms.py",
        "a/._cuda_ms.py",
        "cuda_ms.html",
        "__pycache__/cuda_ms.py",
    ]
    if zipped:
        put(tmp_path, "rahim.zip", packed(name, *litter))
    else:
        for each in [name, *litter]:
            put(tmp_path / "rahim", each)
    work = handed_in(tmp_path, course)
    assert (work.file, work.data, work.trouble) == (name, ANSWER, None)


def test_a_zip_that_windows_made_with_backslashes_is_read_too(tmp_path: Path, course: Course) -> None:
    put(tmp_path, "rahim.zip", packed("hw/cuda_ms.py").replace(b"hw/cuda_ms.py", b"hw\\cuda_ms.py"))
    work = handed_in(tmp_path, course)
    assert (work.file, work.data) == ("hw/cuda_ms.py", ANSWER)


def test_two_candidates_are_never_picked_from(tmp_path: Path, course: Course) -> None:
    put(tmp_path, "rahim/cuda_ms.py")
    put(tmp_path, "rahim/old/cuda_ms.ipynb")
    assert reason(handed_in(tmp_path, course), "refused") == "more than one file for cuda_ms: cuda_ms.py, old/cuda_ms.ipynb; keep one."


def test_the_exact_name_wins_over_one_that_looks_like_it(tmp_path: Path, course: Course) -> None:
    put(tmp_path, "rahim/cuda_ms (1).py", b"old")
    put(tmp_path, "rahim/cuda_ms.py")
    assert handed_in(tmp_path, course).data == ANSWER


@pytest.mark.parametrize("name", ["cudams.py", "cuda-ms.py", "cuda_ms.py.txt", "cuda_ms.ipynb.json", "my_own_version_of_cuda_ms_v2.py"])
def test_a_misspelt_name_is_for_a_person_to_see(tmp_path: Path, course: Course, name: str) -> None:
    put(tmp_path / "rahim", name)
    assert reason(handed_in(tmp_path, course), "unreadable") == f"{name} may be cuda_ms; rename it and grade again."


def test_who_hands_in_nothing_still_has_a_row(tmp_path: Path, course: Course) -> None:
    (tmp_path / "rahim").mkdir()
    work = handed_in(tmp_path, course)
    assert (work.data, work.trouble) == (None, None)


def link(target: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(target)
    info.external_attr = 0o120777 << 16
    return info


HOSTILE = ["../../evil.py", "a/../../evil.py", "/tmp/evil.py", "C:/evil.py", "..\\evil.py", "\\\\host\\evil.py"]


@pytest.mark.parametrize("name", [*HOSTILE, link("cuda_ms.py")], ids=str)
def test_an_archive_that_leads_out_is_refused(tmp_path: Path, course: Course, name: str | zipfile.ZipInfo) -> None:
    data = packed(name, "cuda_ms2.py")
    assert "forbidden path" in reason(_alone(tmp_path, course, data), "refused")


def _alone(tmp_path: Path, course: Course, data: bytes) -> Work:
    put(tmp_path, "rahim.zip", data)
    put(tmp_path, "salma/cuda_ms.py")
    first, second = works(tmp_path, course, ["timing/cuda_ms"])
    assert (first.student, second.student, second.data) == ("rahim", "salma", ANSWER)  # the class goes on
    return first


def test_an_encrypted_archive_is_refused(tmp_path: Path, course: Course) -> None:
    data = bytearray(packed("cuda_ms.py"))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert "encrypted" in reason(_alone(tmp_path, course, bytes(data)), "refused")


def test_a_bomb_is_refused_for_what_it_says_of_itself(tmp_path: Path, course: Course) -> None:
    data = bytearray(packed("cuda_ms.py", "b.py"))
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = (2**31).to_bytes(4, "little")
    assert "more than 2000 files or 200 MB" in reason(_alone(tmp_path, course, bytes(data)), "refused")
    assert "more than 2000 files" in reason(_alone(tmp_path, course, packed(*(f"{i}.txt" for i in range(2001)))), "refused")


@pytest.mark.parametrize("data", [b"", b"Rar!\x1a\x07", packed("cuda_ms.py")[:-30]])
def test_what_is_no_zip_is_refused(tmp_path: Path, course: Course, data: bytes) -> None:
    assert "not a zip, or damaged" in reason(_alone(tmp_path, course, data), "refused")


def test_no_damage_to_a_zip_ends_the_run(tmp_path: Path, course: Course) -> None:
    whole = packed("cuda_ms.py", "a/notes.txt")
    dice = random.Random(1)
    for _ in range(1500):
        data = bytearray(whole)
        for _ in range(dice.randint(1, 3)):
            data[dice.randrange(len(data))] = dice.randrange(256)
        put(tmp_path, "rahim.zip", bytes(data))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            (work,) = works(tmp_path, course, ["timing/cuda_ms"])
        assert work.data in (None, ANSWER)  # a checksum stands over what is read


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_out_of_the_students_folder_is_not_followed(tmp_path: Path, course: Course) -> None:
    secret = put(tmp_path, "elsewhere/cuda_ms.py", b"secret")
    beside = put(tmp_path, "class/rahim2/cuda_ms.py", b"a neighbour's")
    mine = tmp_path / "class" / "rahim"
    mine.mkdir()
    for target in (secret, beside, tmp_path / "nowhere"):
        (mine / "cuda_ms.py").symlink_to(target)
        (mine / "folder").symlink_to(target.parent)
        assert next(works(tmp_path / "class", course, ["timing/cuda_ms"])).data is None
        (mine / "cuda_ms.py").unlink()
        (mine / "folder").unlink()


def test_students_are_sorted_and_leftovers_are_none(tmp_path: Path, course: Course) -> None:
    for name in ("salma/a.py", "0042.zip", ".git/x", "__MACOSX/x", "grades.csv"):
        put(tmp_path, name)
    assert students(tmp_path, course) == ["0042", "salma"]


def test_one_name_in_two_spellings_is_one_student(tmp_path: Path, course: Course) -> None:
    composed, apart = (unicodedata.normalize(form, "José") for form in ("NFC", "NFD"))
    put(tmp_path / apart, "cuda_ms.py")
    assert students(tmp_path, course) == [composed]
    put(tmp_path, f"{composed}.zip")
    with pytest.raises(Trouble, match="two entries for José"):
        students(tmp_path, course)


def test_a_student_with_a_folder_and_a_zip_is_asked_about(tmp_path: Path, course: Course) -> None:
    put(tmp_path, "rahim/cuda_ms.py")
    put(tmp_path, "rahim.zip")
    with pytest.raises(Trouble, match=r"two entries for rahim \(rahim and rahim.zip\); keep one"):
        students(tmp_path, course)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such names")
def test_a_name_in_another_encoding_can_be_written_down(tmp_path: Path, course: Course) -> None:
    folder = os.fsencode(tmp_path) + b"/Jos\xe9"
    os.makedirs(folder)
    Path(os.fsdecode(folder + b"/cuda_ms\xe9.py")).write_bytes(ANSWER)
    (work,) = works(tmp_path, course, ["timing/cuda_ms"])
    assert work.student.encode() == "Jos\ufffd".encode()
    assert work.trouble is not None
    assert work.trouble[1].en.encode()


def test_an_empty_class_and_no_class_are_told(tmp_path: Path, course: Course) -> None:
    put(tmp_path, "readme.txt")
    with pytest.raises(Trouble, match="holds no submissions"):
        students(tmp_path, course)
    with pytest.raises(Trouble, match="is not a folder"):
        students(tmp_path / "readme.txt", course)


def test_a_folder_of_thousands_of_files_is_refused(tmp_path: Path, course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_FILES", 3)
    for i in range(4):
        put(tmp_path, f"rahim/{i}.py")
    assert reason(handed_in(tmp_path, course), "refused") == "more than 3 files."
