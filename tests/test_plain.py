from __future__ import annotations

import math
from collections import OrderedDict, namedtuple
from contextlib import suppress
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from courselib.worker.plain import MAX_BYTES, Opaque, WireError, decode, plain

Point = namedtuple("Point", "x y")


class Colour(StrEnum):
    red = "red"


class Sly(int):
    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


class SlyDict(dict[str, int]):
    def __getitem__(self, key: str) -> int:
        return 0


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        0,
        -5,
        2**70,
        1.5,
        "x",
        "বাংলা",
        "\ud800",
        [1, [2]],
        (1, (2,)),
        {"a": 1, 2: "b"},
        {1, 2},
        1 + 2j,
        Fraction(1, 3),
        Decimal("1.1"),
        b"\x00\xff",
    ],
)
def test_plain_values_arrive_as_they_were(value: object) -> None:
    came = plain(value)
    assert came == value
    assert type(came) is type(value)


@pytest.mark.parametrize("text", ["inf", "-inf", "nan"])
def test_what_is_no_number_arrives_as_such(text: str) -> None:
    assert repr(plain(float(text))) == text


@pytest.mark.parametrize(
    ("value", "came"),
    [
        (np.float32(0.5), 0.5), (np.int64(3), 3), (np.bool_(True), True), (np.str_("a"), "a"), (np.longdouble(2), 2.0),
        (range(3), [0, 1, 2]), ({"a": 1}.keys(), ["a"]), (iter("ab"), ["a", "b"]), (OrderedDict(a=1), {"a": 1}),
        (Point(1, 2), (1, 2)), (Colour.red, "red"), (np.array(["a", "b"]), ["a", "b"]), (frozenset({1}), {1}),
        (np.float16, torch.float16), (np.dtype("float32"), torch.float32), (torch.bfloat16, torch.bfloat16), (SlyDict(a=1), {"a": 1}),
    ],
)  # fmt: skip
def test_kinds_of_plain_values_are_one(value: object, came: object) -> None:
    assert plain(value) == came
    assert type(plain(value)) is type(came)


def test_a_value_that_equals_everything_arrives_as_what_it_is() -> None:
    assert type(plain(Sly(3))) is int
    assert plain(Sly(3)) != 4


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.bool, torch.complex64])
def test_tensors_of_every_dtype(dtype: torch.dtype) -> None:
    value = torch.ones(2, 3).to(dtype)
    came = plain(value)
    assert came.dtype is dtype
    assert torch.equal(came, value)


def test_tensors_lose_their_graph_and_their_class() -> None:
    class Lazy(torch.Tensor):
        pass

    came = plain((torch.ones(2, requires_grad=True) * 2).as_subclass(Lazy))
    assert type(came) is torch.Tensor
    assert not came.requires_grad


@pytest.mark.parametrize(
    "value", [torch.empty(0, 3), torch.tensor(5), torch.ones(4, 4).T[1:3], torch.ones(2, dtype=torch.complex64).conj()]
)
def test_tensors_of_every_shape(value: torch.Tensor) -> None:
    assert torch.equal(plain(value), value.resolve_conj())


@pytest.mark.parametrize("value", [np.eye(2), np.arange(6).reshape(2, 3)[:, ::2], np.array(3.0), np.zeros((0, 2)), np.ones(2, dtype=">f4")])
def test_arrays(value: Any) -> None:
    assert np.array_equal(plain(value), value)


@pytest.mark.parametrize(
    "value",
    [object(), len, lambda: 1, torch.nn.Linear(1, 1), 10**6000, torch.empty(2, device="meta"), ..., int],
    ids=lambda v: type(v).__name__,
)
def test_all_else_is_opaque(value: object) -> None:
    assert isinstance(plain(value), Opaque)


def test_a_value_whose_repr_raises_is_opaque_too() -> None:
    class Bad:
        def __repr__(self) -> str:
            raise ValueError

    assert plain(Bad()).kind == "Bad"


def test_depth_and_size_have_limits() -> None:
    deep: list[Any] = []
    for _ in range(1000):
        deep = [deep]
    assert plain(deep) is not None
    assert len(plain(range(10**9))) <= 200_001
    with pytest.raises(WireError):
        plain(np.zeros(MAX_BYTES + 8, dtype=np.uint8))


def test_cycles_end() -> None:
    loop: list[Any] = []
    loop.append(loop)
    assert isinstance(plain(loop), list)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.text(), x),
        max_leaves=20,
    )
)
def test_any_json_travels(value: Any) -> None:
    assert _same(plain(value), value)


def _same(a: Any, b: Any) -> bool:
    if isinstance(b, float) and math.isnan(b):
        return isinstance(a, float) and math.isnan(a)
    if isinstance(b, list):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(b, dict):
        return a.keys() == b.keys() and all(_same(a[k], b[k]) for k in b)
    return bool(a == b) and type(a) is type(b)


TAGS = [
    "$float",
    "$tensor",
    "$array",
    "$dict",
    "$set",
    "$fraction",
    "$dtype",
    "$opaque",
    "$complex",
    "$decimal",
    "$bytes",
    "$tuple",
    "$handle",
    "$x",
]
HOSTILE = st.recursive(
    st.none() | st.integers(-5, 2**40) | st.floats() | st.text(max_size=5) | st.sampled_from(["float32", "object", "int64", "<U3"]),
    lambda x: st.lists(x, max_size=4) | st.dictionaries(st.sampled_from(TAGS), x, max_size=2),
    max_leaves=12,
)


@given(HOSTILE, st.lists(st.binary(max_size=16), max_size=2))
def test_nothing_that_a_worker_sends_is_more_than_a_wire_error(value: Any, blobs: list[bytes]) -> None:
    with suppress(WireError):
        decode(value, blobs)
