"""The one error of courselib that a person reads: what was wrong, which file and line, what to do next."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from courselib.text import Text


class Trouble(Exception):
    """Something a person can mend; the sentence exists in both languages."""

    def __init__(self, sentence: Text) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    def __reduce__(self) -> tuple[type[Trouble], tuple[Text]]:
        return type(self), (self.sentence,)

    def __str__(self) -> str:
        return self.sentence.read()
