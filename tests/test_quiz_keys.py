"""Keys are exact: an expression is worked out in fractions, a tolerance says how far, and what is shown is a person's figure."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from courselib.quiz.filling import written
from courselib.quiz.keys import allowed, evaluate, shown, within
from courselib.quiz.questions import Tolerance
from courselib.trouble import Trouble


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("50e6 * 16 / 2**20", Fraction(50_000_000 * 16, 2**20)),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("-(2 - 5) / 4", Fraction(3, 4)),
        ("2 ** -10", Fraction(1, 1024)),
        ("log2(1024)", Fraction(10)),
        ("sqrt(16)", Fraction(4)),
        ("round(7.8196, 1)", Fraction(78, 10)),
        ("floor(7.9) + ceil(0.1)", Fraction(8)),
        ("min(3, 2) * max(1, 5)", Fraction(10)),
        ("n * m", Fraction(6)),
        (0.1, Fraction(1, 10)),
    ],
)
def test_expressions(text: str | float, value: Fraction) -> None:
    assert evaluate(text, {"n": 2, "m": 3}) == value


NONSENSE = (
    "", "x", "__import__('os')", "(1).real", "[1][0]", "'a'", "1 if 1 else 2", "2**99999", "1/0", "log2(0)", "True", "lambda: 1",
    "1 < 2", "round(1, n=2)", "9**9**9",
)  # fmt: skip


@pytest.mark.parametrize("text", NONSENSE)
def test_what_is_no_expression_is_refused(text: str) -> None:
    with pytest.raises(Trouble):
        evaluate(text, {})


@pytest.mark.parametrize(
    ("tolerance", "key", "near"),
    [
        ({"absolute": 0.1}, "762.9", "0.1"),
        ({"relative": 0.02}, "-50", "1"),
        ({"figures": 3}, "762.94", "0.5"),
        ({"figures": 3}, "0.0123456", "0.00005"),
        ({"figures": 1}, "1000", "500"),
        ({"figures": 3}, "999.6", "0.5"),
        ({"figures": 3}, "0", "0"),
        ({"exact": True}, "5", "0"),
    ],
)
def test_within(tolerance: dict[str, object], key: str, near: str) -> None:
    assert within(Fraction(key), Tolerance.model_validate(tolerance)) == Fraction(near)


@given(st.fractions(min_value=-(10**12), max_value=10**12).filter(bool), st.integers(1, 6))
def test_a_key_rounded_to_its_figures_is_right(key: Fraction, figures: int) -> None:
    near = within(key, Tolerance(figures=figures))
    assert abs(Fraction(f"{float(key):.{figures - 1}e}") - key) <= near * (1 + Fraction(1, 10**9))


@pytest.mark.parametrize(
    ("key", "near", "text"),
    [
        ("762.939453125", "0.1", "762.9"),
        ("762.939453125", "0.5", "763"),
        ("25175040", "0", "25175040"),
        ("0.000061", "0.0000005", "0.000061"),
        ("-1.5", "0", "-1.5"),
        ("65504", "100", "65504"),
        ("0.5", "0.05", "0.5"),
        ("1/3", "0", "0.333333"),
        ("-0.04", "0.5", "0"),
    ],
)
def test_shown(key: str, near: str, text: str) -> None:
    assert shown(Fraction(key), Fraction(near)) == text


@given(st.fractions(min_value=-(10**9), max_value=10**9, max_denominator=10**6), st.fractions(min_value=Fraction(1, 10**6), max_value=1000))
def test_what_is_shown_is_right(key: Fraction, near: Fraction) -> None:
    assert abs(Fraction(shown(key, near)) - key) <= near


@pytest.mark.parametrize(
    ("number", "bn", "en"),
    [
        ("50000000", "৫,০০,০০,০০০", "50,000,000"),
        ("4096", "৪,০৯৬", "4,096"),
        ("123456.75", "১,২৩,৪৫৬.৭৫", "123,456.75"),
        ("-1000", "-১,০০০", "-1,000"),
        ("12", "১২", "12"),
        ("float16", "float16", "float16"),
    ],
)
def test_numbers_in_prose(number: str, bn: str, en: str) -> None:
    assert (written(number, "bn"), written(number, "en")) == (bn, en)


@pytest.mark.parametrize(
    ("tolerance", "unit", "bn", "en"),
    [
        ({"absolute": 0.1}, "MB", "০.১ MB কম-বেশি হলেও চলবে", "give or take 0.1 MB"),
        ({"absolute": 1e-05}, "", "০.০০০০১ কম-বেশি হলেও চলবে", "give or take 0.00001"),
        ({"absolute": 1e-30}, "", "1e-30 কম-বেশি হলেও চলবে", "give or take 1e-30"),
        ({"relative": 0.025}, "%", "আসল মানের ২.৫% কম-বেশি হলেও চলবে", "give or take 2.5% of the true value"),
        ({"figures": 3}, "MB", "প্রথম ৩টি অঙ্ক মিললেই হবে", "to 3 significant figures"),
        ({"exact": True}, "", "ঠিক মানটিই চাই", "exactly"),
    ],
)
def test_how_near_is_near_enough_is_said(tolerance: dict[str, float], unit: str, bn: str, en: str) -> None:
    told = allowed(Tolerance.model_validate(tolerance), unit)
    assert (told.bn, told.en) == (bn, en)
