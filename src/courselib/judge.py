"""Judging a student's plain value: is it there, is it a number, is it close; each no is a sentence.

Every function raises `Wrong` with a `Text`, never anything else, whatever plain value it is given.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import torch

from courselib.dtypes import ALIASES
from courselib.proxy import Proxy, StudentError
from courselib.text import Text, both, say
from courselib.worker.plain import DTYPES, Opaque


class Wrong(AssertionError):
    """The answer is not right; the sentence says what was expected, what came and the likely cause."""

    def __init__(self, sentence: Text) -> None:
        super().__init__(sentence)
        self.sentence = sentence

    def __str__(self) -> str:
        return str(self.sentence)


def wrong(bn: str, en: str, **values: object) -> Wrong:
    """Make the exception that fails a check with a sentence in both languages."""
    return Wrong(say(bn, en, **values))


def require(condition: bool, bn: str, en: str, **values: object) -> None:
    """Fail the check with a sentence unless `condition` is true."""
    if not condition:
        raise wrong(bn, en, **values)


def show(value: object) -> str:
    """Return a short, safe look at a plain value."""
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and math.fabs(value) < 1e15 else f"{value:.6g}"
    if isinstance(value, torch.dtype):
        return str(value)
    if isinstance(value, Proxy):
        return f"<function {value.name}>"
    try:
        text = repr(value)
    except Exception:  # PyTorch stores dtypes that it cannot print
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 80 else text[:77] + "..."


def answered(value: object, what: str) -> None:
    """Fail where the stub's `...` still stands."""
    unanswered = isinstance(value, Opaque) and value.kind == "ellipsis"
    require(not unanswered, "{what}: এখনো উত্তর দেওয়া হয়নি।", "{what}: not answered yet.", what=what)


def number(value: object, what: str) -> float:
    """Return `value` as a finite float; any kind of real scalar, 0-d tensors included, is one."""
    answered(value, what)
    plain = _scalar(value)
    if isinstance(plain, bool) or not isinstance(plain, (int, float, Fraction, Decimal)):
        raise wrong("{what}: একটি সংখ্যা দরকার, এসেছে {came}।", "{what}: a number is needed, {came} came.", what=what, came=show(value))
    try:
        real = float(plain)
    except (OverflowError, ValueError):
        real = math.inf
    if not math.isfinite(real):
        raise wrong("{what}: {came} কোনো সসীম সংখ্যা নয়।", "{what}: {came} is not a finite number.", what=what, came=show(value))
    return real


def integer(value: object, what: str) -> int:
    """Return `value` as an int; a number with a fractional part is not one."""
    number(value, what)
    plain = _scalar(value)
    if plain != math.floor(plain):
        raise wrong(
            "{what}: একটি পূর্ণসংখ্যা দরকার, এসেছে {came}।", "{what}: a whole number is needed, {came} came.", what=what, came=show(value)
        )
    return int(plain)


def _scalar(value: object) -> Any:
    """Unwrap a tensor or array of one element without a shape, and a complex number with no imaginary part."""
    if isinstance(value, (torch.Tensor, np.ndarray)) and value.ndim == 0:
        try:
            value = value.item()
        except RuntimeError:  # PyTorch stores dtypes that it cannot read
            return value
    return value.real if isinstance(value, complex) and value.imag == 0 else value


Slips = Mapping[float, Text | str] | Sequence[tuple[float, Text | str]]


def close(value: object, expected: float, what: str, *, rel: float = 0.0, abs: float = 0.0, slips: Slips = (), reveal: bool = True) -> None:
    """Fail unless `value` is within `abs` or `rel * |expected|` of `expected`.

    `slips` are known wrong values with their cause; the one that was hit is told to the student. Without
    `reveal` the expected value is not.
    """
    real = number(value, what)
    if math.isclose(real, expected, rel_tol=rel, abs_tol=abs):
        return
    cause = _cause(real, slips, max(rel, 1e-6), abs)
    if not reveal:
        raise wrong("{what}: {came} ঠিক নয়।{cause}", "{what}: {came} is not right.{cause}", what=what, came=show(real), cause=cause)
    wanted, came = _apart(float(expected), real)
    raise wrong(
        "{what}: {expected} হওয়ার কথা, এসেছে {came}।{cause}",
        "{what}: expected {expected}, {came} came.{cause}",
        what=what,
        expected=wanted,
        came=came,
        cause=cause,
    )


def _apart(one: float, other: float) -> tuple[str, str]:
    """Return a look at both numbers, with as many digits as it takes to see that they differ."""
    looks = ((f"{one:.{n}g}", f"{other:.{n}g}") for n in (6, 9, 12, 17))
    return next((pair for pair in looks if pair[0] != pair[1]), (repr(one), repr(other)))


def _cause(real: float, slips: Slips, rel: float, abs: float) -> Text:
    known = slips.items() if isinstance(slips, Mapping) else slips
    for slip, cause in known:
        if math.isclose(real, slip, rel_tol=rel, abs_tol=min(abs, math.fabs(slip) * 1e-3)):
            return say(" {cause}", " {cause}", cause=both(cause))
    return Text("", "")


def _same(one: Any, other: Any) -> bool:
    """Tell whether two plain values are of one type and equal, all the way down; nothing broadcasts."""
    if type(one) is not type(other):
        return False
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(v, other[k]) for k, v in one.items())
    try:
        if isinstance(one, torch.Tensor):
            return one.dtype == other.dtype and torch.equal(one, other)
        if isinstance(one, np.ndarray):
            return one.dtype == other.dtype and np.array_equal(one, other)
        return bool(one == other)
    except Exception:  # a signalling NaN, a dtype that PyTorch cannot compare
        return False


def equal(value: object, expected: object, what: str, cause: Text | str = "") -> None:
    """Fail unless the plain `value` equals `expected`, of the same type."""
    if _same(value, expected):
        return
    raise wrong(
        "{what}: {expected} হওয়ার কথা, এসেছে {came}।{cause}",
        "{what}: expected {expected}, {came} came.{cause}",
        what=what,
        expected=show(expected),
        came=show(value),
        cause=say(" {c}", " {c}", c=both(cause)) if cause else Text("", ""),
    )


def mapping(value: object, keys: Iterable[str], what: str) -> dict[str, Any]:
    """Return `value` as a dict that has every one of `keys`; more keys do no harm."""
    answered(value, what)
    if not isinstance(value, dict):
        raise wrong("{what}: একটি dict দরকার, এসেছে {came}।", "{what}: a dict is needed, {came} came.", what=what, came=show(value))
    lacking = [k for k in keys if k not in value]
    require(
        not lacking,
        "{what}: এই key নেই: {lacking}। আছে: {have}।",
        "{what}: missing the key(s) {lacking}; it has {have}.",
        what=what,
        lacking=", ".join(lacking),
        have=", ".join(map(str, value)) or "-",
    )
    return value


def names(value: object, what: str) -> list[str]:
    """Return `value` as a list of names: a list, tuple or array of text, or one text with separators."""
    answered(value, what)
    if isinstance(value, str):
        value = [name for name in re.split(r"->|[→,;\s]", value) if name]
    if not isinstance(value, (list, tuple)) or not all(isinstance(v, str) for v in value):
        raise wrong(
            "{what}: নামের একটি list দরকার, এসেছে {came}।", "{what}: a list of names is needed, {came} came.", what=what, came=show(value)
        )
    return [v.strip() for v in value]


def dtype_name(value: object, what: str) -> str:
    """Return the canonical name of a dtype: "float16" for "half", "torch.float16", `torch.float16`."""
    answered(value, what)
    if isinstance(value, torch.dtype):
        return str(value).removeprefix("torch.")
    text = value.strip().lower().removeprefix("torch.").removeprefix("np.") if isinstance(value, str) else ""
    name = ALIASES.get(text, text)
    require(
        name in DTYPES,
        '{what}: একটি dtype দরকার, যেমন "float16" বা torch.float16; এসেছে {came}।',
        '{what}: a dtype is needed, such as "float16" or torch.float16; {came} came.',
        what=what,
        came=show(value),
    )
    return str(DTYPES[name]).removeprefix("torch.")


def raises(kind: str, call: Callable[[], object], what: str) -> StudentError:
    """Fail unless `call` makes the student's code raise `kind` (or a subclass); return what it raised."""
    try:
        came = call()
    except StudentError as error:
        if kind in error.kinds:
            return error
        if error.kind == "NotImplementedError":
            raise  # the stub, or a part of it, still stands
        raise wrong(
            "{what}: {kind} হওয়ার কথা, কিন্তু {came} উঠেছে: {text}",
            "{what}: expected {kind}, but {came} was raised: {text}",
            what=what,
            kind=kind,
            came=error.kind,
            text=error.text,
        ) from None
    raise wrong(
        "{what}: {kind} হওয়ার কথা, কিন্তু কোনো ভুল না দেখিয়ে {came} ফেরত এসেছে।",
        "{what}: expected {kind}, but it returned {came} without complaint.",
        what=what,
        kind=kind,
        came=show(came),
    )


def function(value: object, what: str) -> Proxy:
    """Return `value` as a function of the student."""
    answered(value, what)
    if isinstance(value, Proxy):
        return value
    raise wrong("{what}: একটি function দরকার, এসেছে {came}।", "{what}: a function is needed, {came} came.", what=what, came=show(value))


__all__ = [
    "Opaque",
    "Wrong",
    "close",
    "dtype_name",
    "equal",
    "function",
    "integer",
    "mapping",
    "names",
    "number",
    "raises",
    "require",
    "show",
    "wrong",
]
