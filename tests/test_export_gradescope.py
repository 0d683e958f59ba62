from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from made_run import GREETING, POWERS, check, nothing, record, run
from pydantic import ValidationError

from courselib.export import export
from courselib.exports import gradescope
from courselib.exports.folders import folders
from courselib.exports.results_json import Extra, ResultsJson, Test, shares
from courselib.exports.table import read_table
from courselib.lateness import Terms, applied
from courselib.moments import due_time
from courselib.policy import Policy


def no_constant(word: str) -> None:
    raise AssertionError(f"{word} is not JSON")


def strict(path: Path) -> dict[str, Any]:
    """Read strict JSON in ASCII."""
    data: dict[str, Any] = json.loads(path.read_bytes().decode("ascii"), parse_constant=no_constant)
    return data


def exported(folder: Path, *records: dict[str, Any], code: int = 0) -> dict[str, Any]:
    """Export a class, check what Gradescope asks of every file, and return the first student's."""
    run(folder, *records)
    assert export(folder, "gradescope", None, None, []) == code
    out = folder / "gradescope"
    for path in out.glob("*/*.json"):
        results = strict(path)
        maxima = [Decimal(repr(t["max_score"])) for t in results["tests"] if "max_score" in t]
        assert sum(maxima) == Decimal(repr(results["extra_data"]["total"]))
        assert 0 <= results["score"] <= results["extra_data"]["total"]
        assert all(0 <= t["score"] <= t["max_score"] for t in results["tests"] if "score" in t)
        assert all(isinstance(t[k], float) for t in results["tests"] for k in ("score", "max_score") if k in t)
        assert {t["visibility"] for t in results["tests"]} <= {"visible", "hidden", "after_due_date", "after_published"}
    return strict(out / folders([records[0]["student"]])[records[0]["student"]] / "results.json")


def test_every_check_is_a_test_and_the_maxima_add_up_to_the_total(tmp_path: Path) -> None:
    hidden = check("failed", 1, hidden=True, name="works for others", message="expected 42")
    wrong = check("failed", 1, message="f(3) is 8, not 9")
    results = exported(
        tmp_path, record("a", POWERS, check(points=3), wrong, hidden, check("deferred", 2)), record("a", GREETING, check(points=0.5))
    )
    assert results["score"] == 3.5
    assert results["extra_data"] == {"total": 5.5, "possible": 7.5, "deferred": 2.0, "status": "graded"}
    assert [(t["number"], t.get("score"), t.get("max_score"), t.get("status"), t["visibility"], t["output"]) for t in results["tests"]] == [
        ("1.1", 3.0, 3.0, "passed", "visible", ""),
        ("1.2", 0.0, 1.0, "failed", "visible", "f(3) is 8, not 9"),
        ("1.3", 0.0, 1.0, "failed", "after_published", ""),
        ("1.4", None, None, None, "visible", "runs later, on a machine with a GPU (2 points); no score yet."),
        ("2.1", 0.5, 0.5, "passed", "visible", ""),
    ]
    assert [t["name"] for t in results["tests"]][2] == "powers: works for others"
    assert results["output"] == "Checks worth 2 points run later, on a machine with a GPU; they are not in this score."
    assert (results["visibility"], results["stdout_visibility"]) == ("visible", "hidden")


def test_a_hidden_deferred_check_is_told_and_still_gives_no_message(tmp_path: Path) -> None:
    results = exported(tmp_path, record("a", POWERS, check(), check("deferred", 1, hidden=True, message="expected 42")))
    waits = results["tests"][1]
    assert (waits["visibility"], "score" in waits, "max_score" in waits) == ("visible", False, False)
    assert "42" not in json.dumps(results)


@pytest.mark.parametrize("n", [3, 6, 7, 9, 11])
def test_thirds_and_sevenths_add_up_to_the_whole(tmp_path: Path, n: int) -> None:
    checks = [check(points=round(1 / n, 6)) for _ in range(n)]
    results = exported(tmp_path, record("a", POWERS, *checks, possible=1.0, score=1.0))
    assert results["extra_data"]["total"] == results["score"] == 1.0


@given(st.lists(st.integers(0, 50), min_size=1, max_size=30), st.sampled_from([1, 2, 3, 7, 12]))
def test_shares_add_up_exactly_and_none_is_moved_by_more_than_was_lost(parts: list[int], whole: int) -> None:
    told = [round(p / whole, 6) for p in parts]
    total = round(sum(parts) / whole, 6)
    given_out = shares(told, total)
    assert sum(Decimal(repr(s)) for s in given_out) == Decimal(repr(total))
    assert all(abs(a - b) <= len(parts) / 10**6 for a, b in zip(told, given_out, strict=True))


def test_a_lowered_score_stands_above_its_checks(tmp_path: Path) -> None:
    assert exported(tmp_path, record("a", POWERS, check(points=6), score=4.5))["score"] == 4.5


@pytest.mark.parametrize("status", ["unreadable", "refused"])
def test_what_a_person_must_look_at_has_no_scores_and_says_why(tmp_path: Path, status: str) -> None:
    lost = nothing("a", status=status, message="cut off at character 510")
    results = exported(tmp_path, lost, record("a", GREETING, check(points=1)), code=1)
    assert "first/powers: a person will look at it; no mark yet. cut off at character 510" in results["output"]
    assert (results["score"], results["extra_data"]["total"], results["extra_data"]["possible"]) == (1.0, 1.0, 7.0)
    assert "score" not in results["tests"][0]


def test_a_fault_of_ours_tells_a_student_nothing_of_the_check(tmp_path: Path) -> None:
    broken = check("fault", 3, message="a fault of the grader: KeyError: expected 42")
    results = exported(tmp_path, record("a", POWERS, broken, status="fault", message="expected 42", score=0.0), code=1)
    assert "42" not in json.dumps(results)
    assert "a person will look at it" in results["output"]


def test_a_note_for_the_instructor_is_not_for_the_student(tmp_path: Path) -> None:
    assert exported(tmp_path, record("a", message="it touched torch.cuda"))["output"].startswith("Checks worth 2 points")


def test_nothing_handed_in_is_told_and_0_of_the_whole(tmp_path: Path) -> None:
    results = exported(tmp_path, nothing("a", message="nothing was handed in."))
    assert (results["score"], results["extra_data"]["total"]) == (0.0, 6.0)
    assert results["tests"][0]["output"] == "nothing was handed in."


def by_hand(points: float | None, comment: str = "") -> dict[str, Any]:
    return {"points": points, "comment": comment, "by": "x", "when": "y", "outdated": False}


def test_work_that_is_late_keeps_its_checks_and_loses_points_of_the_whole_only(tmp_path: Path) -> None:
    terms = Terms(due=due_time("2026-12-01 23:59 UTC"), submitted="2026-12-02 12:00:00 UTC", policy=Policy(points_per_day=1))
    half = check("failed", 1, manual=by_hand(0.5), earned=0.5)
    late = applied(record("a", POWERS, check(points=3), half, score=3.5, manual=by_hand(3.5) | {"automatic": {"status": "graded"}}), terms)
    results = exported(tmp_path, late, nothing("b"))
    assert (results["score"], results["extra_data"]["total"]) == (2.5, 4)
    assert [(t["score"], t["max_score"]) for t in results["tests"]] == [(3, 3), (0.5, 1)]
    assert results["output"].startswith(
        "first/powers: due 2026-12-01 23:59 UTC; came in 2026-12-02 12:00 UTC: 1 day late, 1 taken off 3.5."
    )


def test_a_mark_that_a_person_gave_is_a_test_of_its_own(tmp_path: Path) -> None:
    marked = record("a", score=5.5, deferred=0.0, manual=by_hand(5.5, "well argued"))
    results = exported(tmp_path, marked)
    assert (results["score"], results["extra_data"]["total"]) == (5.5, 6.0)
    assert [t.get("score") for t in results["tests"]] == [None, None, None, 5.5]
    assert results["tests"][3]["name"] == "powers: marked by a person"
    assert "first/powers: well argued" in results["output"]


def test_points_that_a_person_gave_for_a_check_are_its_score(tmp_path: Path) -> None:
    waits = check("deferred", 2, manual=by_hand(2, "I ran it"), earned=2)
    half = check("failed", 1, manual=by_hand(0.5), earned=0.5)
    results = exported(tmp_path, record("a", POWERS, check(points=3), half, waits, score=5.5, deferred=0.0, manual=by_hand(5.5)))
    assert [(t["score"], t["status"]) for t in results["tests"]] == [(3.0, "passed"), (0.5, "failed"), (2.0, "passed")]
    assert results["tests"][2]["output"] == "I ran it"


def test_output_is_clean_text_and_student_text_stays_text(tmp_path: Path) -> None:
    message = "\ufffd[31m</pre><script>x</script>\x00 $x$ `y` বাংলা \u2028" + "z" * 20_000
    output = exported(tmp_path, record("a", POWERS, check("failed", 1, message=message)))["tests"][0]["output"]
    assert output.startswith("</pre><script>x</script>\ufffd $x$ `y` বাংলা \ufffdzzz")
    assert len(output) == 8000


def test_a_fallback_lies_there_before_the_first_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run(tmp_path, record("a"), record("b"))

    def power_cut(mine: object) -> ResultsJson:
        raise KeyboardInterrupt

    monkeypatch.setattr(gradescope, "results_json", power_cut)
    with pytest.raises(KeyboardInterrupt):
        export(tmp_path, "gradescope", None, None, [])
    for student in "ab":
        results = strict(tmp_path / "gradescope" / student / "results.json")
        assert (results["score"], results["tests"]) == (0.0, [])
        assert "this 0 is not your mark" in results["output"]


def test_a_good_file_of_an_earlier_export_is_not_lost_to_the_fallback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = exported(tmp_path, record("a"))
    monkeypatch.setattr(gradescope, "folders", lambda students: {s: s for s in students})
    monkeypatch.setattr(gradescope, "results_json", lambda mine: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        export(tmp_path, "gradescope", None, None, [])
    assert strict(tmp_path / "gradescope" / "a" / "results.json") == before


def test_one_record_that_does_not_add_up_costs_nobody_else(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path, record("a"), record("b", POWERS, check(points=1), possible=6.0), record("c"))
    assert export(tmp_path, "gradescope", None, None, []) == 1
    scores = {s: strict(tmp_path / "gradescope" / s / "results.json")["score"] for s in "abc"}
    assert scores == {"a": 3.0, "b": 0.0, "c": 3.0}
    told = capsys.readouterr()
    assert "the records of these do not add up, so only a fallback was written: b; grade again." in told.err
    assert "2 of 3 students; 4 points are deferred, in nobody's score; 1 left out." in told.out


NAMES = [
    "../../evil",
    "a/b",
    "a\\b",
    "..",
    ".",
    "con",
    "NUL.txt",
    "রুমানা_ইসলাম",
    "Doe, Jr.",
    "=1+1",
    "a:b",
    "x" * 300,
    "র" * 90,
    "asha",
    "Asha",
    " a",
    "a.",
    "%41",
    "A",
]


def test_every_student_has_a_folder_of_their_own_inside(tmp_path: Path) -> None:
    exported(tmp_path, *(record(s) for s in NAMES))
    out = tmp_path / "gradescope"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["gradescope", "results.jsonl"]
    listed = read_table(out / "students.csv")
    assert [row[0] for row in listed] == ["student", *NAMES]
    assert {row[1] for row in listed[1:]} == {p.name for p in out.iterdir() if p.is_dir()}
    assert len({row[1].casefold() for row in listed[1:]}) == len(NAMES)
    assert [row[1] for row in listed[6:9]] == ["%con", "%NUL.txt", "রুমানা_ইসলাম"]


@given(st.lists(st.text(max_size=80), unique=True, max_size=20))
def test_folders_are_told_apart_and_fit_every_disk(students: list[str]) -> None:
    found = list(folders(students).values())
    assert len({f.casefold() for f in found}) == len(students)
    for name in found:
        assert 0 < len(name.encode()) <= 255
        assert not set(name) & set('/\\:*?"<>|\0\n')
        assert name[-1] not in ". "
        assert name[0] not in ". "


def extra(total: float) -> Extra:
    return Extra(total=total, possible=total, deferred=0, status="graded")


@pytest.mark.parametrize("value", [np.float32(0.5), np.float64(0.5), torch.tensor(0.5), Decimal("0.5"), 0.5])
def test_numbers_are_taken_by_value_and_written_as_plain_floats(value: Any) -> None:
    whole = ResultsJson(score=value, output="", tests=(Test(name="t", number="1", score=value, max_score=1),), extra_data=extra(1))
    assert json.loads(whole.text())["tests"][0]["score"] == json.loads(whole.text())["score"] == 0.5


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), -1, 1.5, "0.5", True, None, np.float32("nan")])
def test_what_gradescope_would_refuse_is_refused_first(value: Any) -> None:
    with pytest.raises(ValidationError):
        Test(name="t", number="1", score=value, max_score=1)
    with pytest.raises(ValidationError):
        ResultsJson(score=value, output="", tests=(Test(name="t", number="1", score=1, max_score=1),), extra_data=extra(1))


@pytest.mark.parametrize("maxima", [[99.99999], [50, 50.000001], [], [100.5]])
def test_maxima_that_miss_the_total_are_refused(maxima: list[float]) -> None:
    tests = tuple(Test(name="t", number="1", score=0, max_score=m) for m in maxima)
    with pytest.raises(ValidationError, match="the maxima add up to"):
        ResultsJson(score=0, output="", tests=tests, extra_data=extra(100))


def test_other_words_for_visibility_are_refused() -> None:
    with pytest.raises(ValidationError):
        Test(name="t", number="1", visibility="after_due")  # type: ignore[arg-type]
