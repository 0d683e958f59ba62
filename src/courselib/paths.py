"""Every path rule of a course, in one place: one name is one path in each tree."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from courselib.text import say
from courselib.trouble import Trouble

MANIFEST = "course.yaml"
SUFFIXES = (".py", ".ipynb")
SHEETS = (".yaml", ".yml", ".json")


@dataclass(frozen=True)
class Tree:
    """The folders of a course at `root`; an exercise is named "unit/name"."""

    root: Path

    @property
    def manifest(self) -> Path:
        """Return the path of course.yaml."""
        return self.root / MANIFEST

    def stub(self, exercise: str) -> Path:
        """Return the path of the student's stub."""
        return self.root / "exercises" / f"{exercise}.py"

    def solution(self, exercise: str) -> Path:
        """Return the path of the one file an author writes."""
        return self.root / "solutions" / f"{exercise}.py"

    def checks(self, exercise: str) -> Path:
        """Return the path of the checks."""
        return self.root / "autograder" / f"{exercise}.py"

    def quiz(self, name: str) -> Path:
        """Return the path of a quiz."""
        return self.root / "quizzes" / f"{name}.yaml"

    def quizzes(self) -> list[Path]:
        """Return the quizzes that lie there, sorted."""
        return sorted((self.root / "quizzes").glob("*.yaml"))

    def examples(self, exercise: str, kind: str) -> list[Path]:
        """Return the `right` or `wrong` submissions kept for an exercise, sorted."""
        return sorted((self.root / "tests" / "submissions" / exercise.split("/")[1] / kind).glob("*.py"))

    def all_in(self, tree: str) -> set[str]:
        """Return the "unit/name" of every Python file that lies in a tree."""
        folder = self.root / tree
        return {str(p.relative_to(folder).with_suffix("").as_posix()) for p in folder.rglob("*.py")}


def find_tree(start: Path | None = None) -> Tree:
    """Return the course around `start` (the current folder by default): the nearest one with a course.yaml."""
    here = (start or Path.cwd()).resolve()
    for folder in (here, *here.parents):
        if (folder / MANIFEST).is_file():
            return Tree(folder)
    raise Trouble(
        say(
            "{here} বা তার উপরের কোনো ফোল্ডারে course.yaml নেই; কোর্সের ফোল্ডারে গিয়ে আবার চালাও।",
            "No course.yaml in {here} or any folder above it; go to the course's folder and run this again.",
            here=here,
        )
    )
