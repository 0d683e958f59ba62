"""A quiz as its author wrote it: quizzes/<name>.yaml, read strictly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from courselib import strict_yaml
from courselib.quiz.questions import AnyQuestion, Words, once
from courselib.strict_yaml import Strict


class Quiz(Strict):
    """One quiz: a title, a word on what it is about, and its questions in order."""

    title: Words
    about: Words
    questions: list[AnyQuestion] = Field(min_length=1)

    @model_validator(mode="after")
    def _unique(self) -> Self:
        once("questions", (question.id for question in self.questions))
        return self


def load(path: Path) -> Quiz:
    """Read a quiz; raise `Trouble` with file:line:column for what does not fit."""
    return strict_yaml.load(path, Quiz)


def schema() -> str:
    """Return the JSON Schema of a quiz file, for editors."""
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", **Quiz.model_json_schema(mode="validation")}
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"
