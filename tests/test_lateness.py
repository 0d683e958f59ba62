from __future__ import annotations

import dataclasses
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from fake import EXERCISES, Run, grades, rows, works
from hypothesis import given
from hypothesis import strategies as st
from test_policy import POLICIES

from courselib.grader import Work
from courselib.keep import marking
from courselib.keep.marking import Wish
from courselib.lateness import Deadlines, Lateness, Terms, applied, days_late, earned, of
from courselib.moments import due_time
from courselib.policy import Policy
from courselib.reports import late_lines, write_reports

DUE = "2026-12-01 23:59 Asia/Dhaka"
NEW_YORK = "America/New_York"
TENTH = Policy(percent_per_day=10, grace="15 min")


def row(score: float = 3, **told: Any) -> dict[str, Any]:
    return {"student": "s", "exercise": "u/x", "status": "graded", "score": score, "possible": 4.0, "deferred": 0.0} | told


def late(submitted: str, policy: Policy | None = TENTH, score: float = 3, **told: Any) -> tuple[float, Lateness]:
    """Return the score of a record that came in then, and what it says of time."""
    found = applied(row(score, **told), Terms(due=due_time(DUE), submitted=submitted, policy=policy))
    lateness = of(found)
    assert lateness
    return found["score"], lateness


@pytest.mark.parametrize(
    ("submitted", "days"),
    [
        ("2026-12-01 17:58:59 UTC", 0),
        ("2026-12-01 17:59:00 UTC", 0),
        ("2026-12-01 17:59:00.999999 UTC", 0),
        ("2026-12-01 23:59:00 +06:00", 0),
        ("2026-12-01 17:59:01 UTC", 0),
        ("2026-12-01 18:14:00 UTC", 0),
        ("2026-12-01 18:14:01 UTC", 1),
        ("2026-12-02 17:59:00 UTC", 1),
        ("2026-12-02 17:59:01 UTC", 2),
        ("2026-12-02 18:10:00 UTC", 2),
        ("2026-12-11 17:59:00 UTC", 10),
        ("2027-12-01 17:59:00 UTC", 365),
    ],
)
def test_every_day_begun_counts_from_the_due_second_and_grace_only_forgives(submitted: str, days: int) -> None:
    assert late(submitted)[1].days == days


@pytest.mark.parametrize(
    ("due", "submitted", "days"),
    [
        (f"2026-03-07 12:00 {NEW_YORK}", "2026-03-08 16:00:00 UTC", 1),  # 23 hours on, the same time by the clock
        (f"2026-03-07 12:00 {NEW_YORK}", "2026-03-08 16:00:01 UTC", 2),
        (f"2026-10-31 12:00 {NEW_YORK}", "2026-11-01 17:00:00 UTC", 1),  # 25 hours on
        (f"2026-10-31 12:00 {NEW_YORK}", "2026-11-01 17:00:01 UTC", 2),
        ("2026-10-31 12:00-04:00", "2026-11-01 16:00:01 UTC", 2),  # an offset has no clocks to change
        (f"2026-03-07 12:00 {NEW_YORK}", "2026-04-07 16:00:00 UTC", 31),
        ("2011-12-29 10:00 Pacific/Apia", "2011-12-30 20:00:00 UTC", 1),  # the 30th never came there
        ("2011-12-29 10:00 Pacific/Apia", "2011-12-30 20:00:01 UTC", 3),
    ],
)
def test_a_day_is_one_by_the_clocks_of_the_due_times_zone(due: str, submitted: str, days: int) -> None:
    found = applied(row(), Terms(due=due_time(due), submitted=submitted))
    assert found["lateness"]["days"] == days


def test_the_penalty_is_exact_and_rounded_once() -> None:
    score, found = late("2026-12-03 00:00:00 UTC", Policy(percent_per_day=10), score=0.333333, possible=1 / 3)
    assert (found.days, found.before) == (2, 0.333333)
    assert score == round(float(Fraction("0.333333") - Fraction(str(1 / 3)) / 5), 6)
    assert late("2026-12-02 00:00:00 UTC", Policy(points_per_day=0.1), score=0.3)[0] == 0.2


def test_a_penalty_never_goes_below_nothing_and_deferred_points_stay_as_they_were() -> None:
    score, found = late("2026-12-09 00:00:00 UTC", Policy(points_per_day=1), score=2, deferred=2.0)
    assert (score, found.penalty, found.before) == (0, 2, 2)
    assert late("2026-12-03 00:00:00 UTC", TENTH, score=2, deferred=2.0)[0] == 1.2  # of what it is worth, deferred points too


@pytest.mark.parametrize("submitted", ["", "2026-12-03 00:00:00 EST", "2026-12-03 00:00:00"])
@pytest.mark.parametrize("marked", [True, False])
def test_where_no_time_is_known_nothing_is_taken_whatever_the_mark(submitted: str, marked: bool) -> None:
    found = applied(row(), Terms(due=due_time(DUE), submitted=submitted, marked=marked, policy=TENTH))
    lateness = of(found)
    assert lateness
    assert (found["score"], lateness.days, lateness.penalty, lateness.unknown, lateness.marked) == (3, None, 0, True, marked)
    assert lateness.told().en == f"due {DUE}; no time known, nothing is taken off."


@pytest.mark.parametrize("status", ["not_submitted", "unreadable", "refused"])
def test_what_was_not_graded_is_not_late(status: str) -> None:
    score, found = late("2026-12-03 00:00:00 UTC", score=0, status=status)
    assert (score, found.days, found.unknown, found.told().en) == (0, None, False, f"due {DUE}.")


def test_without_a_policy_lateness_is_told_and_costs_nothing() -> None:
    score, found = late("2026-12-03 00:00:00 UTC", None)
    assert (score, found.days, found.penalty) == (3, 2, 0)


@pytest.mark.parametrize(
    ("submitted", "policy", "told"),
    [
        ("2026-12-01 17:00:00 UTC", TENTH, "came in 2026-12-01 23:00 Asia/Dhaka: on time."),
        ("2026-12-02 00:00:07 UTC", TENTH, "came in 2026-12-02 06:00:07 Asia/Dhaka: 1 day late, 0.4 taken off 3."),
        ("2026-12-03 00:00:00 UTC", TENTH, "came in 2026-12-03 06:00 Asia/Dhaka: 2 days late, 0.8 taken off 3."),
        ("2026-12-03 00:00:00 UTC", None, "came in 2026-12-03 06:00 Asia/Dhaka: 2 days late, nothing is taken off."),
    ],
)
def test_a_student_is_told_what_was_due_when_it_came_in_and_what_it_cost(submitted: str, policy: Policy | None, told: str) -> None:
    found = late(submitted, policy)[1].told()
    assert found.en == f"due {DUE}; {told}"
    assert DUE in found.bn


def test_what_a_work_earned_is_known_with_and_without_a_due_time() -> None:
    found = applied(row(), Terms(due=due_time(DUE), submitted="2026-12-03 00:00:00 UTC", policy=TENTH))
    assert (found["score"], earned(found), earned(row()), of(row())) == (2.2, 3, 3, None)


MOMENTS = st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31)).map(lambda d: d.replace(microsecond=0, tzinfo=UTC))
DUES = st.sampled_from(
    [DUE, f"2026-03-07 02:30 {NEW_YORK}", f"2026-10-31 01:30 {NEW_YORK}", "2026-10-24 23:59 Europe/London", "2026-07-01 10:00Z"]
)


@given(DUES, MOMENTS, st.timedeltas(timedelta(), timedelta(40)), POLICIES, st.integers(0, 4000), st.integers(0, 4000))
def test_who_is_later_never_earns_more_and_nobody_loses_more_than_they_had(
    due: str, submitted: datetime, wait: timedelta, policy: Policy, a: int, b: int
) -> None:
    worth = row(min(a, b) / 1000, possible=max(a, b) / 1000)

    def score(moment: datetime) -> float:
        told = applied(worth, Terms(due=due_time(due), submitted=f"{moment:%Y-%m-%d %H:%M:%S} UTC", policy=policy))
        assert 0 <= told["lateness"]["penalty"] <= worth["score"]
        assert told["score"] + told["lateness"]["penalty"] == pytest.approx(worth["score"], abs=2e-6)
        return float(told["score"])

    assert 0 <= score(submitted + wait) <= score(submitted) <= worth["score"]


@given(DUES, MOMENTS, st.timedeltas(timedelta(), timedelta(30)))
def test_more_grace_and_a_later_due_time_never_make_anyone_later(due: str, submitted: datetime, more: timedelta) -> None:
    moment = due_time(due)
    days = days_late(submitted, moment)
    assert days_late(submitted, moment, more) in (0, days)
    later = moment.astimezone(UTC) + more
    assert days_late(submitted, later) <= days_late(submitted, moment.astimezone(UTC))


# A class over several runs: the store keeps what was graded, and every run reckons lateness anew.

TIMES = {"s00": "2026-12-03 00:00:00 UTC", "s01": "2026-12-01 00:00:00 UTC", "s02": ""}
DEADLINES = Deadlines({"u/late": (due_time(DUE), TENTH), "a/first": (due_time("2026-12-02 23:59 Asia/Dhaka"), TENTH)})
EARNED = {("s00", "u/late"): 3.0, ("s00", "a/first"): 3.0, ("s01", "u/late"): 3.0, ("s01", "a/first"): 3.0,
          ("s02", "u/late"): 3.0, ("s02", "a/first"): 3.0}  # fmt: skip


def class_(**times: str) -> list[Work]:
    """Return three students who all earn 3 of 4, with 1 deferred, in both exercises."""
    told = TIMES | times
    made = works(3, s00=b"\0", s01=b"\0", s02=b"\0")
    return [dataclasses.replace(w, submitted=told[w.student], late=w.student == "s02") for w in made]


def scores(folder: Path) -> dict[tuple[str, str], float]:
    return {name: r["score"] for name, r in rows(folder).items()}


def test_two_exercises_have_two_due_times_and_a_penalty_each(tmp_path: Path) -> None:
    Run(deadlines=DEADLINES)(tmp_path, class_())
    assert scores(tmp_path) == EARNED | {("s00", "u/late"): 2.2, ("s00", "a/first"): 2.6}
    assert [(r["lateness"]["days"], r["lateness"]["before"]) for r in rows(tmp_path).values()] == [
        (2, 3), (1, 3), (0, 3), (0, 3), (None, 3), (None, 3)]  # fmt: skip
    assert {s: (g["total"], g["penalty"], g["deferred"]) for s, g in grades(tmp_path).items()} == {
        "s00": ("4.8", "1.2", "2"), "s01": ("6", "0", "2"), "s02": ("6", "0", "2")}  # fmt: skip
    assert [line.en for line in late_lines(write_reports(tmp_path, EXERCISES).late)] == [
        "late: 2; points taken off in all: 1.2.",
        "due, but the export tells no time: 2; nothing is taken off for these (2 marked late by the LMS); tell the times by --times.",
    ]


def test_another_deadline_costs_no_grading_and_none_takes_the_penalty_away(tmp_path: Path) -> None:
    assert len(Run(deadlines=DEADLINES)(tmp_path, class_()).graded) == 6
    harder = Deadlines({"u/late": (due_time("2026-11-30 23:59 Asia/Dhaka"), Policy(points_per_day=1))})
    second = Run(deadlines=harder)(tmp_path, class_())
    assert (second.graded, second.skipped) == ([], 6)
    assert scores(tmp_path) == EARNED | {("s00", "u/late"): 0, ("s01", "u/late"): 2}
    assert "lateness" not in rows(tmp_path)["s00", "a/first"]
    plain = Run()(tmp_path, class_())
    assert (plain.graded, scores(tmp_path)) == ([], EARNED)
    assert all("lateness" not in r for r in rows(tmp_path).values())
    assert {g["penalty"] for g in grades(tmp_path).values()} == {""}
    assert late_lines(write_reports(tmp_path, EXERCISES).late) == []


def test_the_same_file_at_another_time_is_not_graded_again_and_is_as_late_as_it_now_is(tmp_path: Path) -> None:
    Run(deadlines=DEADLINES)(tmp_path, class_())
    again = Run(deadlines=DEADLINES)(tmp_path, class_(s00="2026-12-01 10:00:00 UTC", s01="2026-12-09 10:00:00 UTC"))
    assert again.graded == []
    assert scores(tmp_path) == EARNED | {("s01", "u/late"): 0, ("s01", "a/first"): 0.2}


def test_a_resumed_run_comes_to_what_a_whole_one_does(tmp_path: Path) -> None:
    Run(deadlines=DEADLINES)(tmp_path / "whole", class_())
    Run()(tmp_path / "parts", class_()[:2])
    Run(deadlines=DEADLINES)(tmp_path / "parts", class_())
    assert (tmp_path / "whole" / "grades.csv").read_bytes() == (tmp_path / "parts" / "grades.csv").read_bytes()


def test_an_extension_is_one_students_own_and_takes_no_time_away(tmp_path: Path) -> None:
    more = {("s00", "u/late"): due_time("2026-12-02 23:59 Asia/Dhaka"), ("s01", "u/late"): due_time("2026-10-01 23:59 Asia/Dhaka")}
    Run(deadlines=dataclasses.replace(DEADLINES, extensions=more))(tmp_path, class_())
    found = {name: r["lateness"] for name, r in rows(tmp_path).items()}
    assert [(found[s, "u/late"]["days"], found[s, "u/late"]["extended"]) for s in ("s00", "s01")] == [(1, True), (0, False)]
    assert found["s00", "u/late"]["due"] == "2026-12-02 23:59 Asia/Dhaka"
    assert (found["s00", "a/first"]["days"], found["s00", "a/first"]["extended"]) == (1, False)
    assert "(extended)" in Lateness(**found["s00", "u/late"]).told().en


def test_a_persons_mark_for_the_whole_is_final_and_one_for_a_check_is_late_as_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Run(deadlines=DEADLINES)(tmp_path, class_())
    marking.mark(tmp_path, Wish("s00", "u/late", points="2.5"))
    assert (scores(tmp_path)["s00", "u/late"], rows(tmp_path)["s00", "u/late"]["lateness"]["penalty"]) == (2.5, 0)
    assert rows(tmp_path)["s00", "u/late"]["manual"]["automatic"]["score"] == 3
    marking.mark(tmp_path, Wish("s00", "u/late", clear=True))
    assert scores(tmp_path)["s00", "u/late"] == 2.2
    marking.mark(tmp_path, Wish("s00", "u/late", "one", points="1"))
    assert (scores(tmp_path)["s00", "u/late"], rows(tmp_path)["s00", "u/late"]["lateness"]["before"]) == (1.2, 2)
    assert capsys.readouterr().out.splitlines()[-1].endswith("2 days late, 0.8 taken off 2.")
    Run(deadlines=DEADLINES)(tmp_path, class_())
    assert scores(tmp_path)["s00", "u/late"] == 1.2


def test_points_for_what_never_came_in_are_not_said_to_lack_a_time(tmp_path: Path) -> None:
    Run(deadlines=DEADLINES)(tmp_path, works(1, s00=None))
    marking.mark(tmp_path, Wish("s00", "u/late", points="4"))
    found = rows(tmp_path)["s00", "u/late"]
    assert (found["score"], found["status"], found["lateness"]["handed_in"]) == (4, "graded", False)
    assert late_lines(write_reports(tmp_path, EXERCISES).late) == []


def test_terms_are_stored_and_read_as_they_are() -> None:
    told = DEADLINES.terms("s", "u/late", "2026-12-03 00:00:00 UTC", True)
    assert Terms.model_validate_json(told) == Terms(
        due=due_time(DUE), submitted="2026-12-03 00:00:00 UTC", marked=True, policy=TENTH, extended=False
    )
    assert DEADLINES.terms("s", "u/other") == ""
