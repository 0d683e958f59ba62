"""How far an order is from a right one."""

from __future__ import annotations

import itertools
import time
from graphlib import CycleError

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from courselib.ordering import Before, Move, longest_right_part, moves, read

NAMES = "abcdefg"


def allowed(order: list[str] | tuple[str, ...], before: Before) -> bool:
    """Tell by the definition whether `order` respects `before`, through items that are not in `order` as well."""
    earlier = {(p, item) for item, direct in before.items() for p in direct}
    for via, a, b in itertools.product(NAMES, repeat=3):
        if (a, via) in earlier and (via, b) in earlier:
            earlier.add((a, b))
    return not any((later, first) in earlier for first, later in itertools.combinations(order, 2))


def by_brute_force(order: list[str], before: Before) -> int:
    """Return the length of the longest right part by trying every part."""
    sizes = range(len(order), -1, -1)
    return next(n for n in sizes if any(allowed(part, before) for part in itertools.combinations(order, n)))


def after(order: list[str], edits: list[Move]) -> list[str]:
    """Make the edits one after another."""
    line = list(order)
    for edit in edits:
        line.remove(edit.item)
        line.insert(line.index(edit.other) + (not edit.above), edit.item)
    return line


@st.composite
def rules(draw: st.DrawFn) -> dict[str, set[str]]:
    """Draw a partial order on a few names: links only from earlier to later in a hidden line."""
    hidden = draw(st.permutations(NAMES))
    links = draw(st.sets(st.sampled_from(list(itertools.combinations(range(len(NAMES)), 2))), max_size=12))
    before: dict[str, set[str]] = {}
    for first, later in links:
        before.setdefault(hidden[later], set()).add(hidden[first])
    return before


orders = st.permutations(NAMES).flatmap(lambda line: st.integers(0, len(NAMES)).map(lambda n: list(line[:n])))


@settings(max_examples=250, deadline=None)
@given(orders, rules())
def test_the_longest_right_part_is_that_of_brute_force(order: list[str], before: Before) -> None:
    part = longest_right_part(order, before)
    assert [item for item in order if item in part] == part
    assert allowed(part, before)
    assert len(part) == by_brute_force(order, before)


@settings(max_examples=250, deadline=None)
@given(orders, rules())
def test_the_fewest_moves_make_the_order_right(order: list[str], before: Before) -> None:
    edits = moves(order, before)
    assert len(edits) == len(order) - by_brute_force(order, before)
    assert allowed(after(order, edits), before)


@settings(max_examples=100, deadline=None)
@given(orders, rules(), rules())
def test_of_several_rule_sets_the_closest_one_counts(order: list[str], one: Before, two: Before) -> None:
    part = longest_right_part(order, one, two)
    assert len(part) == max(by_brute_force(order, one), by_brute_force(order, two))
    mended = after(order, moves(order, one, two))
    assert allowed(mended, one) or allowed(mended, two)


def test_a_long_line_takes_polynomial_time() -> None:
    line = [f"item {i}" for i in range(150)]
    before = {later: {first} for first, later in itertools.pairwise(line)}
    start = time.perf_counter()
    assert len(longest_right_part(line[::-1], before)) == 1
    assert len(longest_right_part(line[::2] + line[1::2], before)) == 76
    assert time.perf_counter() - start < 5


def test_a_move_says_where_to() -> None:
    before = {"b": {"a"}, "c": {"b"}}
    assert moves(["a", "b", "c"], before) == []
    assert moves(["c", "a", "b"], before) == [Move("c", False, "b")]
    assert moves(["b", "c", "a"], before) == [Move("a", True, "b")]
    assert Move("a", True, "b").sentence.en == "Move `a` above `b`."
    assert Move("c", False, "b").sentence.en == "Move `c` below `b`."
    assert "`c`" in Move("c", False, "b").sentence.bn


def test_an_item_without_a_rule_is_never_out_of_place() -> None:
    assert longest_right_part(["x", "b", "a", "y"], {"b": {"a"}}) in (["x", "a", "y"], ["x", "b", "y"])


def test_a_rule_holds_through_an_item_that_is_missing() -> None:
    assert len(longest_right_part(["c", "a"], {"b": {"a"}, "c": {"b"}})) == 1


def test_unclear_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="more than once"):
        longest_right_part(["a", "a"], {})
    with pytest.raises(CycleError):
        longest_right_part(["a", "b"], {"a": {"b"}, "b": {"a"}})


def test_reading_sorts_out_a_submission() -> None:
    reading = read(["b", "bb", "a", "b", "steap"], ["a", "b", "step"])
    assert (reading.order, reading.missing, reading.repeated, reading.unknown) == (["b", "a"], ["step"], ["b"], ["bb", "steap"])
    assert not reading.complete
    assert reading.complaint.en == "Missing: step. Write each name once; more than once: b. Unknown: bb, steap (step?)."
    assert all(word in reading.complaint.bn for word in ("step", "নেই", "একাধিকবার", "অচেনা"))


def test_missing_items_are_not_told_in_the_right_order() -> None:
    assert read([], ["open", "write", "close"]).missing == ["close", "open", "write"]


def test_a_complete_order_has_no_complaint() -> None:
    reading = read(["b", "a"], ["a", "b"])
    assert reading.complete
    assert reading.complaint.en == reading.complaint.bn == ""


def test_a_complaint_can_be_written_anywhere() -> None:
    complaint = read([chr(0xD800), chr(27) + "[2J", "ধাপ", "{a}"], ["a"]).complaint
    assert "ধাপ" in complaint.bn
    assert "{a}" in complaint.en
    assert (complaint.bn + complaint.en).encode().isascii() is False
    assert chr(27) not in complaint.en


def test_a_complaint_stays_short() -> None:
    reading = read(["x" * 10_000 + str(i) for i in range(1000)], ["a"])
    assert len(reading.complaint.en) < 300
