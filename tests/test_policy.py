from __future__ import annotations

from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from courselib.policy import Policy

POLICIES = st.builds(
    lambda price, most, grace: Policy(**price, most_days=most, grace=grace),
    st.one_of(
        st.fixed_dictionaries({"points_per_day": st.floats(0.001, 100)}), st.fixed_dictionaries({"percent_per_day": st.floats(0.001, 100)})
    ),
    st.none() | st.integers(1, 20),
    st.sampled_from(["0 min", "15 min", "2 h", "72 h"]),
)


def test_a_day_costs_points_or_a_share_of_what_the_exercise_is_worth_exactly() -> None:
    assert Policy(points_per_day=0.1).penalty(Fraction(5), Fraction(10), 3) == Fraction(3, 10)
    assert Policy(percent_per_day=10).penalty(Fraction(5), Fraction(1, 3), 1) == Fraction(1, 30)
    assert Policy(percent_per_day=12.5).penalty(Fraction(8), Fraction(8), 2) == 2


def test_work_beyond_the_most_days_earns_nothing_and_until_then_what_it_does() -> None:
    policy = Policy(points_per_day=1, most_days=2)
    assert [policy.penalty(Fraction(9), Fraction(10), n) for n in (1, 2, 3)] == [1, 2, 9]


def test_nothing_is_taken_beyond_what_was_earned() -> None:
    assert Policy(points_per_day=4).penalty(Fraction(9), Fraction(10), 3) == 9


@given(POLICIES, st.fractions(0, 100), st.fractions(0, 100), st.integers(0, 1000))
def test_a_day_more_never_costs_less_and_nothing_costs_more_than_all(policy: Policy, a: Fraction, b: Fraction, days: int) -> None:
    earned, possible = min(a, b), max(a, b)
    now, later = policy.penalty(earned, possible, days), policy.penalty(earned, possible, days + 1)
    assert 0 <= now <= later <= earned


@pytest.mark.parametrize(
    ("grace", "length"), [("15 min", timedelta(minutes=15)), ("2 h", timedelta(hours=2)), ("0 min", timedelta()), ("48 h", timedelta(2))]
)
def test_grace_has_one_form(grace: str, length: timedelta) -> None:
    assert Policy(points_per_day=1, grace=grace).forgiven == length


@pytest.mark.parametrize("grace", ["15", "15min", "15  min", "15 minutes", "-5 min", "1.5 h", "2 H", "1 day", "২ h", "", 15])
def test_any_other_form_of_grace_is_refused(grace: Any) -> None:
    with pytest.raises(ValidationError):
        Policy(points_per_day=1, grace=grace)


@pytest.mark.parametrize(
    "told",
    [
        {}, {"grace": "1 h"}, {"points_per_day": 1, "percent_per_day": 1}, {"points_per_day": 0}, {"points_per_day": -1},
        {"percent_per_day": 101}, {"points_per_day": float("inf")}, {"points_per_day": float("nan")}, {"points_per_day": "1"},
        {"points_per_day": 1, "most_days": 0}, {"points_per_day": 1, "most_days": 1.5}, {"points_per_day": 1, "floor": 2},
    ],
)  # fmt: skip
def test_a_policy_has_exactly_one_price_and_sound_bounds(told: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Policy(**told)


@given(POLICIES)
def test_a_policy_is_stored_as_it_is(policy: Policy) -> None:
    assert Policy.model_validate_json(policy.model_dump_json()) == policy
