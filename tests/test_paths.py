from __future__ import annotations

from pathlib import Path

import pytest

from courselib.paths import Tree, find_tree
from courselib.text import in_language
from courselib.trouble import Trouble

ROOT = Path(__file__).parent.parent


def touch(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()


def test_one_name_is_one_path_in_each_tree(tmp_path: Path) -> None:
    tree = Tree(tmp_path)
    assert tree.manifest == tmp_path / "course.yaml"
    assert tree.stub("unit/x") == tmp_path / "exercises/unit/x.py"
    assert tree.solution("unit/x") == tmp_path / "solutions/unit/x.py"
    assert tree.checks("unit/x") == tmp_path / "autograder/unit/x.py"


def test_the_kept_submissions_of_an_exercise_are_sorted_python_files(tmp_path: Path) -> None:
    kept = tmp_path / "tests/submissions/x"
    touch(
        kept / "right/b.py", kept / "right/a.py", kept / "right/notes.txt", kept / "wrong/c.py", tmp_path / "tests/submissions/y/right/d.py"
    )
    assert [p.name for p in Tree(tmp_path).examples("unit/x", "right")] == ["a.py", "b.py"]
    assert [p.name for p in Tree(tmp_path).examples("unit/x", "wrong")] == ["c.py"]
    assert Tree(tmp_path).examples("unit/none", "right") == []


def test_all_that_lies_in_a_tree_is_listed_by_name(tmp_path: Path) -> None:
    touch(tmp_path / "solutions/u/x.py", tmp_path / "solutions/v/y.py", tmp_path / "solutions/stray.py", tmp_path / "solutions/u/x.txt")
    assert Tree(tmp_path).all_in("solutions") == {"u/x", "v/y", "stray"}
    assert Tree(tmp_path).all_in("exercises") == set()


def test_the_course_is_found_from_any_folder_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path / "course.yaml", tmp_path / "deep/er/x")
    assert find_tree(tmp_path).root == tmp_path.resolve()
    assert find_tree(tmp_path / "deep" / "er").root == tmp_path.resolve()
    monkeypatch.chdir(tmp_path / "deep")
    assert find_tree().root == tmp_path.resolve()
    assert find_tree(Path("er")).root == tmp_path.resolve()
    assert find_tree(Path(__file__).parent).root == ROOT


def test_the_nearest_course_counts(tmp_path: Path) -> None:
    touch(tmp_path / "course.yaml", tmp_path / "inner/course.yaml", tmp_path / "inner/a/x")
    assert find_tree(tmp_path / "inner/a").root == (tmp_path / "inner").resolve()


def test_a_folder_called_like_the_manifest_is_no_course(tmp_path: Path) -> None:
    touch(tmp_path / "course.yaml", tmp_path / "inner/course.yaml/x")
    assert find_tree(tmp_path / "inner").root == tmp_path.resolve()


def test_no_course_is_told_with_the_place_in_both_languages(tmp_path: Path) -> None:
    with pytest.raises(Trouble) as caught:
        find_tree(tmp_path)
    assert (
        str(caught.value) == f"No course.yaml in {tmp_path.resolve()} or any folder above it; go to the course's folder and run this again."
    )
    with in_language("bn"):
        assert str(caught.value).startswith(f"{tmp_path.resolve()} বা তার উপরের")
