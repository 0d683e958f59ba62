from __future__ import annotations

import io
import os
import sys
import zipfile
from pathlib import Path

import pytest
from made_class import works

from courselib import classroom
from courselib.classroom import Class
from courselib.course import Course, load_course
from courselib.intake.contents import DiskFolder, File, Folder
from courselib.intake.names import answers, reupload, split
from courselib.intake.picking import Work
from courselib.trouble import Trouble

A, B = b"x = 1\n", b"x = 2\n"
ONE = ["timing/cuda_ms"]
ALL = ["timing/cuda_ms", "memory/memory_arithmetic"]
Tree = dict[str, bytes]


@pytest.fixture(scope="module")
def course() -> Course:
    return load_course(Path(__file__).parent)


def zipped(tree: Tree) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in tree.items():
            archive.writestr(name, data)
    return out.getvalue()


def laid(folder: Path, tree: Tree, form: str = "folder") -> Path:
    """Lay a class out as a folder, as a zip of its files, or as a zip of the folder."""
    if form != "folder":
        path = folder / "hw1.zip"
        path.write_bytes(zipped(tree if form == "zip" else {f"hw1/{n}": d for n, d in tree.items()}))
        return path
    for name, data in tree.items():
        path = folder / "hw1" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder / "hw1"


def read(path: Path, course: Course, exercises: list[str] = ONE) -> dict[str, Work]:
    return {w.student: w for w in works(path, course, exercises) if w.exercise == ONE[0]}


def grades(found: dict[str, Work]) -> dict[str, bytes | None]:
    return {s: w.data for s, w in found.items()}


def said(path: Path, course: Course, exercises: list[str] = ALL) -> str:
    opened = Class(path, course, exercises)
    opened.close()
    return " ".join(t.en for t in opened.said)


def notes(work: Work) -> str:
    return " ".join(n.en for n in work.notes)


CANVAS = {
    "karimrahim_501_9001_cuda_ms.py": A,
    "sultanasalma_LATE_502_9002_cuda_ms-2.py": B,
    "sultanasalma_LATE_502_8002_cuda_ms-1.py": A,
    "sultanasalma_LATE_502_7002_cuda_ms.py": A,
    "রহমানআনিকা_503_9003_my hw.zip": zipped({"my hw/cuda_ms.ipynb": A}),
    "karimrahim_504_text.html": b"<p>my answer</p>",
    "LATE_anon_Ab3dE_9005_cuda_ms.py": B,
}
CANVAS_GRADES = {
    "karimrahim_501": A, "karimrahim_504": None, "sultanasalma_502": B, "রহমানআনিকা_503": A, "anon_Ab3dE": B,
}  # fmt: skip

MOODLE_FOLDERS = {
    "Rahim O'Karim_1327627_assignsubmission_file_/hw/cuda_ms.py": A,
    "Rahim O'Karim_1327627_assignsubmission_onlinetext_/onlinetext.html": b"<p>hello</p>",
    "সালমা সুলতানা_1327628_assignsubmission_file/hand in.zip": zipped({"cuda_ms.py": B}),
    "Rahim O'Karim_1327629_assignsubmission_onlinetext_/onlinetext.html": b"<p>hello</p>",
}
MOODLE_FLAT = {
    "Rahim O'Karim_1327627_assignsubmission_file_cuda_ms.py": A,
    "Rahim O'Karim_1327627_assignsubmission_onlinetext_onlinetext.html": b"<p>hello</p>",
    "সালমা সুলতানা_1327628_assignsubmission_file_hand in.zip": zipped({"cuda_ms.py": B}),
    "Rahim O'Karim_1327629_assignsubmission_onlinetext_onlinetext.html": b"<p>hello</p>",
}
MOODLE_GRADES = {"Rahim O'Karim_1327627": A, "সালমা সুলতানা_1327628": B, "Rahim O'Karim_1327629": None}

METADATA = """---
submission_1:
  :submitters:
  - :name: Rahim Karim
    :sid: 0042
    :email: rahim@example.org
  :created_at: 2026-03-01 12:00:00.123456000 +06:00
  :score: 3.0
  :results: !ruby/object:Some::Class
    :tests: []
submission_2:
  :submitters:
  - :name: Salma
    :sid: 1e5
    :email: salma@example.org
  - :name: Anika
    :sid:
    :email: anika@example.org
submission_3:
  :submitters:
  - :name: Gone
    :sid: '77'
"""
GRADESCOPE = {
    "assignment_9100_export/submission_metadata.yml": METADATA.encode(),
    "assignment_9100_export/submission_1/cuda_ms.py": A,
    "assignment_9100_export/submission_2/x/cuda_ms.py": B,
    "assignment_9100_export/submission_9/cuda_ms.py": B,
}
GRADESCOPE_GRADES = {"0042": A, "1e5": B, "anika@example.org": B, "77": None, "submission_9": B}

NBGRADER = {
    "submitted/0042/hw1/cuda_ms.ipynb": A,
    "submitted/0042/hw1/timestamp.txt": b"2026-03-01 09:30:00.000001 UTC\n",
    "submitted/salma/hw1/cuda_ms.ipynb": B,
    "submitted/salma/hw1/timestamp.txt": b"2026-03-02 09:30:00.000001 UTC",
    "source/hw1/cuda_ms.ipynb": b"no student's",
    "release/hw1/cuda_ms.ipynb": b"no student's",
    "gradebook.db": b"",
}
OTTER = {
    "rahim/cuda_ms_2026_03_01T10_00_00_000000.zip": zipped({"cuda_ms.ipynb": B, ".OTTER_LOG": b"\x80\x04never loaded"}),
    "rahim/cuda_ms_2026_03_01T11_00_00_000000.zip": zipped({"cuda_ms.ipynb": A, ".OTTER_LOG": b"\x80\x04never loaded"}),
    "salma.zip": zipped({"cuda_ms.ipynb": B, "__zip_filename__": b"x.zip", "cuda_ms.pdf": b"%PDF"}),
}
FLAT = {
    "rahim_cuda_ms.py": A,
    "rahim_memory_arithmetic.py": B,
    "cuda_ms_2021-3-60-012.ipynb": B,
    "Salma Sultana - cuda_ms (1).ipynb": B,
}
PLAIN = {"rahim/cuda_ms.py": A, "0042.zip": zipped({"hw/cuda_ms.ipynb": B}), "00123456789012345/cuda_ms.py": B, "1e5/other.txt": b""}

KINDS = {
    "canvas": (CANVAS, CANVAS_GRADES, "found: Canvas download: 5; 2 of them late."),
    "moodle folders": (MOODLE_FOLDERS, MOODLE_GRADES, "found: Moodle download: 3."),
    "moodle flat": (MOODLE_FLAT, MOODLE_GRADES, "found: Moodle download: 3."),
    "gradescope": (GRADESCOPE, GRADESCOPE_GRADES, "found: Gradescope export: 5."),
    "nbgrader": (NBGRADER, {"0042": A, "salma": B}, "found: nbgrader's submitted folder: 2; left out: gradebook.db, release, source."),
    "otter": (OTTER, {"rahim": A, "salma": B}, "found: one folder or zip per student: 2."),
    "flat": (FLAT, {"rahim": A, "2021-3-60-012": B, "Salma Sultana": B}, "found: loose files in one folder: 3."),
    "plain": (PLAIN, {"rahim": A, "0042": B, "00123456789012345": B, "1e5": None}, "found: one folder or zip per student: 4."),
}


@pytest.mark.parametrize("form", ["folder", "zip", "zip of the folder"])
@pytest.mark.parametrize("kind", KINDS)
def test_each_layout_gives_every_student_their_own_file_and_is_said_aloud(tmp_path: Path, course: Course, kind: str, form: str) -> None:
    tree, right, line = KINDS[kind]
    path = laid(tmp_path, tree, form)
    assert grades(read(path, course, ALL)) == right
    assert said(path, course) == line


def test_a_folder_that_holds_the_downloaded_zip_is_the_download(tmp_path: Path, course: Course) -> None:
    for kind in ("canvas", "moodle folders", "gradescope"):
        tree, right, _ = KINDS[kind]
        folder = tmp_path / kind
        folder.mkdir()
        assert grades(read(laid(folder, {"submissions.zip": zipped(tree), "roster.csv": b"id\n"}), course, ALL)) == right


def test_downloads_side_by_side_are_one_class(tmp_path: Path, course: Course) -> None:
    tree = {
        "first.zip": zipped({"karimrahim_501_9001_cuda_ms.py": A, "sultanasalma_502_9002_cuda_ms.py": B}),
        "second.zip": zipped({"karimrahim_LATE_501_9003_memory_arithmetic.py": B}),
    }
    found = list(works(laid(tmp_path, tree), course, ALL))
    assert [(w.student, w.data, w.late) for w in found] == [
        ("karimrahim_501", A, False), ("karimrahim_501", B, True), ("sultanasalma_502", B, False), ("sultanasalma_502", None, False),
    ]  # fmt: skip


def test_the_newest_reupload_wins_and_the_older_are_named(tmp_path: Path, course: Course) -> None:
    work = read(laid(tmp_path, CANVAS), course)["sultanasalma_502"]
    assert (work.file, work.late) == ("sultanasalma_LATE_502_9002_cuda_ms-2.py", True)
    assert "sultanasalma_LATE_502_7002_cuda_ms.py" in notes(work)
    assert "sultanasalma_LATE_502_8002_cuda_ms-1.py" in notes(work)


def test_the_tenth_upload_is_newer_than_the_ninth(tmp_path: Path, course: Course) -> None:
    tree = {"a_1_9_cuda_ms-9.py": A, "a_1_10_cuda_ms-10.py": B}
    assert grades(read(laid(tmp_path, tree), course)) == {"a_1": B}


def test_uploads_of_two_kinds_are_a_tie_that_names_both(tmp_path: Path, course: Course) -> None:
    (work,) = read(laid(tmp_path, {"a_1_9_cuda_ms.ipynb": A, "a_1_10_cuda_ms-1.py": B}), course).values()
    assert work.trouble is not None
    assert (work.data, work.trouble[0]) == (None, "refused")
    assert "a_1_10_cuda_ms-1.py, a_1_9_cuda_ms.ipynb" in work.trouble[1].en


def test_text_typed_into_the_lms_is_noted(tmp_path: Path, course: Course) -> None:
    found = read(laid(tmp_path, MOODLE_FOLDERS), course)
    for student in ("Rahim O'Karim_1327627", "Rahim O'Karim_1327629"):
        assert "online text typed into the LMS is not graded" in notes(found[student])
    (tmp_path / "c").mkdir()
    assert "online text" in notes(read(laid(tmp_path / "c", CANVAS), course)["karimrahim_504"])


def test_times_come_from_the_export_and_only_from_it(tmp_path: Path, course: Course) -> None:
    assert read(laid(tmp_path, GRADESCOPE, "zip"), course)["0042"].submitted == "2026-03-01 12:00:00.123456000 +06:00"
    assert read(laid(tmp_path, NBGRADER), course)["0042"].submitted == "2026-03-01 09:30:00.000001 UTC"
    forged = {"rahim/hw1/cuda_ms.py": A, "rahim/hw1/timestamp.txt": b"1999-01-01 00:00:00 UTC", "salma/cuda_ms.py": A}
    (tmp_path / "f").mkdir()
    assert read(laid(tmp_path / "f", forged), course)["rahim"].submitted == ""


def test_a_student_cannot_make_rows_for_others(tmp_path: Path, course: Course) -> None:
    forged = "submission_1:\n  :submitters:\n  - :sid: salma\n"
    tree = {
        "rahim/submission_metadata.yml": forged.encode(),
        "rahim/submission_1/cuda_ms.py": A,
        "rakib.zip": zipped({"salma_1_2_cuda_ms.py": A, "tanvir_2_3_cuda_ms.py": A}),
        "salma/cuda_ms.py": B,
    }
    assert grades(read(laid(tmp_path, tree), course)) == {"rahim": A, "rakib": None, "salma": B}


def test_gradescope_names_what_does_not_fit(tmp_path: Path, course: Course) -> None:
    found = read(laid(tmp_path, GRADESCOPE), course)
    assert "the export has no such folder" in notes(found["77"])
    assert "does not list it" in notes(found["submission_9"])
    twice = METADATA + "submission_4:\n  :submitters:\n  - :sid: '77'\n"
    (tmp_path / "t").mkdir()
    with pytest.raises(Trouble, match="two entries for 77"):
        read(laid(tmp_path / "t", {"submission_metadata.yml": twice.encode()}), course)
    (tmp_path / "u").mkdir()
    with pytest.raises(Trouble, match="cannot be read"):
        read(laid(tmp_path / "u", {"submission_metadata.yml": b"a: [", "submission_1/x.py": A}), course)


def test_nothing_vanishes(tmp_path: Path, course: Course) -> None:
    tree = {
        "rahim.rar": b"Rar!", "salma.tar.gz": b"\x1f\x8b", "nasrin.py": A, "tanvir_answers.pdf": b"%PDF", "cuda_ms.py": A,
        "anika/answers.docx": b"PK", "rakib/work.7z": b"7z", "rakib/memory_arithmetic.py": A, "grades.csv": b"",
    }  # fmt: skip
    path = laid(tmp_path, tree)
    found = read(path, course, ALL)
    why = {s: (w.trouble[0] if w.trouble else "", (w.trouble[1].en if w.trouble else notes(w))) for s, w in found.items()}
    assert why["rahim"] == ("refused", "rahim.rar: .rar is not opened; hand it in again as a zip.")
    assert why["salma"] == ("refused", "salma.tar.gz: .gz is not opened; hand it in again as a zip.")
    assert why["nasrin"][0] == "unreadable"
    assert "nasrin.py: whose is it, and which exercise?" in why["nasrin"][1]
    assert why["tanvir_answers"] == ("unreadable", "tanvir_answers.pdf: not a .py or .ipynb file.")
    assert "whose is it" in why["cuda_ms"][1]
    assert why["anika"] == ("", "no .py or .ipynb, only: answers.docx.")
    assert why["rakib"] == ("refused", "work.7z: .7z is not opened; hand it in again as a zip.")
    assert said(path, course).endswith("left out: grades.csv.")
    other = next(w for w in works(path, course, ALL) if w.student == "rakib" and w.data)
    assert "work.7z" in notes(other)


def test_where_one_exercise_is_graded_a_loose_file_needs_only_the_students_name(tmp_path: Path, course: Course) -> None:
    path = laid(tmp_path, {"rahim.py": A, "0042.ipynb": B, "cuda_ms.py": A, "salma_dtype_prediction.py": A})
    assert grades(read(path, course)) == {"rahim": A, "0042": B, "cuda_ms": None, "salma": None}


@pytest.mark.parametrize(
    "name",
    ["Copy of cuda_ms.ipynb", "cuda_ms (1).py", "cuda_ms-1.py", "Rahim Uddin - cuda_ms.ipynb", "CUDA_MS.PY",
     "Copy of Copy of cuda_ms (2).ipynb",
     "cuda_ms - Copy.py", "cuda_ms - Copy (3).py", "cuda_ms copy 2.py", "cuda_ms.py.py", "রহিম - Copy of cuda_ms.ipynb", "Cuda_ms.py"],
)  # fmt: skip
def test_a_decorated_name_is_taken_with_a_note_where_it_is_the_only_one(tmp_path: Path, course: Course, name: str) -> None:
    work = read(laid(tmp_path, {f"rahim/{name}": A, "rahim/dtype_prediction.py": B}), course, ALL)["rahim"]
    assert (work.data, notes(work)) == (A, f"{name} is taken for cuda_ms.")
    (tmp_path / "b").mkdir()
    work = read(laid(tmp_path / "b", {f"rahim/{name}": A, "rahim/x/cuda_ms.py": B}), course, ALL)["rahim"]
    assert (work.data, notes(work)) == (B, "")


def test_two_decorated_names_are_a_tie(tmp_path: Path, course: Course) -> None:
    (work,) = read(laid(tmp_path, {"rahim/cuda_ms (1).py": A, "rahim/Copy of cuda_ms.py": B}), course).values()
    assert work.trouble is not None
    assert "Copy of cuda_ms.py, cuda_ms (1).py; keep one" in work.trouble[1].en


def test_two_files_of_one_name_in_a_zip_are_a_tie(tmp_path: Path, course: Course) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("cuda_ms.py", A)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("cuda_ms.py", B)
    (work,) = read(laid(tmp_path, {"rahim.zip": out.getvalue()}), course).values()
    assert work.data is None
    assert work.trouble is not None
    assert "cuda_ms.py, cuda_ms.py; keep one" in work.trouble[1].en


@pytest.mark.parametrize("name", ["cuda_ms_v2.py", "cuda.py", "dtype_prediction.py", "cuda_ms1.py", "1cuda_ms.py", "cuda_ms_final - x.py"])
def test_other_names_are_never_taken(name: str) -> None:
    assert not answers(name, "cuda_ms")


def test_names_are_split_and_counted() -> None:
    both = ("ms", "cuda_ms")
    assert split("rahim_cuda_ms.py", both) == ("rahim", "cuda_ms.py")
    assert split("cuda_ms-rahim karim (2).ipynb", both) == ("rahim karim", "cuda_ms (2).ipynb")
    assert split("2021-3-60-012_cuda_ms-1.py", both) == ("2021-3-60-012", "cuda_ms-1.py")
    assert [split(n, both) for n in ("cuda_ms.py", "cuda_ms (1).py", "Copy of CUDA_MS.py", "rahim.py")] == [None] * 4
    assert split("rahim_cuda_ms.py", ()) is None
    assert [reupload(n) for n in ("a-1.tar.gz", "a.b-1.py", "a-12", "-1.py", "a-b.py")] == [
        ("a.tar.gz", 1), ("a.b-1.py", 0), ("a", 12), ("-1.py", 0), ("a-b.py", 0),
    ]  # fmt: skip


def test_names_cannot_steer_a_terminal(tmp_path: Path, course: Course) -> None:
    path = laid(tmp_path, {"\x1b[31mrahim\u202e/cuda_ms.py": A, "ক্\u200dষ/cuda_ms.py": B}, "zip")
    assert grades(read(path, course)) == {"\ufffd[31mrahim\ufffd": A, "ক্\u200dষ": B}


def test_every_sentence_about_a_class_is_there_in_bangla(tmp_path: Path, course: Course) -> None:
    opened = Class(laid(tmp_path, {**CANVAS, "notes.txt": b""}), course, ONE)
    opened.close()
    assert opened.said[0].bn == "পাওয়া গেল: Canvas-এর ডাউনলোড: 5; দেরিতে 2 জন; বাদ: notes.txt।"
    assert opened.names["sultanasalma_502"] == "sultanasalma"


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() == 0, reason="root reads everything")
def test_a_folder_that_cannot_be_read_costs_one_student(tmp_path: Path, course: Course) -> None:
    path = laid(tmp_path, {"rahim/cuda_ms.py": A, "salma/cuda_ms.py": B})
    (path / "rahim").chmod(0)
    found = read(path, course)
    (path / "rahim").chmod(0o755)
    assert grades(found) == {"rahim": None, "salma": B}


def test_a_disk_that_fails_costs_one_student(tmp_path: Path, course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    path = laid(tmp_path, {"rahim/cuda_ms.py": A, "salma/cuda_ms.py": B})
    whole = classroom.haul

    def failing(entry: classroom.Entry, budget: classroom.Budget) -> classroom.Haul:
        if entry.student == "rahim":
            raise OSError(5, "Input/output error")
        return whole(entry, budget)

    monkeypatch.setattr(classroom, "haul", failing)
    found = read(path, course)
    assert grades(found) == {"rahim": None, "salma": B}
    assert found["rahim"].trouble is not None
    assert found["rahim"].trouble[0] == "unreadable"


def test_no_file_stays_open(tmp_path: Path, course: Course) -> None:
    tree = {f"s{i}.zip": zipped({"in.zip": zipped({"cuda_ms.py": A})}) for i in range(30)}
    path = laid(tmp_path, tree, "zip")
    before = len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0
    assert set(grades(read(path, course)).values()) == {A}
    assert (len(os.listdir("/proc/self/fd")) if sys.platform == "linux" else 0) == before


def test_a_folder_that_cannot_be_listed_costs_one_student(tmp_path: Path, course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    path = laid(tmp_path, {"rahim/cuda_ms.py": A, "salma/cuda_ms.py": B})
    listed = DiskFolder.items

    def failing(self: DiskFolder) -> list[File | Folder]:
        if self.name == "rahim":
            raise PermissionError(13, "Permission denied")
        return listed(self)

    monkeypatch.setattr(DiskFolder, "items", failing)
    found = read(path, course)
    assert grades(found) == {"rahim": None, "salma": B}
    assert found["rahim"].trouble is not None
    assert found["rahim"].trouble[1].en == "rahim: it cannot be read ([Errno 13] Permission denied)."
