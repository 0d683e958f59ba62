"""What a marker and a graded page must withstand: a text made to hold the marker up, a reader of the page's source."""

from __future__ import annotations

import time

import pytest

from courselib.quiz.built import without_keys
from courselib.quiz.marking import read_shape


@pytest.mark.parametrize("text", ["1" * 63 + "!", "1 " * 31 + "!", "1x" * 31 + "!", "(" * 64, "1," * 32])
def test_no_text_holds_the_reading_of_a_shape_up(text: str) -> None:
    start = time.perf_counter()
    assert read_shape(text) in (None, [1] * 32)
    assert time.perf_counter() - start < 1


def test_a_dimension_of_ten_digits_is_no_shape() -> None:
    assert read_shape("1234567890") is None
    assert read_shape("123456789") == [123456789]


def test_the_key_as_people_write_it_goes_with_the_key() -> None:
    number = {
        "id": "n",
        "type": "number",
        "key": "7629/10",
        "within": "1/10",
        "shown": "762.9",
        "variants": [{"shown": "762.9", "ask": {}}],
    }
    assert without_keys({"questions": [number]}) == {"questions": [{"id": "n", "type": "number", "variants": [{"ask": {}}]}]}
