import sys
from decimal import Decimal
from fractions import Fraction

sys.set_int_max_str_digits(0)
deep = []
for _ in range(100_000):
    deep = [deep]
WAYS = iter([10**100_000, deep, Decimal("1e999999999"), Decimal("sNaN"), Fraction(10**5000, 3), complex("inf"), -0.0, "9" * 10**7])


def double(x):
    return next(WAYS)


def three():
    return [Decimal("0e999999999999999999"), {Decimal("NaN"): deep}, {float("nan"), float("nan")}]


answer = Decimal("1e-999999999999999999")
