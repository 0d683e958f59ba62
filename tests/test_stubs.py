from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from courselib.course import Course, load_course
from courselib.stubs import HERE, answers_of, build, notebook_of, stub_of
from courselib.trouble import Trouble

COURSE = load_course(Path(__file__).parent)
SOLUTION = '''\
# %% [markdown] lang="bn"
# # শিরোনাম

# %% [markdown] lang="en"
# # Title

# %% [markdown]
# For both.

# %%
LIMIT = 3


def f(n: int) -> int:
    """Add."""
    # BEGIN SOLUTION
    secret = n + LIMIT
    return secret
    # END SOLUTION


answer: float = 41.5 + 1  # SOLUTION
other = f(  2)# SOLUTION
# BEGIN SOLUTION
import secrets
# END SOLUTION
'''
STUB = SOLUTION.replace("secret = n", "").partition("    # BEGIN")[0] + (
    f"    raise NotImplementedError  # {HERE}\n\n\nanswer: float = ...  # {HERE}\nother = ...  # {HERE}\n...  # {HERE}\n"
)


@pytest.fixture
def solution(tmp_path: Path) -> Path:
    path = tmp_path / "x.py"
    path.write_text(SOLUTION, encoding="utf-8")
    return path


def written(folder: Path, text: str) -> Path:
    path = folder / "x.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_stub_is_the_solution_without_what_the_markers_enclose(solution: Path) -> None:
    assert stub_of(solution) == STUB
    compile(STUB, "x.py", "exec")


def test_the_answers_are_just_what_the_stub_lacks_block_by_block(solution: Path) -> None:
    assert answers_of(solution) == [
        ["secret = n + LIMIT", "return secret"], ["answer: float = 41.5 + 1"], ["other = f(  2)"], ["import secrets"],
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "    return 42 * n  # SOLUTION",
        "    a, b = 42, n  # SOLUTION",
        "    t['x'] = 42  # SOLUTION",
        "    n += 42  # SOLUTION",
        "    x: dict[str, int] = {'a': 42}  # SOLUTION",
        "    x = n == 42  # SOLUTION",
        "    assert n == 42  # SOLUTION",
    ],
)
def test_a_marked_line_of_any_kind_gives_nothing_away(tmp_path: Path, line: str) -> None:
    path = written(tmp_path, f"def f(n, t):\n{line}\n    return 1\n")
    stub = stub_of(path)
    assert "42" not in stub
    assert HERE in stub
    compile(stub, "x.py", "exec")
    assert answers_of(path) == [[line.removesuffix("# SOLUTION").strip()]]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("x = 1\n# BEGIN SOLUTION\ny = 2\n", 2),
        ("x = 1\n\n    # END SOLUTION\n", 3),
        ("# BEGIN SOLUTION\n# END SOLUTION\n# END SOLUTION\n", 3),
        ("# BEGIN SOLUTION\n# END SOLUTION\n    # BEGIN SOLUTION\n", 3),
    ],
)
def test_an_unpaired_marker_is_told_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    with pytest.raises(Trouble, match=rf"^x\.py:{line}: a SOLUTION marker without its pair"):
        stub_of(written(tmp_path, text))


def test_build_writes_what_is_not_in_step_and_nothing_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "title: {bn: a, en: a}\nunits: {u1: {title: {bn: a, en: a}, exercises: {x1: {hint: {bn: a, en: a}}}}}\n"
    (tmp_path / "course.yaml").write_text(text, encoding="utf-8")
    course: Course = load_course(tmp_path)
    course.tree.solution("u1/x1").parent.mkdir(parents=True)
    course.tree.solution("u1/x1").write_text(SOLUTION, encoding="utf-8")
    assert build(course) == 0
    assert course.tree.stub("u1/x1").read_bytes() == STUB.encode()
    assert "exercises" in capsys.readouterr().out
    before = course.tree.stub("u1/x1").stat().st_mtime_ns
    build(course)
    assert capsys.readouterr().out == ""
    assert course.tree.stub("u1/x1").stat().st_mtime_ns == before


@pytest.mark.parametrize("lang", ["bn", "en"])
def test_a_notebook_holds_one_language_the_code_and_otters_check(lang: str) -> None:
    book = notebook_of(STUB, COURSE.named("cuda_ms"), lang)
    title = {"bn": "# শিরোনাম", "en": "# Title"}[lang]
    assert [c["source"] for c in book["cells"] if c["cell_type"] == "markdown"] == [title, "For both."]
    first, last = [c["source"] for c in book["cells"] if c["cell_type"] == "code"]
    assert first.startswith("LIMIT = 3\n")
    assert 'grader.check("timing/cuda_ms")' in last


@pytest.mark.parametrize("lang", ["bn", "en"])
@pytest.mark.parametrize("exercise", COURSE.exercises)
def test_every_notebook_of_the_course_is_valid_and_names_a_kernel_that_all_have(exercise: str, lang: str) -> None:
    stub = stub_of(COURSE.tree.solution(exercise))
    book = nbformat.from_dict(notebook_of(stub, COURSE.exercises[exercise], lang))
    nbformat.validate(book, relax_add_props=False)
    ids = [c["id"] for c in book.cells]
    assert len(set(ids)) == len(ids)
    assert book.metadata.kernelspec.name == "python3"
    text = "".join(c.source for c in book.cells if c.cell_type == "markdown")
    assert any("\u0980" <= c <= "\u09ff" for c in text) == (lang == "bn")
