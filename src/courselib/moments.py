"""Moments in time: a due time as a person writes it, always with its zone, and the time that an LMS writes into its export."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from functools import cache
from typing import Annotated
from zoneinfo import ZoneInfo, available_timezones

from pydantic import PlainSerializer, PlainValidator

from courselib.text import Text, did_you_mean, say

DATE, HOUR = r"20\d\d-\d\d-\d\d", r"(?:[01]\d|2[0-3]):\d\d"
DUE = re.compile(rf"(?P<local>{DATE}[ T]{HOUR}(?::\d\d)?)(?: ?(?P<offset>Z|[+-]\d\d:\d\d)| (?P<zone>[A-Za-z][\w+/-]*))?", re.ASCII)
# Gradescope's and nbgrader's. A zone by letters (EST, BST) may be any of several, so only those of UTC are read.
TOLD = re.compile(rf"(?P<local>{DATE}[ T]{HOUR}:\d\d)(?:\.\d+)? ?(?:(?P<offset>[+-]\d\d:?\d\d)|Z|UTC|GMT)", re.ASCII)
DAY = timedelta(days=1)


def told_by_lms(text: str) -> datetime | None:
    """Return the moment that an export tells, in whole seconds; None where its zone is not known, and nothing is guessed."""
    found = TOLD.fullmatch(text.strip())
    if not found:
        return None
    try:
        return datetime.fromisoformat(found["local"] + (found["offset"] or "Z")).astimezone(UTC)
    except ValueError:  # no such day or offset
        return None


def due_time(told: object) -> datetime:
    """Read a due time, local with the name of its zone or with an offset; a ValueError holds the sentence for a person."""
    text = " ".join(str(told).split())
    found = DUE.fullmatch(text)
    if not found:
        raise ValueError(
            say("{t}: সময়টি লেখো 2026-12-01 23:59 Asia/Dhaka-এর মতো।", "{t}: write the time like 2026-12-01 23:59 Asia/Dhaka.", t=text)
        )
    if not (found["zone"] or found["offset"]):
        raise ValueError(
            say(
                "{t}: কোন zone-এর সময় তা নেই; লেখো “{t} Asia/Dhaka” বা “{t}+06:00”।",
                "{t}: the zone is missing; write “{t} Asia/Dhaka” or “{t}+06:00”.",
                t=text,
            )
        )
    try:
        moment = datetime.fromisoformat(found["local"] + (found["offset"] or ""))
    except ValueError:
        raise ValueError(say("{t}: এমন দিন বা সময় নেই।", "{t}: there is no such day or time.", t=text)) from None
    return _in_zone(text, moment, found["zone"]) if found["zone"] else moment


def _in_zone(text: str, local: datetime, name: str) -> datetime:
    """Put a local time into its zone; refuse one that the zone's clocks skip or show twice."""
    if name not in _zones():
        raise ValueError(_no_zone(text, name))
    first, second = (local.replace(tzinfo=ZoneInfo(name), fold=fold) for fold in (0, 1))
    if first.utcoffset() == second.utcoffset():
        return first
    if first.astimezone(UTC).astimezone(first.tzinfo).replace(tzinfo=None) != local:
        raise ValueError(
            say(
                "{t}: ঘড়ি এগোনোর সময় সেখানে এই সময়টি আসেই না; অন্য সময় লেখো।",
                "{t}: clocks there go forward past this time; write another.",
                t=text,
            )
        )
    raise ValueError(
        say(
            "{t}: ঘড়ি পেছানোয় সেখানে এটি দুবার আসে; লেখো “{a}” বা “{b}”।",
            "{t}: clocks there go back and show this time twice; write “{a}” or “{b}”.",
            t=text,
            a=first.isoformat(" "),
            b=second.isoformat(" "),
        )
    )


@cache
def _zones() -> frozenset[str]:
    """Return the names that say where: Area/City, and UTC. The database also has EST and the like, which mislead."""
    return frozenset(z for z in available_timezones() if "/" in z or z == "UTC")


def _no_zone(text: str, name: str) -> Text:
    cities = {z.rpartition("/")[2].casefold(): z for z in sorted(_zones())} | {z.casefold(): z for z in _zones()}
    near = get_close_matches(name.casefold(), cities, 1, 0.8)
    hint = did_you_mean(cities[near[0]] if near else None)
    return say(
        "{t}: {z} নামে কোনো zone নেই; Asia/Dhaka-এর মতো নাম, UTC বা +06:00 লেখো।{h}",
        "{t}: there is no zone {z}; write a name like Asia/Dhaka, UTC or an offset like +06:00.{h}",
        t=text,
        z=name,
        h=hint,
    )


def written(moment: datetime) -> str:
    """Write a moment in its own zone, as `due_time` reads it but for a local time that comes twice."""
    zone = getattr(moment.tzinfo, "key", "")
    local = moment.strftime("%Y-%m-%d %H:%M:%S" if moment.second else "%Y-%m-%d %H:%M")
    return f"{local} {zone}" if zone else local + moment.isoformat()[19:]


def day_ends(due: datetime, day: int) -> datetime:
    """Return when the given day after `due` ends, in UTC: at the same time by the clocks of its zone.

    Where the clocks skip that time or show it twice, the later moment counts.
    """
    local = due + day * DAY  # by the clock: in a zone a day may have 23 or 25 hours
    return max(local.replace(fold=fold).astimezone(UTC) for fold in (0, 1))


def _as_it_is(told: object) -> datetime:
    return told if isinstance(told, datetime) else due_time(told)


Due = Annotated[datetime, PlainValidator(_as_it_is), PlainSerializer(written)]
