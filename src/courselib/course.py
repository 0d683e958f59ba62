"""The course as course.yaml tells it: units and exercises in teaching order, hints and time limits."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from courselib import strict_yaml
from courselib.paths import Tree, find_tree
from courselib.text import Text, say
from courselib.trouble import Trouble

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{1,39}$")]
Sentence = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]


class Strict(BaseModel):
    """A model that knows its keys and takes no other, and no type but the one it names."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Both(Strict):
    """One sentence in Bangla and English."""

    bn: Sentence
    en: Sentence

    @property
    def text(self) -> Text:
        """Return the pair as a `Text`."""
        return Text(self.bn, self.en)


class ExerciseEntry(Strict):
    """What the manifest says of one exercise: a hint, and the seconds one check may take."""

    hint: Both
    seconds: float = Field(default=10, gt=0, le=600)


class UnitEntry(Strict):
    """A unit: its title and its exercises in teaching order."""

    title: Both
    exercises: dict[Name, ExerciseEntry] = Field(min_length=1)


class QuizEntry(Strict):
    """What the manifest says of one quiz: whether it counts, in which case no key leaves the instructor's hands."""

    graded: bool = False


class Manifest(Strict):
    """The whole of course.yaml."""

    title: Both
    language: Literal["bn", "en"] = "bn"
    units: dict[Name, UnitEntry] = Field(min_length=1)
    quizzes: dict[Name, QuizEntry] = Field(default_factory=dict)


@dataclass(frozen=True)
class Exercise:
    """One exercise: "unit/name", its hint, and the seconds one check may take."""

    id: str
    hint: Text
    seconds: float

    @property
    def name(self) -> str:
        """Return the name without the unit: what a student's file is called."""
        return self.id.split("/")[1]


@dataclass(frozen=True)
class Course:
    """A course on disk."""

    tree: Tree
    manifest: Manifest

    @cached_property
    def exercises(self) -> dict[str, Exercise]:
        """Return the exercises by "unit/name", in teaching order."""
        return {
            f"{unit}/{name}": Exercise(f"{unit}/{name}", entry.hint.text, entry.seconds)
            for unit, body in self.manifest.units.items()
            for name, entry in body.exercises.items()
        }

    def named(self, name: str) -> Exercise:
        """Return the exercise called `name` (with or without its unit)."""
        for exercise in self.exercises.values():
            if name in (exercise.id, exercise.name):
                return exercise
        from difflib import get_close_matches

        near = get_close_matches(name, [*self.exercises, *(e.name for e in self.exercises.values())], 1)
        hint = say(" তুমি কি {n} লিখতে চেয়েছিলে?", " Did you mean {n}?", n=near[0]) if near else ""
        raise Trouble(
            say(
                "{name} নামে কোনো exercise নেই।{hint} আছে: {all}।",
                "There is no exercise called {name}.{hint} There are: {all}.",
                name=name,
                hint=hint,
                all=", ".join(self.exercises),
            )
        )


def load_course(start: Path | None = None) -> Course:
    """Load the course around `start`."""
    tree = find_tree(start)
    course = Course(tree, strict_yaml.load(tree.manifest, Manifest))
    _unique_names(course)
    return course


def _unique_names(course: Course) -> None:
    """Refuse two exercises of one name: a student's file is known by its name alone."""
    seen: dict[str, str] = {}
    for exercise in course.exercises.values():
        if other := seen.get(exercise.name):
            raise Trouble(
                say(
                    "course.yaml: {a} আর {b}-এর নাম একই; একটির নাম বদলাও।",
                    "course.yaml: {a} and {b} have one name; rename one.",
                    a=other,
                    b=exercise.id,
                )
            )
        seen[exercise.name] = exercise.id
