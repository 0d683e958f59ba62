"""Files beside an answer: found, bounded, hashed, importable, and never in a library's place."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from made_class import works

from courselib import judge, sandbox
from courselib.checks import CheckFile, check
from courselib.course import Course, load_course
from courselib.grader import Bench, Work, grade, here
from courselib.intake import beside
from courselib.keep import keys
from courselib.record import Record
from courselib.slot import Slot

ANSWER = b"import utils\n"
FILES = {
    "utils.py": b"y = 1\n",
    "data/train.csv": b"1,2\n",
    "data/empty.bin": b"",
    "pkg/__init__.py": b"",
    "ছবি/বিড়াল.txt": "মিঁউ".encode(),
}


@pytest.fixture(scope="module")
def course() -> Course:
    return load_course(Path(__file__).parent)


def put(folder: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def packed(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def handed_in(folder: Path, course: Course, student: str = "rahim") -> Work:
    return next(w for w in works(folder, course, ["timing/cuda_ms", "memory/memory_arithmetic"]) if w.student == student)


def notes(work: Work) -> list[str]:
    return [n.en for n in work.notes]


@pytest.mark.parametrize("home", ["", "my hw/deep/"])
@pytest.mark.parametrize("zipped", [False, True])
def test_what_lies_beside_the_answer_comes_along(tmp_path: Path, course: Course, home: str, zipped: bool) -> None:
    sent = {f"{home}{n}": data for n, data in {"cuda_ms.py": ANSWER, **FILES}.items()}
    litter = {
        "__MACOSX/._utils.py": b"x",
        f"{home}.ipynb_checkpoints/utils.py": b"x",
        f"{home}.hidden": b"x",
        f"{home}__pycache__/u.pyc": b"x",
    }
    if zipped:
        put(tmp_path, {"rahim.zip": packed(sent | litter)})
    else:
        put(tmp_path / "rahim", sent | litter)
    work = handed_in(tmp_path, course)
    assert (dict(work.beside), work.data, work.notes) == (FILES, ANSWER, ())


def test_answers_to_other_exercises_and_files_above_stay_out(tmp_path: Path, course: Course) -> None:
    put(
        tmp_path / "rahim",
        {"hw/cuda_ms.py": ANSWER, "hw/memory_arithmetic.py": b"x", "hw/Copy of step_ordering.ipynb": b"x", "notes.txt": b"x"},
    )
    put(tmp_path / "rahim", {"hw/inner.zip": packed({"utils.py": b"x"})})
    assert handed_in(tmp_path, course).beside == ()


def test_loose_files_of_one_student_lie_together_under_their_own_names(tmp_path: Path, course: Course) -> None:
    put(
        tmp_path, {"rahimuddin_12_345_cuda_ms.py": ANSWER, "rahimuddin_12_346_utils.py": b"y = 1\n", "salmakhatun_13_347_utils.py": b"hers"}
    )
    work = next(w for w in works(tmp_path, course, ["timing/cuda_ms"]) if w.data)
    assert work.beside == (("utils.py", b"y = 1\n"),)


def test_too_much_is_left_out_with_a_word(tmp_path: Path, course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "MAX_TOTAL", 10)
    put(tmp_path / "rahim", {"cuda_ms.py": ANSWER, "a.bin": b"x" * 11, "b.csv": b"1,2\n", "c" * 190 + "/" + "d" * 20: b"x"})
    work = handed_in(tmp_path, course)
    assert work.beside == (("b.csv", b"1,2\n"),)
    assert [n.split(" could")[0][:5] for n in notes(work)] == ["a.bin", "ccccc"]
    monkeypatch.setattr(beside, "MAX_FILES", 0)
    assert handed_in(tmp_path, course).beside == ()


def test_a_file_where_a_folder_is_to_be_does_not_stop_anything(tmp_path: Path, course: Course) -> None:
    put(tmp_path, {"rahim.zip": packed({"cuda_ms.py": ANSWER, "a": b"1", "a/b.txt": b"2"})})
    work = handed_in(tmp_path, course)
    assert (work.beside, len(work.notes)) == ((("a", b"1"),), 1)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("torch.py", "torch.py"), ("random.py", "random.py"), ("types.py", "types.py"), ("courselib.py", "courselib.py"),
        ("numpy/__init__.py", "numpy"), ("numpy/data.csv", None), ("utils.py", None), ("lib/torch.py", None),
    ],
)  # fmt: skip
def test_a_file_with_a_librarys_name_is_told(tmp_path: Path, course: Course, name: str, said: str | None) -> None:
    put(tmp_path / "rahim", {"cuda_ms.py": ANSWER, name: b"x = 1\n"})
    told = notes(handed_in(tmp_path, course))
    assert [n.partition(" hides")[0] for n in told] == ([f"your {said}"] if said else [])


def test_the_hash_is_the_answers_own_and_with_files_beside_it_that_of_all() -> None:
    bench, run = Bench(CheckFile(Path("x.py"), ()), 1, ""), keys.Settings(b"", "process")
    plain, one, two = (Work("s", "u/x", "x.py", ANSWER, beside=b) for b in ((), (("a", b"1"),), (("a", b"2"),)))
    assert len({w.sha256 for w in (plain, one, two)}) == 3
    assert len({keys.of_work(w, bench, run) for w in (plain, one, two)}) == 3
    assert plain.sha256 == Work("t", "u/y", "y.py", ANSWER).sha256


@check("part", 1, bn="মান ঠিক", en="the value is right")
def is_right(value: Any) -> None:
    judge.equal(value() if callable(value) else value, 42, "value")


def outcome(slot: Slot, zygote: sandbox.Zygote, source: str, **files: bytes | str) -> Record:
    bench = Bench(CheckFile(Path("x.py"), (is_right,)), 20, "")  # type: ignore[arg-type]
    laid = tuple((n.replace("__", "."), d if isinstance(d, bytes) else d.encode()) for n, d in files.items())
    return grade(Work("s", "unit/x", "x.py", source.encode(), beside=laid), bench, slot, here(zygote.isolation))


@pytest.mark.parametrize(
    "source",
    [
        "from utils import value",
        "import utils\ndef value():\n    return utils.value",
        "value = int(open('n.txt').read())",
        "import os\nos.chdir('/')\ndef value():\n    return int(open('n.txt').read())",
        "import os\nopen('n.txt', 'w').write('42')\nvalue = int(open('n.txt').read())",
        "%run utils.py",
    ],
)
def test_helpers_are_imported_and_data_is_opened_from_the_answers_own_folder(slot: Slot, zygote: sandbox.Zygote, source: str) -> None:
    record = outcome(slot, zygote, source, utils__py="value = 42\n", n__txt="42", empty__bin=b"")
    assert [v.outcome for v in record.checks] == ["passed"], record


def test_no_file_takes_a_librarys_place_whoever_imports_it(slot: Slot, zygote: sandbox.Zygote) -> None:
    names = ("torch", "random", "types", "test", "numpy", "json", "otter", "courselib", "safetensors", "sitecustomize")
    bad = {f"{n}__py": "raise SystemExit\n" for n in names}
    source = "import random, types, json, numpy, torch, statistics, courselib.worker\nvalue = int(torch.tensor(42))\nimport torch.optim\n"
    record = outcome(slot, zygote, source, **bad)
    assert ([v.outcome for v in record.checks], record.message) == (["passed"], "")


def test_the_next_worker_finds_nothing_of_them(slot: Slot, zygote: sandbox.Zygote) -> None:
    outcome(slot, zygote, "import utils\nvalue = 42", utils__py="")
    assert "ModuleNotFoundError" in outcome(slot, zygote, "import utils\nvalue = 42").message


@pytest.mark.parametrize("path", ["/content/drive/MyDrive/x.csv", "C:\\\\Users\\\\me\\\\x.csv", "../data/x.pt", "~/x.csv"])
def test_a_place_that_only_the_student_has_is_told(slot: Slot, zygote: sandbox.Zygote, path: str) -> None:
    record = outcome(slot, zygote, f"def value():\n    return open('{path}')")
    assert "hand the file in beside your answer" in record.checks[0].message
    assert "beside your answer" not in outcome(slot, zygote, "def value():\n    return open('x.csv')").checks[0].message
