"""The course as course.yaml tells it: units and exercises in teaching order, hints and time limits."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from courselib import strict_yaml
from courselib.misfits import NAME
from courselib.moments import Due
from courselib.paths import Tree, find_tree
from courselib.policy import Policy
from courselib.strict_yaml import Strict
from courselib.text import Text, did_you_mean, say
from courselib.trouble import Trouble

Name = Annotated[str, StringConstraints(pattern=NAME)]
Sentence = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]


class Both(Strict):
    """One sentence in Bangla and English."""

    bn: Sentence
    en: Sentence

    @property
    def text(self) -> Text:
        """Return the pair as a `Text`."""
        return Text(self.bn, self.en)


class ExerciseEntry(Strict):
    """What the manifest says of one exercise: a hint, the seconds one check may take, and its own deadline."""

    hint: Both
    seconds: float = Field(default=10, gt=0, le=600)
    due: Due | None = None
    late: Policy | None = None


class UnitEntry(Strict):
    """A unit: its title and its exercises in teaching order."""

    title: Both
    exercises: dict[Name, ExerciseEntry] = Field(min_length=1)


class QuizEntry(Strict):
    """What the manifest says of one quiz: whether it counts, in which case no key leaves the instructor's hands."""

    graded: bool = False
    due: Due | None = None
    late: Policy | None = None


class Manifest(Strict):
    """The whole of course.yaml; its `due` and `late` are for every exercise that has none of its own, not even `null`."""

    title: Both
    language: Literal["bn", "en"] = "bn"
    due: Due | None = None
    late: Policy | None = None
    units: dict[Name, UnitEntry] = Field(min_length=1)
    quizzes: dict[Name, QuizEntry] = Field(default_factory=dict)


@dataclass(frozen=True)
class Exercise:
    """One exercise: "unit/name", its hint, the seconds one check may take, when it is due and what lateness costs."""

    id: str
    hint: Text
    seconds: float
    due: datetime | None = None
    late: Policy | None = None

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
            f"{unit}/{name}": Exercise(f"{unit}/{name}", entry.hint.text, entry.seconds, self._own(entry, "due"), self._own(entry, "late"))
            for unit, body in self.manifest.units.items()
            for name, entry in body.exercises.items()
        }

    @cached_property
    def quizzes(self) -> dict[str, Exercise]:
        """Return the quizzes that count, by "quizzes/name": their sheets are handed in as exercises are."""
        return {
            f"quizzes/{name}": Exercise(f"quizzes/{name}", Text("", ""), 1, self._own(entry, "due"), self._own(entry, "late"))
            for name, entry in self.manifest.quizzes.items()
            if entry.graded
        }

    @cached_property
    def assigned(self) -> dict[str, Exercise]:
        """Return all that is handed in for marks: the exercises, then the quizzes that count."""
        return {**self.exercises, **self.quizzes}

    @property
    def due(self) -> dict[str, tuple[datetime, Policy | None]]:
        """Return when each exercise that is due is due, and its late policy."""
        return {e.id: (e.due, e.late) for e in self.assigned.values() if e.due}

    def _own(self, entry: ExerciseEntry | QuizEntry, key: str) -> Any:
        """Return what an exercise has of its own, else what the course has."""
        return getattr(entry if key in entry.model_fields_set else self.manifest, key)

    def named(self, name: str) -> Exercise:
        """Return the exercise called `name` (with or without its unit)."""
        for exercise in self.assigned.values():
            if name in (exercise.id, exercise.name):
                return exercise
        from difflib import get_close_matches

        near = get_close_matches(name, [*self.assigned, *(e.name for e in self.assigned.values())], 1)
        hint = did_you_mean(near[0] if near else None)
        raise Trouble(
            say(
                "{name} নামে কোনো exercise নেই।{hint} আছে: {all}।",
                "There is no exercise called {name}.{hint} There are: {all}.",
                name=name,
                hint=hint,
                all=", ".join(self.assigned),
            )
        )


def load_course(start: Path | None = None) -> Course:
    """Load the course around `start`."""
    tree = find_tree(start)
    course = Course(tree, strict_yaml.load(tree.manifest, Manifest))
    _unique_names(course)
    _late_is_due(course)
    return course


def _unique_names(course: Course) -> None:
    """Refuse two exercises of one name: a student's file is known by its name alone."""
    seen: dict[str, str] = {}
    for exercise in course.assigned.values():
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


def _late_is_due(course: Course) -> None:
    """Refuse a late policy that nothing can ever come under."""
    for unit, body in course.manifest.units.items():
        for name, entry in body.exercises.items():
            if entry.late and not course.exercises[f"{unit}/{name}"].due:
                raise Trouble(_no_due(f"{unit}/{name}"))
    for name, quiz in course.manifest.quizzes.items():
        if quiz.late and quiz.graded and not course.quizzes[f"quizzes/{name}"].due:
            raise Trouble(_no_due(f"quizzes/{name}"))
    if course.manifest.late and not any(e.due for e in course.assigned.values()):
        raise Trouble(_no_due(""))


def _no_due(exercise: str) -> Text:
    where = f"course.yaml: {exercise}" if exercise else "course.yaml"
    return say(
        "{w}: late আছে, কিন্তু due নেই; due: 2026-12-01 23:59 Asia/Dhaka-এর মতো একটি লাইন যোগ করো।",
        "{w}: there is late but no due; add a line like due: 2026-12-01 23:59 Asia/Dhaka.",
        w=where,
    )
