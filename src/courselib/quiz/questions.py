"""The kinds of question, as an author writes them; each holds what it must, and refuses what contradicts itself."""

from __future__ import annotations

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from courselib.course import Both, Name
from courselib.strict_yaml import Strict
from courselib.text import say

Variable = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_.]{0,39}$")]
Letter = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,19}$")]
Unit = Annotated[str, StringConstraints(pattern=r"^[^\s0-9.,+/-][^,]{0,19}$")]
Figure = int | float
Value = int | float | str


def _alike(value: Any) -> Any:
    return {"bn": value, "en": value} if isinstance(value, str) else value


Words = Annotated[Both, BeforeValidator(_alike, json_schema_input_type=str | Both)]  # plain text reads alike in both languages


def once(where: str, names: Iterable[str]) -> None:
    """Refuse an id that stands twice in the list called `where`; the error holds its place beside the sentence."""
    seen: set[str] = set()
    for number, name in enumerate(names):
        if name in seen:
            raise ValueError(say("{n} নামটি দুবার আছে", "the id {n} stands twice", n=name), (where, number, "id"))
        seen.add(name)


class Choice(Strict):
    """One choice, with why it is right or wrong, and what to say where a right one is left out."""

    id: Name
    text: Words
    right: bool = False
    why: Words
    left_out: Words | None = None


class Slip(Strict):
    """A known wrong value: what goes wrong when somebody arrives at it."""

    id: Name
    value: Value
    why: Words


class DtypeSlip(Strict):
    """A dtype that is often predicted wrongly for one name."""

    id: Name
    name: Variable
    dtype: str
    why: Words


class ShapeSlip(Strict):
    """A shape that is often predicted wrongly."""

    id: Name
    shape: list[int]
    why: Words


class Step(Strict):
    """One step, after which others it must come; an extra one does not belong and says why."""

    id: Name
    text: Words
    after: list[Name] = Field(default_factory=list)
    extra: bool = False
    why: Words | None = None


class Tolerance(Strict):
    """How far a right number may lie: by an amount, a share, half a unit of its n-th figure, or not at all."""

    absolute: Figure | None = Field(default=None, gt=0)
    relative: Figure | None = Field(default=None, gt=0, lt=1)
    figures: int | None = Field(default=None, gt=0, le=15)
    exact: Literal[True] | None = None

    @model_validator(mode="after")
    def _one(self) -> Self:
        if len(self.model_fields_set) != 1 or None in self.model_dump(include=self.model_fields_set).values():
            raise ValueError(
                say("ঠিক একটি লেখো: absolute, relative, figures বা exact", "give just one of absolute, relative, figures, exact")
            )
        return self


class Question(Strict):
    """What every question has."""

    id: Name
    ask: Words
    points: int = Field(default=1, ge=1, le=100)
    hints: list[Words] = Field(default_factory=list)


class ChoiceQuestion(Question):
    """One choice is right."""

    type: Literal["choice"]
    choices: list[Choice] = Field(min_length=2, max_length=8)
    shuffle: bool = True

    @model_validator(mode="after")
    def _sound(self) -> Self:
        once("choices", (c.id for c in self.choices))
        if sum(c.right for c in self.choices) != 1:
            raise ValueError(say("ঠিক একটি choice-এ right: true দাও", "mark exactly one choice with right: true"), ("choices",))
        return self


class ChoicesQuestion(Question):
    """One choice or more is right; those are all to be picked."""

    type: Literal["choices"]
    choices: list[Choice] = Field(min_length=2, max_length=10)
    shuffle: bool = True
    credit: Literal["each", "all"] = "each"

    @model_validator(mode="after")
    def _sound(self) -> Self:
        once("choices", (c.id for c in self.choices))
        if not any(c.right for c in self.choices):
            raise ValueError(say("কোনো choice ঠিক নয়; right: true দাও", "no choice is right; mark one with right: true"), ("choices",))
        for n, c in enumerate(self.choices):
            if c.right and c.left_out is None:
                amiss = say("{c}: left_out নেই", "{c}: left_out is missing (what to say to who leaves it out)", c=c.id)
                raise ValueError(amiss, ("choices", n))
        return self


class NumberQuestion(Question):
    """A number, right within a tolerance; perhaps with other numbers for every student."""

    type: Literal["number"]
    given: dict[Letter, list[Value]] = Field(default_factory=dict)
    answer: Value
    tolerance: Tolerance
    unit: Unit | None = None
    units: dict[Unit, Value] = Field(default_factory=dict)
    slips: list[Slip] = Field(default_factory=list)
    why: Words

    @model_validator(mode="after")
    def _sound(self) -> Self:
        once("slips", (s.id for s in self.slips))
        if len({len(values) for values in self.given.values()}) > 1 or [] in self.given.values():
            raise ValueError(say("given-এর তালিকাগুলো সমান লম্বা হতে হবে", "the lists in given must be of one length"), ("given",))
        if self.units and self.unit is None:
            raise ValueError(say("units-এর আগে unit লেখো", "units need a unit that they are worth so many of"), ("units",))
        return self


class OrderQuestion(Question):
    """Steps to be put in an order; `after` says which orders are right."""

    type: Literal["order"]
    steps: list[Step] = Field(min_length=3, max_length=16)
    start: list[Name] = Field(default_factory=list)
    why: Words

    @property
    def before(self) -> dict[str, list[str]]:
        """Return each step that belongs, with the steps that must come before it."""
        return {s.id: s.after for s in self.steps if not s.extra}

    @model_validator(mode="after")
    def _sound(self) -> Self:
        once("steps", (s.id for s in self.steps))
        for n, s in enumerate(self.steps):
            if unknown := [name for name in s.after if name not in self.before]:
                amiss = say("{s}: after-এ অচেনা ধাপ {u}", "{s}: after names no step {u}", s=s.id, u=unknown[0])
                raise ValueError(amiss, ("steps", n, "after"))
            if s.extra and (s.after or s.why is None):
                amiss = say("{s}: extra ধাপে why লাগে, after চলে না", "{s}: an extra step needs a why and takes no after", s=s.id)
                raise ValueError(amiss, ("steps", n))
        if not any(self.before.values()):
            raise ValueError(say("কোনো ধাপে after নেই: সব ক্রমই ঠিক হতো", "no step has an after: every order would be right"), ("steps",))
        try:
            TopologicalSorter(self.before).prepare()
        except CycleError as circle:
            raise ValueError(say("ধাপগুলো চক্রে ঘোরে: {c}", "the steps go round: {c}", c=" > ".join(circle.args[1])), ("steps",)) from None
        if self.start and sorted(self.start) != sorted(s.id for s in self.steps):
            raise ValueError(say("start-এ প্রতিটি ধাপ একবার চাই", "start must name every step once"), ("start",))
        return self


class ProgramQuestion(Question):
    """A short program that PyTorch runs when the quiz is built."""

    program: str
    policy: Literal["cuda"] | None = None


class DtypesQuestion(ProgramQuestion):
    """The dtype of some names of a program."""

    type: Literal["dtypes"]
    names: dict[Variable, Words] = Field(min_length=1)
    slips: list[DtypeSlip] = Field(default_factory=list)

    @model_validator(mode="after")
    def _sound(self) -> Self:
        once("slips", (s.id for s in self.slips))
        for n, s in enumerate(self.slips):
            if s.name not in self.names:
                amiss = say("slip-এর {n} জিজ্ঞাসাই করা হয়নি", "a slip names {n}, which is not asked", n=s.name)
                raise ValueError(amiss, ("slips", n, "name"))
        return self


class ShapeQuestion(ProgramQuestion):
    """The shape of one name of a program."""

    type: Literal["shape"]
    name: Variable
    slips: list[ShapeSlip] = Field(default_factory=list)
    why: Words

    @model_validator(mode="after")
    def _sound(self) -> Self:
        once("slips", (s.id for s in self.slips))
        return self


class RevealQuestion(Question):
    """A question to think about, with a model answer; it counts no points."""

    type: Literal["reveal"]
    model: Words


AnyQuestion = Annotated[
    ChoiceQuestion | ChoicesQuestion | NumberQuestion | OrderQuestion | DtypesQuestion | ShapeQuestion | RevealQuestion,
    Field(discriminator="type"),
]
