"""The tests of a results.json: one per check, whatever became of it.

A deferred check is a test without a score and without a maximum, visible, with its points in the text. Hidden checks show their
name once grades are published, and no output. Where a person gave a mark that the checks do not add up to, that mark is a test.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from courselib.exports.cells import points
from courselib.exports.grades import HAIR, Checked, Grade
from courselib.exports.results_json import Test, shares
from courselib.text import say


def tests(number: int, grade: Grade) -> Iterator[Test]:
    """Yield the tests of a record; the maxima of those with a score add up to what could be earned."""
    by_hand = _by_hand(grade)
    scored = [grade.settled and not by_hand and not c.waits for c in grade.checks]
    maxima = iter(shares([c.points for c, s in zip(grade.checks, scored, strict=True) if s], grade.ready) if any(scored) else [])
    for i, (check, counts) in enumerate(zip(grade.checks, scored, strict=True), 1):
        yield Test(
            name=f"{grade.exercise.split('/')[-1]}: {check.name}",
            number=f"{number}.{i}",
            output=_output(check, grade),
            visibility="after_published" if check.hidden and not check.waits else "visible",
            **(_score(check, next(maxima)) if counts else {}),
        )
    if by_hand:
        told = say("{e}: একজন মানুষের দেওয়া নম্বর", "{e}: marked by a person", e=grade.exercise.split("/")[-1])
        yield Test(name=told.read(), number=f"{number}.{len(grade.checks) + 1}", score=grade.value, max_score=grade.ready)


def _by_hand(grade: Grade) -> bool:
    """Tell whether a person gave the exercise a mark that its checks do not add up to."""
    if not grade.settled or (grade.manual or {}).get("points") is None:
        return False
    counted = [c for c in grade.checks if not c.waits]
    told = sum(c.points for c in counted), sum(c.earned for c in counted)
    return abs(told[0] - grade.ready) > len(counted) / 10**6 + HAIR or abs(told[1] - grade.earned) > len(counted) / 10**6 + HAIR


def _score(check: Checked, most: float) -> dict[str, Any]:
    whole = check.earned >= check.points - HAIR
    passed = whole if check.by_hand else check.outcome == "passed"
    return {"max_score": most, "score": most if whole else min(check.earned, most), "status": "passed" if passed else "failed"}


def _output(check: Checked, grade: Grade) -> str:
    """Return what a student may read of a check: of a hidden one nothing, of a deferred one what it waits for."""
    if check.waits:
        waits = say(
            "GPU-ওয়ালা মেশিনে পরে চলবে ({p} point); এখনো নম্বর নেই।",
            "runs later, on a machine with a GPU ({p} points); no score yet.",
            p=points(check.points),
        )
        return waits.read()
    if check.hidden:
        return ""
    said = [str((check.manual or {}).get("comment") or "")]
    if check.outcome != "fault":  # a fault of ours may quote what the check expected
        said.append(check.message or (about_the_file(grade) if check.outcome == "not_run" else ""))
    return "\n".join(filter(None, said))


def about_the_file(grade: Grade) -> str:
    """Return what a record says of the file that came in; its other messages are for the instructor."""
    return grade.message if grade.status in ("not_submitted", "unreadable", "refused") else ""
