"""What drives, desktops and platforms add to names: known, or left for a person, and never guessed between two."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_class import students, works

from courselib.course import Course, load_course
from courselib.intake import names

COPIES = [
    "Copy of cuda_ms.py", "cuda_ms - Copy.py", "cuda_ms - Copy (2).py", "cuda_ms (1).py", "cuda_ms(3).py",
    "cuda_ms copy.py", "cuda_ms copy 2.py", "Copy of Copy of cuda_ms (1).ipynb", "Kopie von cuda_ms.ipynb",
    "cuda_ms - Kopie.py", "Copie de cuda_ms.ipynb", "cuda_ms - Copie.py", "Copia de cuda_ms.ipynb",
    "cuda_ms - copia.py", "Cópia de cuda_ms.ipynb", "cuda_ms - Cópia (2).py", "cuda_ms-এর কপি.ipynb",
    "cuda_ms এর কপি.py", "cuda_ms-এর অনুলিপি.ipynb", "cuda_ms - কপি.py", "cuda_ms - কপি (২).py", "cuda_ms কপি.py",
    "CUDA_MS-2.py", "cuda_ms.py.py", "cuda_ms.ipynb (1).ipynb",
]  # fmt: skip


@pytest.fixture(scope="module")
def course() -> Course:
    return load_course(Path(__file__).parent)


def put(folder: Path, *paths: str) -> None:
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(path, encoding="utf-8")


@pytest.mark.parametrize("name", COPIES)
@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_copy_answers_what_its_original_does_and_says_so(tmp_path: Path, course: Course, name: str, form: str) -> None:
    put(tmp_path / "rahim", unicodedata.normalize(form, name))  # type: ignore[arg-type]
    (work,) = works(tmp_path, course, ["timing/cuda_ms"])
    assert work.data == unicodedata.normalize(form, name).encode()  # type: ignore[arg-type]
    assert [n.en for n in work.notes] == [f"{unicodedata.normalize('NFC', name)} is taken for cuda_ms."]


@pytest.mark.parametrize("name", COPIES[::4])
def test_two_copies_are_named_and_neither_is_picked(tmp_path: Path, course: Course, name: str) -> None:
    put(tmp_path / "rahim", name, "cuda_ms (7).py")
    (work,) = works(tmp_path, course, ["timing/cuda_ms"])
    assert work.data is None
    assert work.trouble is not None
    assert all(n in work.trouble[1].en for n in (name, "cuda_ms (7).py", "keep one"))


@pytest.mark.parametrize("name", ["copy_of_cuda_ms2.py", "my copy of cuda_ms final.py", "কপি.py", "copy.py", "Copy of.py"])
def test_what_only_looks_like_one_is_not_taken(tmp_path: Path, course: Course, name: str) -> None:
    put(tmp_path / "rahim", name)
    (work,) = works(tmp_path, course, ["timing/cuda_ms"])
    assert work.data is None


@pytest.mark.parametrize(
    "name", ["rahim_cuda_ms - Copy.py", "Copy of rahim_cuda_ms.py", "Kopie von rahim_cuda_ms.py", "rahim_cuda_ms-এর কপি.py"]
)
def test_loose_files_may_be_copies_too(tmp_path: Path, course: Course, name: str) -> None:
    put(tmp_path, name)
    (work,) = works(tmp_path, course, ["timing/cuda_ms"])
    assert (work.student, work.data) == ("rahim", name.encode())


@given(st.text(max_size=30))
def test_taking_additions_away_ends_and_is_done_once(text: str) -> None:
    assert names.bare(names.bare(text)) == names.bare(text)
    assert len(names.bare(text)) <= len(text)


@pytest.mark.parametrize(
    ("top", "folders", "who"),
    [
        ("gpu-week-1-submissions", ["gpu-week-1-rahim", "gpu-week-1-salma-k"], ["rahim", "salma-k"]),
        ("GPU-Week-1-submissions", ["gpu-week-1-rahim"], ["rahim"]),
        ("class", ["cuda-ms-rahim", "cuda-ms-0042"], ["0042", "rahim"]),
        ("class", ["cuda_ms-rahim", "cuda_ms-salma"], ["rahim", "salma"]),
        ("class", ["abdul-karim", "abdul-rahim"], ["abdul-karim", "abdul-rahim"]),
        ("class", ["gpu-week-1-rahim", "gpu-week-1-salma"], ["gpu-week-1-rahim", "gpu-week-1-salma"]),
        ("gpu-submissions", ["gpu-rahim", "salma"], ["gpu-rahim", "salma"]),
        ("gpu-submissions", ["gpu-", "gpu-rahim"], ["gpu-", "gpu-rahim"]),
    ],
)
def test_repositories_of_github_classroom_are_known_by_their_assignment(
    tmp_path: Path, course: Course, top: str, folders: list[str], who: list[str]
) -> None:
    put(tmp_path / top, *(f"{f}/{n}" for f in folders for n in ("cuda_ms.py", ".git/config", "README.md")))
    assert students(tmp_path / top, course) == who
    assert all(w.data for w in works(tmp_path / top, course, ["timing/cuda_ms"]))


def test_a_roster_may_know_a_repository_by_its_user(tmp_path: Path, course: Course) -> None:
    put(tmp_path / "gpu-submissions", "gpu-rahim42/cuda_ms.py", "gpu-salma/cuda_ms.py")
    (tmp_path / "roster.csv").write_text("id,username,name\n0042,rahim42,Rahim Uddin\n0043,salma,Salma\n", encoding="utf-8")
    found = list(works(tmp_path / "gpu-submissions", course, ["timing/cuda_ms"], tmp_path / "roster.csv"))
    assert [(w.student, w.data is not None) for w in found] == [("0042", True), ("0043", True)]
