from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from courselib.moments import day_ends, due_time, told_by_lms, written

NEW_YORK = "America/New_York"  # clocks forward on 2026-03-08 at 2:00, back on 2026-11-01 at 2:00
ZONES = ["Asia/Dhaka", "UTC", NEW_YORK, "Europe/London", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "Etc/GMT+6"]


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-12-01 23:59 Asia/Dhaka", "2026-12-01 17:59"),
        ("  2026-12-01   23:59  Asia/Dhaka ", "2026-12-01 17:59"),
        ("2026-12-01 23:59:59 Asia/Dhaka", "2026-12-01 17:59:59"),
        ("2026-12-01T23:59+06:00", "2026-12-01 17:59"),
        ("2026-12-01 23:59 -05:30", "2026-12-02 05:29"),
        ("2026-12-01T23:59:01Z", "2026-12-01 23:59:01"),
        ("2026-12-01 23:59 UTC", "2026-12-01 23:59"),
        (f"2026-07-01 12:00 {NEW_YORK}", "2026-07-01 16:00"),
        (f"2026-12-01 12:00 {NEW_YORK}", "2026-12-01 17:00"),
        ("2026-12-01 12:00 America/Argentina/Buenos_Aires", "2026-12-01 15:00"),
        ("2028-02-29 00:00 Asia/Kathmandu", "2028-02-28 18:15"),
    ],
)
def test_a_due_time_is_read_with_its_zone(text: str, moment: str) -> None:
    assert due_time(text).astimezone(UTC) == utc(moment)


@pytest.mark.parametrize(
    ("told", "sentence"),
    [
        ("2026-12-01 23:59", "the zone is missing; write “2026-12-01 23:59 Asia/Dhaka” or “2026-12-01 23:59+06:00”."),
        ("2026-12-01 23:59 Asia/Daka", "there is no zone Asia/Daka;.*Did you mean Asia/Dhaka?"),
        ("2026-12-01 23:59 dhaka", "there is no zone dhaka;.*Did you mean Asia/Dhaka?"),
        ("2026-12-01 23:59 asia/dhaka", "there is no zone asia/dhaka;.*Did you mean Asia/Dhaka?"),
        ("2026-12-01 23:59 EST", "there is no zone EST; write a name like Asia/Dhaka, UTC or an offset like"),
        ("2026-12-01 23:59 BST", "there is no zone BST; write a name like Asia/Dhaka, UTC or an offset like"),
        ("2026-12-01 23:59 ../../etc/passwd", "write the time like"),
        ("2026-12-01 23:59 A/../../etc/passwd", "write the time like"),
        ("2026-12-01", "write the time like 2026-12-01 23:59 Asia/Dhaka."),
        ("1/12/2026 23:59 Asia/Dhaka", "write the time like"),
        ("0026-12-01 23:59 Asia/Dhaka", "write the time like"),
        ("2026-12-01 24:00 UTC", "write the time like"),
        ("২০২৬-12-01 23:59 UTC", "write the time like"),
        ("", "write the time like"),
        (20261201, "20261201: write the time like"),
        ("2026-02-29 23:59 UTC", "2026-02-29 23:59 UTC: there is no such day or time."),
        ("2026-12-01 23:60 UTC", "there is no such day or time."),
        ("2026-12-01 23:59+25:00", "there is no such day or time."),
        (f"2026-03-08 02:30 {NEW_YORK}", "clocks there go forward past this time"),
        (f"2026-11-01 01:30 {NEW_YORK}", "write “2026-11-01 01:30:00-04:00” or “2026-11-01 01:30:00-05:00”."),
    ],
)
def test_a_time_that_could_be_meant_otherwise_is_refused_with_what_to_write(told: object, sentence: str) -> None:
    with pytest.raises(ValueError, match=".*".join(map(re.escape, sentence.split(".*")))) as caught:
        due_time(told)
    assert caught.value.args[0].bn != caught.value.args[0].en


def test_what_is_offered_for_a_time_that_comes_twice_is_read() -> None:
    first, second = due_time("2026-11-01 01:30:00-04:00"), due_time("2026-11-01 01:30:00-05:00")
    assert second - first == timedelta(hours=1)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-01 12:00:00.123456000 +06:00", "2026-03-01 06:00"),
        ("2026-03-01 12:00:00.999999999 Z", "2026-03-01 12:00"),
        ("2026-03-01 09:30:00.000001 UTC", "2026-03-01 09:30"),
        (" 2026-03-01 09:30:07 UTC\n", "2026-03-01 09:30:07"),
        ("2026-03-01 12:00:00 -0500", "2026-03-01 17:00"),
        ("2026-03-01T12:00:00Z", "2026-03-01 12:00"),
    ],
)
def test_an_exports_time_is_read_to_the_second(text: str, moment: str) -> None:
    assert told_by_lms(text) == utc(moment)


@pytest.mark.parametrize(
    "text",
    ["", "2026-03-01 09:30:00.000001", "2026-03-01 09:30:00 EST", "2026-03-01 09:30:00 +99:00", "2026-02-30 09:30:00 UTC", "Monday, 4 May",
     "1999-01-01 00:00:00 UTC", "2026-03-01 09:30:00 UTC; rm", "now"],
)  # fmt: skip
def test_a_time_without_a_zone_that_is_certain_is_no_time(text: str) -> None:
    assert told_by_lms(text) is None


@given(st.datetimes(datetime(2001, 1, 2), datetime(2099, 12, 30)), st.sampled_from(ZONES))
def test_a_due_time_is_written_as_it_is_read(local: datetime, zone: str) -> None:
    try:
        due = due_time(f"{local:%Y-%m-%d %H:%M:%S} {zone}")
    except ValueError:
        return  # the clocks skip it, or show it twice
    assert due_time(written(due)) == due
    assert written(due).endswith(zone)
    offset = due.astimezone(timezone(due.utcoffset() or timedelta()))
    assert due_time(written(offset)) == due


def test_a_day_ends_at_the_same_time_by_the_clock() -> None:
    forward, back = due_time(f"2026-03-07 12:00 {NEW_YORK}"), due_time(f"2026-10-31 12:00 {NEW_YORK}")
    assert day_ends(forward, 1) - forward.astimezone(UTC) == timedelta(hours=23)
    assert day_ends(back, 1) - back.astimezone(UTC) == timedelta(hours=25)
    assert day_ends(due_time("2026-10-31 12:00-04:00"), 1) == utc("2026-11-01 16:00")


def test_where_the_clock_skips_that_time_or_shows_it_twice_the_later_counts() -> None:
    assert day_ends(due_time(f"2026-03-07 02:30 {NEW_YORK}"), 1) == utc("2026-03-08 07:30")
    assert day_ends(due_time(f"2026-10-31 01:30 {NEW_YORK}"), 1) == utc("2026-11-01 06:30")


@given(st.datetimes(datetime(2001, 1, 2), datetime(2099, 12, 1)), st.sampled_from(ZONES), st.integers(0, 40))
def test_no_day_ends_before_the_one_before(local: datetime, zone: str, day: int) -> None:
    due = local.replace(tzinfo=ZoneInfo(zone))
    assert day_ends(due, day) <= day_ends(due, day + 1)
