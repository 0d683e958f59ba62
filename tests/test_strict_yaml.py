from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from courselib import strict_yaml
from courselib.trouble import Trouble


class Inner(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    word: str
    number: float = 0


class Outer(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)
    items: dict[str, Inner]


def load(tmp_path: Path, text: str) -> Outer:
    path = tmp_path / "x.yaml"
    path.write_bytes(text.encode())
    return strict_yaml.load(path, Outer)


@pytest.mark.parametrize(
    "word", ["no", "No", "on", "yes", "010", "1:30", "12:30", "1_000", "0x1F", ".nan", "2024-01-01", "১২", "~", "1.10.2"]
)
def test_words_are_read_as_written(tmp_path: Path, word: str) -> None:
    assert load(tmp_path, f"items: {{a: {{word: {word}}}}}").items["a"].word == word


@pytest.mark.parametrize(("text", "value"), [("1e-3", 1e-3), ("-2.50", -2.5), ("7", 7), ("+1E5", 1e5)])
def test_plain_numbers_are_numbers(tmp_path: Path, text: str, value: float) -> None:
    assert load(tmp_path, f"items: {{a: {{word: x, number: {text}}}}}").items["a"].number == value


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("items:\n  a: {word: x}\n  a: {word: y}\n", "x.yaml:3:3", "a stands twice"),
        ("items:\n  a:\n    wrod: x\n", "x.yaml:3:5", "unknown key wrod. Did you mean word?"),
        ("items:\n  a: {number: 1}\n", "x.yaml:2:6", "items.a.word is missing"),
        ("items:\n\ta: {}\n", "x.yaml:2:1", "a tab cannot indent"),
        ("items:\n  a: {word: x, number: fast}\n", "x.yaml:2:24", "items.a.number"),
        ("items: [1, 2", "x.yaml:1:13", "not readable as YAML"),
        ("items:\n  a: {word: x: y}\n", "x.yaml:2:14", "not readable as YAML"),
        ("", "x.yaml", "empty"),
        ("itmes: {}\n", "x.yaml:1:1", "unknown key itmes. Did you mean items?"),
        ("items: &a {x: *a}\n", "x.yaml:1:15", "aliases"),
        ("items: {[1]: 2}\n", "x.yaml:1:9", "a key must be plain text"),
        ("items:\n  a: {word: @x}\n", "x.yaml:2:13", "not readable"),
    ],
)
def test_every_fault_has_its_place(tmp_path: Path, text: str, place: str, words: str) -> None:
    with pytest.raises(Trouble) as caught:
        load(tmp_path, text)
    assert str(caught.value).startswith(place)
    assert words in str(caught.value)


def test_a_byte_order_mark_is_no_part_of_the_first_key(tmp_path: Path) -> None:
    assert load(tmp_path, "\ufeffitems: {a: {word: x}}").items


def test_bytes_that_are_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_bytes(b"items: \xff\xfe")
    with pytest.raises(Trouble, match="not UTF-8"):
        strict_yaml.load(tmp_path / "x.yaml", Outer)


@given(st.text(max_size=60))
def test_no_text_is_more_than_trouble(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.yaml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with suppress(Trouble):
        strict_yaml.load(path, Outer)


PIECES = [
    "items:",
    "  a:",
    " {",
    "}",
    "[",
    "]",
    "word:",
    " x",
    "\n",
    "\n    ",
    "\t",
    "&a",
    " *a",
    "!!python/object/apply:os.system",
    "<<:",
    "|",
    ">",
    "'",
    '"',
    "#",
]
GOOD = "items:\n  a: {word: x, number: 1.5}\n  b: {word: |\n     y}\n"


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.integers(0, len(GOOD)))
def test_no_yaml_is_more_than_trouble(tmp_path_factory: pytest.TempPathFactory, noise: str, at: int) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.yaml"
    for text in (noise, GOOD[:at] + noise + GOOD[at:]):
        path.write_bytes(text.encode())
        with suppress(Trouble):
            assert isinstance(strict_yaml.load(path, Outer), Outer)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 5000,
        "{a: " * 5000,
        "items: {a: {word: " + "9" * 10**6 + "}}",
        "- " * 5000,
        "a:\n" + "".join(" " * i + "a:\n" for i in range(1, 2000)),
    ],
)
def test_no_tower_of_yaml_is_more_than_trouble(tmp_path: Path, text: str) -> None:
    with suppress(Trouble):
        load(tmp_path, text)
