from __future__ import annotations

import ast
import json
import shutil
import zipfile
from pathlib import Path

import made
import nbformat
import pytest

from courselib import release
from courselib.bundle import in_ascii, leaks
from courselib.checks import load_checks
from courselib.course import load_course
from courselib.stubs import answers_of, marked
from courselib.trouble import Trouble

COURSE = load_course(Path(__file__).parent)
NAMES = {e.id: e.name for e in COURSE.exercises.values()}
PARTS = {e: marked(COURSE.tree.solution(e).read_text(encoding="utf-8")) for e in NAMES}
BUNDLE = {
    "README.md", "course.yaml",
    *(f"{tree}/{e}.py" for tree in ("exercises", "autograder") for e in NAMES),
    *(f"autograder/{e}/{part}.py" for e, parts in PARTS.items() for part in parts),
    *(f"notebooks/{lang}/{n}.ipynb" for lang in ("bn", "en") for n in NAMES.values()),
    *(f"quizzes/{quiz}.{kind}" for quiz in COURSE.manifest.quizzes for kind in ("html", "yaml")),
}  # fmt: skip


def files(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def text_of(name: str, data: bytes) -> str:
    """Return a file as a reader sees it: a notebook's cells as text, escaped Bangla as Bangla."""
    text = data.decode("utf-8")
    if name.endswith(".ipynb"):
        text = "\n".join(c["source"] for c in json.loads(text)["cells"])
    return text + (text.encode().decode("unicode_escape") if text.isascii() else "")


def bangla(text: str) -> bool:
    return any("\u0980" <= c <= "\u09ff" for c in text)


def test_the_bundle_holds_stubs_public_checks_notebooks_the_manifest_and_a_readme_and_nothing_else(released: Path) -> None:
    bundle = files(released / "student")
    assert set(bundle) == BUNDLE
    for exercise in NAMES:
        assert bundle[f"exercises/{exercise}.py"] == COURSE.tree.stub(exercise).read_bytes()
    assert bundle["course.yaml"] == COURSE.tree.manifest.read_bytes()


@pytest.mark.parametrize("part", ["student", "notebooks"])
def test_no_answer_and_no_hidden_check_is_in_anything_a_student_is_given(released: Path, part: str) -> None:
    given = {name: text_of(name, data) for name, data in files(released / part).items()}
    assert given
    for exercise in NAMES:
        whole, answers = load_checks(COURSE.tree.checks(exercise)), answers_of(COURSE.tree.solution(exercise))
        assert answers
        assert any(c.hidden for c in whole.checks)
        for name, text in given.items():
            assert leaks(text, answers, whole) == [], name
            assert "BEGIN SOLUTION" not in text
            assert "# SOLUTION" not in text


def test_the_zip_is_the_bundle(released: Path) -> None:
    with zipfile.ZipFile(released / "student.zip") as archive:
        assert archive.testzip() is None
        assert {name: archive.read(name) for name in archive.namelist()} == files(released / "student")


@pytest.mark.parametrize("folder", ["notebooks", "student/notebooks"])
@pytest.mark.parametrize("lang", ["bn", "en"])
def test_every_notebook_is_valid_in_one_language_and_finds_its_checks(released: Path, folder: str, lang: str) -> None:
    for exercise, name in NAMES.items():
        path = released / folder / lang / f"{name}.ipynb"
        book = nbformat.read(path, as_version=4)
        nbformat.validate(book, relax_add_props=False)
        texts = [c.source for c in book.cells if c.cell_type == "markdown"]
        assert bangla("".join(texts)) == (lang == "bn")
        code = "\n".join(c.source for c in book.cells if c.cell_type == "code")
        tests_dir = code.split('tests_dir="')[1].split('"')[0]
        asked = [line.split('"')[1] for line in code.splitlines() if line.startswith("grader.check(")]
        assert asked == [f"{exercise}/{part}" for part in PARTS[exercise]] or asked == [exercise]
        assert all((path.parent / tests_dir / f"{question}.py").is_file() for question in asked)


def test_the_readme_says_in_both_languages_how_to_check_and_hand_in(released: Path) -> None:
    text = (released / "student" / "README.md").read_text(encoding="utf-8")
    for word in (
        "    courselib check\n",
        "notebooks/bn/memory_arithmetic.ipynb",
        "notebooks/en/memory_arithmetic.ipynb",
        "জমা দাও",
        "Hand in",
    ):
        assert word in text
    assert COURSE.manifest.title.bn in text
    assert COURSE.manifest.title.en in text
    assert "{" not in text


def test_an_otter_zip_holds_the_whole_check_file_and_nothing_of_the_solution(released: Path) -> None:
    for exercise, name in NAMES.items():
        with zipfile.ZipFile(released / "otter" / f"{name}.zip") as archive:
            assert set(archive.namelist()) == {
                "otter_config.json", "environment.yml", "run_autograder", "run_otter.py", "setup.sh", f"tests/{name}.py",
            }  # fmt: skip
            data = archive.read(f"tests/{name}.py")
        assert data.isascii()
        assert ast.dump(ast.parse(data)) == ast.dump(ast.parse(COURSE.tree.checks(exercise).read_bytes()))


def test_check_files_for_otter_are_ascii_because_it_opens_them_in_the_machines_own_encoding(released: Path) -> None:
    given = [p for p in released.rglob("*.py") if "autograder" in p.parts]
    assert len(given) == 3 * (len(NAMES) + sum(map(len, PARTS.values())))
    for path in given:
        assert path.read_bytes().isascii()
        exercise, part = next((e, p) for e in NAMES for p in ("", *PARTS[e]) if path.match(f"{e}/{p}.py" if p else f"{e}.py"))
        public, whole = load_checks(path), load_checks(COURSE.tree.checks(exercise))
        mine = [c for c in whole.checks if part in ("", c.part)]
        assert [(c.id, c.name.bn, c.name.en) for c in public.checks] == [(c.id, c.name.bn, c.name.en) for c in mine if not c.hidden]
        assert public.possible == sum(c.points for c in mine)


def test_escaping_changes_no_meaning_or_is_refused() -> None:
    source = "x = 'বাংলা é 🙂'  # মন্তব্য\n"
    assert in_ascii(source, "x.py").isascii()
    assert ast.dump(ast.parse(in_ascii(source, "x.py"))) == ast.dump(ast.parse(source))
    for refused in ("x = r'বাংলা'\n", "x = '\\ব'\n", "নাম = 1\n"):
        with pytest.raises((Trouble, SyntaxError)):
            in_ascii(refused, "x.py")
    with pytest.raises(Trouble, match=r"^x\.py: write Bangla in plain strings and comments only"):
        in_ascii("x = r'বাংলা'\n", "x.py")


def test_a_second_release_gives_the_same_bytes(released: Path, tmp_path: Path) -> None:
    done = made.command("release", "--out", tmp_path / "again", cwd=made.ROOT)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"written: {tmp_path / 'again'}\n", "")
    assert files(tmp_path / "again") == files(released)


@pytest.fixture
def unpacked(released: Path, tmp_path: Path) -> Path:
    with zipfile.ZipFile(released / "student.zip") as archive:
        archive.extractall(tmp_path / "mine")
    return tmp_path / "mine"


def test_a_right_answer_to_everything_gets_full_public_marks_in_the_bundle(unpacked: Path) -> None:
    for exercise in NAMES:
        shutil.copy(COURSE.tree.solution(exercise), unpacked / "exercises" / f"{exercise}.py")
    done = made.command("check", cwd=unpacked)
    assert done.stderr == ""
    assert done.returncode == 0
    assert "✗" not in done.stdout
    for exercise in NAMES:
        whole = load_checks(COURSE.tree.checks(exercise))
        public = sum(c.points for c in whole.checks if not c.hidden)
        waiting = sum(c.points for c in whole.checks if not c.hidden and c.deferred)
        hidden = [c.points for c in whole.checks if c.hidden]
        mine = done.stdout.split(f"\n{exercise}  ")[1].split("\n\n")[0]
        assert f"  {float(public - waiting):g}/{float(public):g} points" in mine
        assert f"  {len(hidden)} more checks ({float(sum(hidden)):g} points) run when you hand in." in mine
        assert not [c.name.en for c in whole.checks if c.hidden and c.name.en in mine]


def test_a_stub_gets_nothing_in_the_bundle_and_the_hint_is_shown(unpacked: Path) -> None:
    done = made.command("check", "notebooks/bn/memory_arithmetic.ipynb", "--lang", "bn", cwd=unpacked)
    assert done.stderr == ""
    assert done.returncode == 1
    assert "\n  0/7.5 নম্বর" in done.stdout
    assert COURSE.named("memory_arithmetic").hint.bn in done.stdout
    assert "✓" not in done.stdout


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave Otter's part out: it takes seconds and has tests of its own."""
    monkeypatch.setattr(release, "otter_zips", lambda course, exercises, out: out.mkdir())


@pytest.mark.usefixtures("quick")
def test_what_an_earlier_release_left_is_not_given_to_students(tmp_path: Path) -> None:
    course, out = load_course(made.course(tmp_path / "course")), tmp_path / "out"
    for _ in range(2):
        assert release.release(course, out) == 0
        first = files(out)
        made.write(out / "student" / "solutions" / "old.py", "")
    assert release.release(course, out) == 0
    assert files(out) == first


@pytest.mark.usefixtures("quick")
def test_a_folder_of_somebody_elses_is_never_emptied(tmp_path: Path) -> None:
    mine = made.write(tmp_path / "out" / "notebooks" / "thesis.ipynb", "years of work")
    with pytest.raises(Trouble, match=r"notebooks is there already, and no release made it; give --out another folder\.$"):
        release.release(load_course(made.course(tmp_path / "course")), tmp_path / "out")
    assert mine.read_text(encoding="utf-8") == "years of work"
    assert set(files(tmp_path / "out")) == {"notebooks/thesis.ipynb"}


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("OK_FORMAT = False", "OK_FORMAT = False\n\n\ndef answer_of_ours():\n    return 1\n"),
        ('judge.equal(square(3), 9, "square(3)")', 'answer = 41 + 1\n    judge.equal(square(3), 9, "square(3)")'),
        ('en="cube cubes"', 'en="cube cubes, and cube is right below zero"'),
    ],
)
def test_a_course_that_would_give_an_answer_away_is_not_released(tmp_path: Path, old: str, new: str) -> None:
    course = load_course(made.course(tmp_path / "course"))
    path = course.tree.checks("first/powers")
    made.write(path, path.read_text(encoding="utf-8").replace(old, new))
    if "answer_of_ours" in new:  # nothing that a public check uses, so it stays with us
        assert release.release(course, tmp_path / "out") == 0
        return
    with pytest.raises(Trouble, match=r"^first/powers: a student would see an answer or a hidden check \("):
        release.release(course, tmp_path / "out")
    assert not (tmp_path / "out").exists()
