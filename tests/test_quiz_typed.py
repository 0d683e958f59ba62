"""A typed number is read as it was meant, in any digits, or not at all."""

from __future__ import annotations

import sys
import unicodedata
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from courselib.quiz.typed import Hint, Number, read

UNITS = {"MB": Fraction(1), "GB": Fraction(1024)}
BANGLA = str.maketrans("0123456789", "০১২৩৪৫৬৭৮৯")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("762.9", "762.9"),
        ("৭৬২.৯", "762.9"),
        (" ৭৬২.৯ ", "762.9"),
        ("১,২৩,৪৫৬", "123456"),
        ("1,234,567.5", "1234567.5"),
        ("১,০০,০০,০০০", "10000000"),
        ("25 175 040", "25175040"),
        ("25\u202f175\u00a0040", "25175040"),
        ("\u22125", "-5"),
        ("–৫", "-5"),
        ("- 5", "-5"),
        ("+5", "5"),
        ("5.", "5"),
        (".5", "0.5"),
        ("1e-3", "0.001"),
        ("৩.৩৯E38", "3.39e38"),
        ("3.39×10^38", "3.39e38"),
        ("3.39 × 10³⁸", "3.39e38"),
        ("6.1x10^-5", "6.1e-5"),
        ("2*10⁻⁵", "2e-5"),
        ("1/4", "0.25"),
        ("২/৩", "2/3"),
        ("7\u200b62.9", "762.9"),
        ("７６２．9".replace("．", "."), "762.9"),
        ("762.9 MB", "762.9"),
        ("762.9mb", "762.9"),
        ("0.5 GB", "512"),
        ("০.৫GB", "512"),
        ("007", "7"),
        ("0", "0"),
    ],
)
def test_read(text: str, value: str) -> None:
    found = read(text, UNITS)
    assert isinstance(found, Number)
    assert found.value == Fraction(value)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("\u200b", "empty"),
        ("nan", "special"),
        ("-Inf", "special"),
        ("infinity", "special"),
        ("1_000", "underscore"),
        ("১_০০০", "underscore"),
        ("762,9", "comma"),
        ("1.000,5", "comma"),
        ("1,2345", "comma"),
        ("1,234,56,789", "comma"),
        ("12 345 6", "not_number"),
        ("1.2.3", "not_number"),
        ("1/0", "not_number"),
        ("abc", "not_number"),
        ("5 TB", "unit"),
        ("5%", "unit"),
        ("1e401", "too_big"),
        ("1" * 65, "too_long"),
        ("১০৳", "unit"),
        ("½", "not_number"),
        ("0x10", "unit"),
        ("--5", "not_number"),
    ],
)
def test_hint(text: str, code: str) -> None:
    found = read(text, UNITS)
    assert found == Hint(code)


def test_without_units_nothing_may_stand_behind() -> None:
    assert read("5 MB", {}) == Hint("not_number")
    assert read("5", {}) == Number(Fraction(5), "", False)


def test_a_unit_that_two_names_share_without_case_needs_its_case() -> None:
    units = {"Mb": Fraction(1, 8), "MB": Fraction(1)}
    assert read("8 Mb", units) == Number(Fraction(1), "Mb", False)
    assert read("8 mb", units) == Hint("unit")


def test_two_scripts_are_read_and_told() -> None:
    assert read("76২.9", {}) == Number(Fraction("762.9"), "", True)


def test_the_digits_of_every_script() -> None:
    zeros = [chr(c) for c in range(sys.maxunicode) if unicodedata.decimal(chr(c), None) == 0]
    assert len(zeros) > 50
    for zero in zeros:
        assert read("".join(chr(ord(zero) + d) for d in (7, 6, 2)) + "." + chr(ord(zero) + 9), {}) == Number(Fraction("762.9"), "", False)


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**15), max_value=10**15, places=4))
def test_what_is_written_is_read(number: object) -> None:
    for text in (str(number), str(number).translate(BANGLA)):
        found = read(text, {})
        assert isinstance(found, Number)
        assert found.value == Fraction(str(number))


@given(st.integers(0, 10**13))
def test_groups_of_thousands_and_of_lakhs(number: int) -> None:
    western, top = f"{number:,}", str(number // 1000)
    pairs = [top[max(0, i - 2) : i] for i in range(len(top), 0, -2)]
    lakhs = ",".join([*reversed(pairs), f"{number % 1000:03d}"])
    for text in (western, lakhs if number >= 1000 else western):
        assert read(text, {}) == Number(Fraction(number), "", False)


@given(st.text(max_size=80))
def test_nothing_that_is_typed_breaks_it(text: str) -> None:
    assert isinstance(read(text, UNITS), Number | Hint)
