from __future__ import annotations

import json
import random
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from statistics import correlation

import pytest
from made_records import nothing, record, verdict

from courselib.figures import FEW, Figures, Pairs, bars, gather, shares
from courselib.kinds import KINDS, diagnosis
from courselib.lateness import Terms, applied
from courselib.moments import due_time
from courselib.policy import Policy
from courselib.record import Record
from courselib.results import Row


def added_up(*records: Record) -> Figures:
    rows = (json.loads(r.line()) for r in records)
    return gather((list(g) for _, g in groupby(rows, key=lambda r: r["student"])), ["u/one", "u/two"])


@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_pairs_seen_one_at_a_time_correlate_as_when_all_are_kept(shift: float) -> None:
    chance = random.Random(3)
    xs = [chance.random() for _ in range(200)]
    ys = [shift + 3 * x + chance.random() for x in xs]
    pairs = Pairs()
    for x, y in zip(xs, ys, strict=True):
        pairs.add(x, y)
    assert pairs.correlation == pytest.approx(correlation(xs, ys), abs=1e-6)


def test_few_pairs_or_a_side_that_never_varies_say_nothing() -> None:
    few, flat = Pairs(), Pairs()
    for i in range(FEW - 1):
        few.add(i, i)
    for i in range(20):
        flat.add(1, i)
    assert few.correlation is None
    assert flat.correlation is None
    few.add(9, 9)
    assert few.correlation == pytest.approx(1)


def test_a_check_is_correlated_with_everything_but_itself() -> None:
    marks = [(True, 3), (True, 2), (False, 2), (False, 0), (True, 1), (False, 1)]
    records = []
    for i, (passed, others) in enumerate(marks):
        records.append(record(f"s{i}", verdict("a", "passed" if passed else "failed", 5)))
        records.append(record(f"s{i}", *(verdict(f"b{k}", "passed" if k < others else "failed") for k in range(3)), exercise="u/two"))
    figures = added_up(*records)
    expected = correlation([float(p) for p, _ in marks], [float(o) for _, o in marks])
    assert figures.checks["u/one", "a"].discrimination == pytest.approx(expected)
    assert figures.exercises["u/one"].discrimination == pytest.approx(expected)
    assert figures.checks["u/one", "a"].rate == pytest.approx(0.5)
    assert figures.exercises["u/two"].rate == pytest.approx(sum(o for _, o in marks) / 18)


def test_rates_count_what_ran_and_what_a_fault_of_the_students_stopped_and_nothing_else() -> None:
    figures = added_up(
        record("a", verdict("x"), verdict("g", "deferred")),
        record("b", verdict("x", "not_run"), verdict("g", "deferred")),
        record("c", verdict("x", "timed_out"), verdict("g", "deferred")),
        nothing("d"),
        record("e", verdict("x", "not_run"), verdict("g", "not_run"), status="unreadable", message="cut off"),
        record("f", verdict("x", "fault"), verdict("g", "deferred"), status="fault"),
        record("g", verdict("x", "not_run"), status="fault", message="lost"),
    )
    item = figures.checks["u/one", "x"]
    assert item.rate == pytest.approx(1 / 3)
    assert item.outcomes == {"passed": 1, "not_run": 1, "timed_out": 1, "fault": 1}
    assert figures.checks["u/one", "g"].rate is None
    assert figures.deferred == 4
    assert figures.exercises["u/one"].pairs.n == 3


def test_what_lateness_takes_off_is_in_the_marks_and_not_in_how_hard_an_exercise_is() -> None:
    terms = Terms(due=due_time("2026-12-01 23:59 UTC"), submitted="2026-12-02 12:00:00 UTC", policy=Policy(percent_per_day=50))
    late = applied(json.loads(record("a", verdict("x", points=4)).line()), terms)
    figures = gather([[late]], ["u/one"])
    assert figures.percents == [50]
    assert figures.exercises["u/one"].rate == 1
    assert [(s, e, when.days, when.penalty) for s, e, when in figures.late] == [("a", "u/one", 1, 2)]


def test_students_are_counted_by_status_and_those_with_nothing_have_no_mark() -> None:
    figures = added_up(record("a", verdict("x")), nothing("b"), record("c", verdict("x", "failed")), record("d", verdict("x")))
    assert (figures.students, figures.statuses) == (4, {"graded": 3, "not_submitted": 1})
    assert figures.percents == [100, 0, 100]
    assert figures.median == 100
    assert added_up(nothing("a")).median is None


def test_who_needs_a_person_comes_with_the_reason() -> None:
    figures = added_up(
        record("a", verdict("x", "not_run"), status="refused", message="a zip bomb"),
        record("b", verdict("x", "fault", message="ours"), status="fault", message="a note"),
        record("c", verdict("x", "failed")),
    )
    assert figures.people == [("a", "u/one", "refused", "a zip bomb"), ("b", "u/one", "fault", "ours")]


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("1 is wrong (25,175,040 expected)", "# is wrong (# expected)"),
        ("f([1024, 4096, 10]): 7", "f([#]): #"),
        ("f([3]): -2.5e-07", "f([#]): #"),
        ("4.3–5.2 expected", "# expected"),
        ("6টির মধ্যে 0টি", "#টির মধ্যে #টি"),
        ("float32 expected, float16 came; conv2d", "float32 expected, float16 came; conv2d"),
        ("at 0x7f3a20, line 12", "at #, line #"),
        ("two\n  lines\t1_000", "two lines #"),
        ("১২ নম্বর", "# নম্বর"),
        ("", ""),
    ],
)
def test_a_diagnosis_is_a_message_without_its_numbers(message: str, kind: str) -> None:
    assert diagnosis(message) == kind


def test_a_kind_of_wrong_answer_counts_a_student_once_and_names_the_checks() -> None:
    figures = added_up(
        record(
            "a", verdict("x", "failed", message="got 1"), verdict("y", "failed", message="got 2"), verdict("z", "error", message="boom")
        ),
        record("b", verdict("x", "failed", message="got 3"), verdict("y"), verdict("z", "not_run", message="boom")),
    )
    first, second = figures.commonest("u/one", 9)
    assert (first.diagnosis, first.students, first.checks) == ("got #", 2, {"name of x": 2, "name of y": 1})
    assert (first.named, first.example) == (["a", "b"], "got 1")
    assert (second.diagnosis, second.students) == ("boom", 1)
    assert [k.diagnosis for k in figures.commonest("u/one", 1)] == ["got #"]
    assert figures.commonest("u/two", 9) == []


def endless(students: int) -> Iterator[list[Row]]:
    chance = random.Random(1)
    for i in range(students):
        own = "".join(chance.choice("abcdef ") for _ in range(40)) * 45
        yield [json.loads(record(f"s{i}", verdict("x", "failed", message=own), verdict("y", "failed", message="the same")).line())]


def test_what_students_write_does_not_grow_the_memory_and_the_common_kind_is_not_lost() -> None:
    tracemalloc.start()
    figures = gather(endless(1500), ["u/one"])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(figures.kinds["u/one"]) <= KINDS
    assert figures.commonest("u/one", 1)[0].students == 1500
    assert peak < 2e6  # the messages alone are 2.7 MB


def test_marks_fall_into_ten_bars_and_the_ends_are_inside() -> None:
    made = bars([0, 9.99, 10, 55, 99.9, 100, 106, -1])
    assert [b.count for b in made] == [3, 1, 0, 0, 0, 1, 0, 0, 0, 3]
    assert [b.height for b in made][:2] == [1, 0.3333]
    assert [(b.low, b.high) for b in made][-1] == (90, 100)
    assert {b.height for b in bars([])} == {0}


def test_the_shares_of_a_bar_lie_end_to_end_and_fill_it() -> None:
    made = list(shares(Counter(passed=1, failed=2, deferred=1), ["passed", "failed", "error", "deferred"]))
    assert made == [("passed", 1, 0, 25), ("failed", 2, 25, 50), ("deferred", 1, 75, 25)]
    assert list(shares(Counter(), ["passed"])) == []
