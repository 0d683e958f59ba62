"""The keys of number questions: safe expressions over the given numbers, exact to the last digit, and what lies within."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from courselib.quiz.filling import written
from courselib.text import Text, say
from courselib.trouble import Trouble

if TYPE_CHECKING:
    from courselib.quiz.questions import Tolerance, Value

MOST_POWER = 512

OPERATORS: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
FUNCTIONS: dict[str, Callable[..., Fraction]] = {
    "log2": lambda x: Fraction(math.log2(x)),
    "sqrt": lambda x: Fraction(math.sqrt(x)),
    "round": lambda x, n=Fraction(0): Fraction(round(x, int(n))),
    "floor": lambda x: Fraction(math.floor(x)),
    "ceil": lambda x: Fraction(math.ceil(x)),
    "min": lambda *xs: min(xs),
    "max": lambda *xs: max(xs),
}


def exact(value: int | float) -> Fraction:
    """Return a number as it was written: 0.1 is one tenth."""
    return Fraction(repr(value))


def evaluate(value: Value, given: Mapping[str, Value]) -> Fraction:
    """Work out a number or an expression over `given`; raise `Trouble` where it is neither."""
    if not isinstance(value, str):
        return exact(value)
    try:
        return _node(ast.parse(value, mode="eval").body, given)
    except KeyError as unknown:
        name = str(unknown.args[0])
        raise Trouble(say("{v}: {n} given-এ নেই।", "{v}: {n} is not among the given numbers.", v=value, n=name)) from None
    except ZeroDivisionError:
        raise Trouble(say("{v}: শূন্য দিয়ে ভাগ।", "{v} divides by zero.", v=value)) from None
    except (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError) as fault:
        raise Trouble(
            say("{v}: এটি হিসাব করা গেল না ({f})।", "{v} cannot be worked out ({f}).", v=value, f=getattr(fault, "msg", fault))
        ) from None


def _node(node: ast.expr, given: Mapping[str, Value]) -> Fraction:
    match node:
        case ast.Constant(int() | float() as number) if not isinstance(number, bool):
            return exact(number)
        case ast.Name(name):
            return evaluate(given[name], {})  # a KeyError names what is not given
        case ast.UnaryOp(ast.USub(), inner):
            return -_node(inner, given)
        case ast.BinOp(left, ast.Pow(), right):
            return _power(_node(left, given), _node(right, given))
        case ast.BinOp(left, op, right) if type(op) in OPERATORS:
            return OPERATORS[type(op)](_node(left, given), _node(right, given))
        case ast.Call(ast.Name(name), args, []) if name in FUNCTIONS:
            return FUNCTIONS[name](*(_node(a, given) for a in args))
    raise ValueError(ast.unparse(node))


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if abs(exponent) > MOST_POWER or (exponent.denominator == 1 and max(abs(base.numerator), base.denominator) > 10**40):
        raise ValueError("too large a power")
    return Fraction(base ** int(exponent)) if exponent.denominator == 1 else Fraction(float(base) ** float(exponent))


def within(key: Fraction, tolerance: Tolerance) -> Fraction:
    """Return how far from `key` a number may lie and be right."""
    if tolerance.absolute is not None:
        return exact(tolerance.absolute)
    if tolerance.relative is not None:
        return abs(key) * exact(tolerance.relative)
    if tolerance.figures is None or key == 0:
        return Fraction(0)
    return Fraction(10) ** (_exponent(key) - tolerance.figures + 1) / 2


def allowed(tolerance: Tolerance, unit: str) -> Text:
    """Return a tolerance as a learner is told it beforehand: how near is near enough."""
    if tolerance.absolute is not None:
        size = _in_prose(exact(tolerance.absolute))
        return say("{a} {u} কম-বেশি হলেও চলবে", "give or take {a} {u}", a=size, u=unit) if unit else _give_or_take(size)
    if tolerance.relative is not None:
        share = _in_prose(exact(tolerance.relative) * 100)
        return say("আসল মানের {a}% কম-বেশি হলেও চলবে", "give or take {a}% of the true value", a=share)
    if tolerance.figures is not None:
        return say("প্রথম {n}টি অঙ্ক মিললেই হবে", "to {n} significant figures", n=_in_prose(Fraction(tolerance.figures)))
    return say("ঠিক মানটিই চাই", "exactly")


def _give_or_take(size: Text) -> Text:
    return say("{a} কম-বেশি হলেও চলবে", "give or take {a}", a=size)


def _in_prose(value: Fraction) -> Text:
    number = shown(value, Fraction(0)) if value >= Fraction(1, 10**6) else f"{float(value):g}"
    return Text(written(number, "bn"), written(number, "en"))


def _exponent(value: Fraction) -> int:
    """Return the power of ten of a number's first figure."""
    size, power = abs(value), len(str(abs(value.numerator))) - len(str(value.denominator))
    return power if Fraction(10) ** power <= size else power - 1


def shown(key: Fraction, near: Fraction) -> str:
    """Return a key as a person would write it: as many places as the tolerance tells apart, no more."""
    if near == 0:
        places = next((n for n in range(7) if key * 10**n % 1 == 0), None)
        return _plain(key, places) if places is not None else f"{float(key):.6g}"
    places = next((n for n in range(13) if Fraction(1, 2 * 10**n) <= near), 12)
    return _plain(key, places) if places < 12 and abs(key) < 10**15 else f"{float(key):.6g}"


def _plain(key: Fraction, places: int) -> str:
    scaled = round(key * 10**places)
    digits = str(abs(scaled)).rjust(places + 1, "0")
    return ("-" if scaled < 0 else "") + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)
