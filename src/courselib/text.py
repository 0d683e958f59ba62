"""Every sentence a person reads, in Bangla and English, beside the code that says it."""

from __future__ import annotations

import locale
import os
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

LANGUAGES = ("bn", "en")

_language: ContextVar[str] = ContextVar("language", default="")


class Text(str):
    """A sentence in both languages; as a plain `str` it reads in the language of the moment."""

    bn: str
    en: str

    def __new__(cls, bn: str, en: str) -> Text:
        """Hold both sentences."""
        self = super().__new__(cls, bn if language() == "bn" else en)
        self.bn, self.en = bn, en
        return self

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        """Travel whole between the trusted processes of one run."""
        return self.bn, self.en

    def read(self, lang: str | None = None) -> str:
        """Return the sentence in `lang`, or in the language of the moment."""
        return self.bn if (lang or language()) == "bn" else self.en

    def fill(self, **values: object) -> Text:
        """Put `values` into the braces of both sentences; a `Text` value goes in by language."""
        return Text(*(_fill(sentence, lang, values) for lang, sentence in (("bn", self.bn), ("en", self.en))))


def _fill(sentence: str, lang: str, values: dict[str, object]) -> str:
    return sentence.format_map({k: v.read(lang) if isinstance(v, Text) else v for k, v in values.items()})


def say(bn: str, en: str, **values: object) -> Text:
    """Make a sentence in both languages, with `values` in its braces.

    Without values the sentences are taken as they stand, braces included.
    """
    text = Text(bn, en)
    return text.fill(**values) if values else text


def did_you_mean(near: str | None) -> Text:
    """Ask whether `near` was meant, as the end of a sentence; say nothing where there is none."""
    return say(" তুমি কি {n} লিখতে চেয়েছিলে?", " Did you mean {n}?", n=near) if near else Text("", "")


def one_line(texts: Iterable[Text], between: str = ", ") -> Text:
    """Join sentences, each language by itself."""
    every = list(texts)
    return Text(between.join(t.bn for t in every), between.join(t.en for t in every))


def both(value: object) -> Text:
    """Return `value` as a `Text`; what is not one reads the same in both languages."""
    return value if isinstance(value, Text) else Text(str(value), str(value))


def clean(text: str, longest: int = 2000) -> str:
    """Return `text` fit for any report or terminal: no control characters, no lone surrogates, not too long."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    text = "".join(c if c.isprintable() or c in "\n\t\u200c\u200d" else "\ufffd" for c in text)
    return text if len(text) <= longest else text[: longest - 3] + "..."


def language() -> str:
    """Return the language of the moment: the one in use, then COURSELIB_LANG, then the locale."""
    return _language.get() or _from_environment()


def _from_environment() -> str:
    asked = os.environ.get("COURSELIB_LANG", "")[:2].lower()
    if asked in LANGUAGES:
        return asked
    return "bn" if (locale.getlocale()[0] or "").lower().startswith(("bn", "bengali", "bangla")) else "en"


def use_language(lang: str) -> None:
    """Make `lang` the language of the moment for the rest of this process."""
    _language.set(lang)


@contextmanager
def in_language(lang: str) -> Iterator[None]:
    """Read and write in `lang` inside the block."""
    token = _language.set(lang)
    try:
        yield
    finally:
        _language.reset(token)
