from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from courselib import judge
from courselib.judge import Slips, Wrong
from courselib.proxy import Local, Proxy, StudentError
from courselib.text import Text, in_language, say
from courselib.worker.plain import Opaque, plain

TORCH = [
    torch.float32,
    torch.float16,
    torch.bfloat16,
    torch.int64,
    torch.bool,
    torch.complex64,
    torch.float8_e5m2,
    torch.uint16,
    torch.bits8,
]
SHAPES: list[tuple[int, ...]] = [(), (0,), (1,), (3,), (3, 1), (2, 0)]


def tensor(shape: tuple[int, ...], dtype: torch.dtype) -> torch.Tensor:
    return torch.empty(shape, dtype=dtype) if dtype is torch.bits8 else torch.ones(shape).to(dtype)


LEAVES = st.one_of(
    st.none() | st.booleans() | st.integers() | st.integers(2**9_000, 2**9_001) | st.floats() | st.complex_numbers(),
    st.text(max_size=5) | st.binary(max_size=4) | st.fractions() | st.decimals() | st.just(Decimal("sNaN")),
    st.sampled_from(TORCH) | st.builds(Opaque, st.text(max_size=5), st.text(max_size=5)) | st.builds(Local, st.just("f"), st.just(len)),
    st.builds(tensor, st.sampled_from(SHAPES), st.sampled_from(TORCH)),
    st.builds(np.ones, st.sampled_from(SHAPES), st.sampled_from(["f4", "i8", "?", "c8", "f2"])),
)
PLAIN = st.recursive(
    LEAVES,
    lambda x: st.lists(x, max_size=3) | st.tuples(x, x) | st.dictionaries(st.text(max_size=3) | st.integers(), x, max_size=3),
    max_leaves=6,
)
HELPERS: list[Callable[[Any], object]] = [
    lambda v: judge.number(v, "x"),
    lambda v: judge.integer(v, "x"),
    lambda v: judge.close(v, 1.5, "x", rel=1e-3, abs=1e-3, slips={0.0: "zero", math.inf: say("ক", "a")}),
    lambda v: judge.mapping(v, ("a", "b"), "x"),
    lambda v: judge.names(v, "x"),
    lambda v: judge.dtype_name(v, "x"),
    lambda v: judge.function(v, "x"),
    lambda v: judge.raises("ValueError", lambda: v, "x"),
]


def told(call: Callable[[], object]) -> Text | None:
    """Return the sentence of `Wrong`, if that was raised."""
    try:
        call()
    except Wrong as no:
        return no.sentence
    return None


@settings(deadline=None)
@given(PLAIN)
def test_every_helper_raises_wrong_and_nothing_else(value: object) -> None:
    for helper in HELPERS:
        sentence = told(lambda helper=helper: helper(value))  # type: ignore[misc]
        assert sentence is None or (sentence.bn.startswith("x: ") and sentence.en.startswith("x: "))


@settings(deadline=None)
@given(PLAIN, PLAIN)
def test_equality_of_any_two_values_is_told_without_an_accident(value: object, expected: object) -> None:
    if told(lambda: judge.equal(value, expected, "x")) is None:
        assert type(value) is type(expected)


HALVES = [0.5, np.float32(0.5), np.float64(0.5), np.float16(0.5), np.array(0.5), torch.tensor(0.5), torch.tensor(0.5, dtype=torch.bfloat16)]
HALVES += [torch.tensor(0.5, requires_grad=True), Fraction(1, 2), Decimal("0.5"), 0.5 + 0j, np.complex64(0.5), torch.tensor(0.5 + 0j)]


@pytest.mark.parametrize("value", HALVES, ids=repr)
def test_any_kind_of_real_scalar_is_a_number(value: object) -> None:
    assert judge.number(plain(value), "x") == 0.5
    judge.close(plain(value), 0.5, "x")


@pytest.mark.parametrize(
    "value", [3, 3.0, np.int8(3), np.float32(3), torch.tensor(3), np.array(3), Fraction(6, 2), Decimal("3.0"), 3 + 0j], ids=repr
)
def test_any_kind_of_whole_number_is_an_integer(value: object) -> None:
    got = judge.integer(plain(value), "x")
    assert got == 3
    assert type(got) is int


def test_a_large_integer_keeps_every_digit() -> None:
    assert judge.integer(2**70 + 1, "x") == 2**70 + 1


@pytest.mark.parametrize(
    "value", [2.5, Fraction(1, 3), Decimal("1.00000000000000000001"), Fraction(2 * 10**20 + 1, 2), torch.tensor(0.5)], ids=repr
)
def test_a_number_with_a_fractional_part_is_no_integer(value: object) -> None:
    with pytest.raises(Wrong, match="a whole number is needed"):
        judge.integer(value, "x")


NO_NUMBERS = [
    True,
    np.bool_(True),
    torch.tensor(True),
    "0.5",
    None,
    b"1",
    {},
    torch.float16,
    1j,
    0.5 + 1e-30j,
    Opaque("X", "0.5"),
    object(),
]
BROADCASTING = [[], [0.5], (0.5,), np.array([0.5]), np.zeros(0), np.zeros((3, 1)), torch.tensor([0.5]), torch.zeros(0), torch.zeros(1, 1)]
NOT_FINITE = [
    math.nan,
    math.inf,
    -math.inf,
    np.float32("nan"),
    torch.tensor(math.nan),
    np.array(math.inf),
    10**400,
    Decimal("NaN"),
    Decimal("sNaN"),
]


@pytest.mark.parametrize("value", NO_NUMBERS + BROADCASTING, ids=repr)
def test_what_is_no_scalar_is_refused(value: object) -> None:
    with pytest.raises(Wrong, match="a number is needed"):
        judge.number(plain(value), "x")


@given(st.sampled_from(NOT_FINITE + BROADCASTING), st.floats(), st.floats(0), st.floats(0))
def test_nan_infinity_and_arrays_are_never_close(value: object, expected: float, rel: float, abs: float) -> None:
    with pytest.raises(Wrong):
        judge.close(plain(value), expected, "x", rel=rel, abs=abs)


@pytest.mark.parametrize(("value", "passes"), [(100.0, True), (101.0, True), (101.1, False), (99.0, True), (98.9, False), (-100.0, False)])
def test_close_is_as_wide_as_the_tolerance_and_no_wider(value: float, passes: bool) -> None:
    assert (told(lambda: judge.close(value, 100, "x", rel=0.01)) is None) == passes
    assert (told(lambda: judge.close(value, 100, "x", abs=1)) is None) == passes


def test_without_a_tolerance_a_number_must_be_exact_and_the_sentence_shows_the_difference() -> None:
    with pytest.raises(Wrong) as caught:
        judge.close(25175041, 25175040, "x")
    assert "25175040" in str(caught.value)
    assert "25175041" in str(caught.value)


@pytest.mark.parametrize(("value", "cause"), [(1000, " Milliseconds."), (-1, " Swapped."), (0, " Nothing was timed."), (3, ""), (1.6, "")])
def test_the_cause_of_a_known_wrong_value_is_told(value: float, cause: str) -> None:
    slips: dict[float, str] = {
        1000: say("মিলি।", "Milliseconds."),
        -1: "Swapped.",
        0: "Nothing was timed.",
        1.9: "Within the tolerance, but not it.",
    }
    forms: list[Slips] = [slips, list(slips.items())]
    for form in forms:
        with pytest.raises(Wrong) as caught:
            judge.close(value, 1, "x", rel=1e-3, abs=0.5, slips=form)
        assert caught.value.sentence.en == f"x: expected 1, {value:g} came.{cause}"
    with in_language("bn"), pytest.raises(Wrong, match=r"1 হওয়ার কথা, এসেছে 1000। মিলি।"):
        judge.close(1000, 1, "x", slips=slips)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (1, 1), ("a", "a"), ([1, (2,)], [1, (2,)]), ({"a": [1]}, {"a": [1]}), (None, None), (torch.float16, torch.float16),
        (torch.ones(2), torch.ones(2)), ([np.ones(2)], [np.ones(2)]),
    ],
)  # fmt: skip
def test_equal_values_of_one_type_are_equal(value: object, expected: object) -> None:
    judge.equal(value, expected, "x")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, 1), (1.0, 1), ([1], (1,)), ("2", "12"), (math.nan, math.nan), ([True], [1]), ([1.0], [1]), ([1], [1, 2]),
        ({"a": 1}, {"b": 1}),
        ([torch.ones(1)], [1]), ([torch.zeros(0)], [torch.ones(1)]), (torch.ones(1), torch.ones(2)),
        (torch.ones(2), torch.ones(2, dtype=torch.int64)),
    ],
)  # fmt: skip
def test_what_only_looks_equal_is_not(value: object, expected: object) -> None:
    with pytest.raises(Wrong, match=r"x: expected .* came\. Why\."):
        judge.equal(value, expected, "x", cause="Why.")


def test_a_mapping_has_its_keys_and_may_have_more() -> None:
    assert judge.mapping({"a": 1, "b": 2}, ["a"], "x") == {"a": 1, "b": 2}
    with pytest.raises(Wrong, match=r"x: missing the key\(s\) b, c; it has a, 1\."):
        judge.mapping({"a": 1, 1: 1}, ["a", "b", "c"], "x")


def test_without_reveal_the_expected_value_stays_with_us() -> None:
    with pytest.raises(Wrong) as caught:
        judge.close(2, 1234, "x", reveal=False, slips={2: "Halved."})
    assert caught.value.sentence.en == "x: 2 is not right. Halved."
    assert "1234" not in caught.value.sentence.bn


@pytest.mark.parametrize(
    "helper", [judge.number, judge.names, judge.dtype_name, judge.function, lambda v, what: judge.mapping(v, ["a"], what)]
)
def test_the_stubs_dots_are_an_answer_not_given(helper: Callable[[object, str], object]) -> None:
    with pytest.raises(Wrong, match=r"x: not answered yet\."):
        helper(plain(...), "x")


@pytest.mark.parametrize("value", [["a", "b"], ("a", " b "), "a, b", "a -> b", "a → b;", " a\nb\n", plain(np.array(["a", "b"]))])
def test_names_come_in_many_forms(value: object) -> None:
    assert judge.names(value, "x") == ["a", "b"]


@pytest.mark.parametrize("value", ["", " \n", ",", []])
def test_nothing_is_no_name(value: object) -> None:
    assert judge.names(value, "x") == []


@pytest.mark.parametrize("value", ["float16", "torch.float16", "half", "FP16", " Float16 ", "np.float16", torch.float16, plain(np.float16)])
def test_a_dtype_comes_in_many_forms(value: object) -> None:
    assert judge.dtype_name(value, "x") == "float16"


@pytest.mark.parametrize("value", ["", "float17", 16, None, ["float16"], torch.ones(1)])
def test_what_names_no_dtype_is_refused(value: object) -> None:
    with pytest.raises(Wrong, match="a dtype is needed"):
        judge.dtype_name(value, "x")


def test_an_error_that_should_be_raised() -> None:
    def f(kind: type[Exception] | None) -> int:
        if kind:
            raise kind("why")
        return 7

    call = Local("f", f)
    assert judge.raises("LookupError", lambda: call(KeyError), "x").kind == "KeyError"
    with pytest.raises(Wrong, match="expected ValueError, but TypeError was raised: why"):
        judge.raises("ValueError", lambda: call(TypeError), "x")
    with pytest.raises(Wrong, match="expected ValueError, but it returned 7 without complaint"):
        judge.raises("ValueError", lambda: call(None), "x")
    with pytest.raises(StudentError):  # one that is not looked for stays the student's
        call(ValueError)


def test_a_look_at_a_value_is_short() -> None:
    assert judge.show(1 / 3) == "0.333333"
    assert judge.show(Proxy("f")) == "<function f>"
    assert len(judge.show(list(range(1000)))) == 80
    assert judge.show(torch.empty((), dtype=torch.bits8))
