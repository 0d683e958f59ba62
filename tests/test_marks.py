from __future__ import annotations

import getpass
import json
import re
from pathlib import Path
from typing import Any

import pytest
from fake import EXERCISES, Run, benches, grades, lasting, python, rows, works

from courselib import cli, reports
from courselib.keep import marking
from courselib.keep.folder import claim
from courselib.keep.marking import Wish
from courselib.keep.marks import applied, points
from courselib.trouble import Trouble

LATE = "u/late"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Grade a class of three; the grader gives s00 3 of 4 for u/late, with 1 deferred."""
    Run()(tmp_path, works(3, s00=b"\0", s01=b"\1", s02=None))
    return tmp_path


def mark(folder: Path, student: str = "s00", exercise: str = LATE, **told: Any) -> dict[str, Any]:
    """Mark a piece of work and return its record."""
    assert marking.mark(folder, Wish(student, exercise, **told)) == 0
    return rows(folder)[student, next(e for e in EXERCISES if e.endswith(exercise))]


def again(folder: Path, **changed: bytes | None) -> Run:
    return Run()(folder, works(3, **{"s00": b"\0", "s01": b"\1", "s02": None, **changed}))


def test_a_mark_is_the_score_and_the_record_says_who_gave_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    row = mark(folder, points="3.5", comment="seen on paper", by="Dr. Rahman")
    assert capsys.readouterr().out == "s00 · u/late: 3.5 of 4 (the grader gave 3)\n"
    manual = row["manual"]
    assert (row["score"], manual["points"], manual["comment"], manual["by"]) == (3.5, 3.5, "seen on paper", "Dr. Rahman")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", manual["when"])
    assert manual["automatic"] == {"score": 3, "deferred": 1, "status": "graded"}
    assert grades(folder)["s00"] | {"percent": ""} == {
        "student": "s00", "u/late": "3.5", "a/first": "3", "total": "6.5", "possible": "8",
        "percent": "", "deferred": "1", "status": "graded", "penalty": "",
    }  # fmt: skip


def test_nobody_elses_record_changes_by_a_letter(folder: Path) -> None:
    before = (folder / "results.jsonl").read_bytes().splitlines()
    mark(folder, points="1")
    after = (folder / "results.jsonl").read_bytes().splitlines()
    assert [i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b] == [0]


def test_a_mark_of_nothing_is_a_mark(folder: Path) -> None:
    assert mark(folder, points="0")["score"] == 0
    assert grades(folder)["s00"][LATE] == "0"
    again(folder)
    assert (grades(folder)["s00"][LATE], rows(folder)["s00", LATE]["manual"]["points"]) == ("0", 0)


def test_a_comment_alone_changes_no_score(folder: Path) -> None:
    row = mark(folder, comment="well written,\nবাংলা")
    assert (row["score"], row["deferred"], row["manual"]["points"], row["manual"]["comment"]) == (3, 1, None, "well written,\nবাংলা")


def test_a_later_word_leaves_the_earlier_points_and_the_other_way_round(folder: Path) -> None:
    mark(folder, points="2")
    assert mark(folder, comment="why")["manual"]["points"] == 2
    assert mark(folder, points="1")["manual"]["comment"] == "why"
    assert mark(folder, comment="")["manual"]["comment"] == ""


def test_points_for_one_check_leave_the_others(folder: Path) -> None:
    row = mark(folder, check="one", points="1/2", comment="half right")
    assert (row["score"], row["deferred"], row["manual"]["points"], row["manual"]["comment"]) == (1.5, 1, 1.5, "half right")
    assert [(c["earned"], c.get("manual", {}).get("points")) for c in row["checks"]] == [(0.5, 0.5), (1, None), (0, None)]
    assert row["checks"][0]["outcome"] == "passed"


def test_points_for_a_deferred_check_wait_no_longer(folder: Path) -> None:
    row = mark(folder, check="far", points="1")
    assert (row["score"], row["deferred"]) == (4, 0)


def test_a_mark_for_the_whole_outranks_those_for_checks(folder: Path) -> None:
    mark(folder, check="one", points="0")
    assert mark(folder, points="4")["score"] == 4
    assert mark(folder, clear=True)["score"] == 1
    assert mark(folder, check="one", clear=True)["score"] == 3


def test_what_is_said_of_a_hidden_check_stays_with_it(folder: Path) -> None:
    row = mark(folder, check="two", points="0", comment="the answer is 42")
    assert (row["score"], row["manual"]["comment"], row["checks"][1]["manual"]["comment"]) == (2, "", "the answer is 42")


def test_taken_away_it_is_as_if_it_had_never_been(folder: Path) -> None:
    before = lasting(folder)
    mark(folder, points="1", comment="x")
    assert lasting(folder) != before
    mark(folder, clear=True)
    assert lasting(folder) == before
    with pytest.raises(Trouble, match="s00 · u/late: there is no mark or comment to clear"):
        mark(folder, clear=True)


@pytest.mark.parametrize("exercise", ["late", LATE])
def test_somebody_who_handed_in_nothing_can_be_given_points(folder: Path, exercise: str) -> None:
    row = mark(folder, "s02", exercise, points="4", comment="asked in person")
    assert (row["status"], row["score"], row["manual"]["automatic"]["status"]) == ("graded", 4, "not_submitted")
    assert grades(folder)["s02"]["status"] == "incomplete"
    assert [r["status"] for (s, _), r in rows(folder).items() if s == "s02"] == ["graded", "not_submitted"]


def test_who_has_a_persons_verdict_needs_a_person_no_longer(tmp_path: Path) -> None:
    Run(faulty="s00")(tmp_path, works(1))
    assert len(reports.write_reports(tmp_path, EXERCISES).people) == 2
    mark(tmp_path, points="2")
    assert [e for _, e, _ in reports.write_reports(tmp_path, EXERCISES).people] == ["a/first"]
    mark(tmp_path, exercise="a/first", comment="I will look at it")
    assert len(reports.write_reports(tmp_path, EXERCISES).people) == 1


def test_points_for_the_check_that_failed_through_our_fault_settle_it() -> None:
    fault = {"id": "one", "outcome": "fault", "earned": 0.0, "points": 2.0, "hidden": False}
    row = {
        "checks": [fault],
        "score": 0.0,
        "possible": 2.0,
        "deferred": 0.0,
        "status": "fault",
        "submission_sha256": "",
        "checks_sha256": "",
    }
    for given, status in ((None, "fault"), (2.0, "graded"), (0.0, "graded")):
        told = {"points": given, "comment": "c", "by": "", "when": "", "submission_sha256": "", "checks_sha256": ""}
        assert applied(row, {"one": told})["status"] == status
        assert applied(row | {"status": "unreadable"}, {"one": told})["status"] == "unreadable"


def test_a_mark_outlives_a_new_run_new_checks_a_new_file_and_absence(folder: Path) -> None:
    mark(folder, points="1.25", comment="kept")
    mark(folder, check="one", comment="kept too")
    first = rows(folder)["s00", LATE]["manual"]
    for run in (
        lambda: again(folder),
        lambda: Run(fresh=True)(folder, works(3, s00=b"\0")),
        lambda: Run(bench=benches("c2"))(folder, works(3, s00=b"\0")),
        lambda: again(folder, s00=b"new"),
        lambda: Run()(folder, works(["s01"])) and again(folder),
    ):
        run()
        manual = rows(folder)["s00", LATE]["manual"]
        assert {k: manual[k] for k in ("points", "comment", "by", "when")} == {k: first[k] for k in ("points", "comment", "by", "when")}


def test_a_mark_older_than_the_file_or_the_checks_says_so(folder: Path) -> None:
    mark(folder, points="1")
    assert again(folder).said == []
    told = "s00 · u/late: the file or the checks changed after a person marked it; look again (the mark stands)."
    assert [s.en for s in again(folder, s00=b"new").said] == [told]
    assert rows(folder)["s00", LATE]["manual"]["outdated"] is True
    assert mark(folder, points="2")["manual"]["outdated"] is False
    assert [s.en for s in Run(bench=benches("c2"))(folder, works(3, s00=b"new")).said] == [told]


def test_a_mark_whose_student_or_check_is_gone_is_named_and_kept(folder: Path) -> None:
    mark(folder, points="1")
    assert [s.en for s in Run()(folder, works(["s01"])).said] == [
        "s00 · u/late: a person marked this, and it is not in these results; the mark is kept."
    ]
    row = {"student": "a", "exercise": "e", "checks": [], "score": 1.0, "possible": 2, "deferred": 0, "status": "graded"}
    gone = {"points": 1.0, "comment": "c", "by": "b", "when": "w", "submission_sha256": "", "checks_sha256": ""}
    now = applied(row | {"submission_sha256": "", "checks_sha256": ""}, {"gone": gone})
    assert (now["score"], now["manual"]["points"], now["manual"]["comment"]) == (1, None, "c")


def test_no_mark_goes_above_what_is_now_possible() -> None:
    old = {"points": 8.0, "comment": "", "by": "", "when": "", "submission_sha256": "", "checks_sha256": "old"}
    row = {
        "checks": [],
        "score": 0.0,
        "possible": 6.0,
        "deferred": 0.0,
        "status": "graded",
        "submission_sha256": "",
        "checks_sha256": "new",
    }
    assert (applied(row, {"": old})["score"], applied(row, {"": old})["manual"]["outdated"]) == (6, True)


@pytest.mark.parametrize(
    ("told", "given"),
    [("0", 0), ("4", 4), ("3.5", 3.5), ("1/2", 0.5), ("1/3", 0.333333), ("৩.৫", 3.5), ("10/3", 3.333333), ("0.0", 0), ("1/10", 0.1)],
)
def test_points_are_read_as_people_write_them(told: str, given: float) -> None:
    assert points(told, 4) == given


@pytest.mark.parametrize(
    "told",
    [
        *("nan", "inf", "-inf", "-1", "-0", "+1", "4.0000001", "4.01", "5", "9/2"),
        *("1e0", "1e999999999", "3,5", "", " ", "x", "1/0", "1/00", "1.", ".5", "0x1", "True", "1_0"),
    ],
)
def test_what_is_no_number_or_more_than_possible_is_refused(folder: Path, told: str) -> None:
    before = lasting(folder)
    with pytest.raises(Trouble, match=r"--points .*: give a number from 0 to 4, such as 7\.5 or 1/2\."):
        marking.mark(folder, Wish("s00", LATE, points=told))
    with pytest.raises(Trouble, match="from 0 to 1,"):
        marking.mark(folder, Wish("s00", LATE, "two", points="2"))
    assert lasting(folder) == before


def test_an_exercise_worth_nothing_can_be_marked_with_nothing() -> None:
    assert points("0", 0) == 0
    with pytest.raises(Trouble):
        points("0.000001", 0)


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        (Wish("s0", LATE, points="1"), r"has no student s0; write the name as it stands in grades.csv. Did you mean s0\d\?"),
        (Wish("nobody at all", LATE, points="1"), r"has no student nobody at all; write the name as it stands in grades.csv.$"),
        (Wish("s00", "lat", points="1"), r"has no lat of s00. There are: u/late, a/first.$"),
        (Wish("s00", LATE, "three", points="1"), r"u/late has no check three. There are: one, two, far.$"),
        (Wish("s00", LATE, "three", comment="x"), r"u/late has no check three."),
        (Wish("s00", LATE), "give --points or --comment, or --clear alone."),
        (Wish("s00", LATE, points="1", clear=True), "give --points or --comment, or --clear alone."),
    ],
)
def test_a_slip_of_the_pen_is_told_and_changes_nothing(folder: Path, wish: Wish, sentence: str) -> None:
    before = lasting(folder)
    with pytest.raises(Trouble, match=sentence):
        marking.mark(folder, wish)
    assert lasting(folder) == before


def test_where_nothing_was_graded_nothing_is_made(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match=r"there are no results in .*; first run: courselib grade CLASS --out"):
        marking.mark(tmp_path, Wish("a", "b", points="1"))
    assert list(tmp_path.iterdir()) == []


def test_names_are_one_whatever_their_spelling(tmp_path: Path) -> None:
    Run()(tmp_path, works(["Jos\u00e9", "0042", "-x"]))
    assert mark(tmp_path, "0042", points="1")["score"] == 1
    assert marking.mark(tmp_path, Wish("Jose\u0301", LATE, points="1")) == 0
    assert rows(tmp_path)["Jos\u00e9", LATE]["score"] == 1


def test_what_a_person_writes_is_stored_whole_or_harmlessly(folder: Path) -> None:
    assert mark(folder, comment="=1+1 </script> \ud800 \0 'x\"")["manual"]["comment"] == "=1+1 </script> ?  'x\""


def test_a_user_without_a_name_can_mark(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nameless() -> str:
        raise KeyError("getpwuid(): uid not found: 4711")

    monkeypatch.setattr(getpass, "getuser", nameless)
    assert mark(folder, points="1")["manual"]["by"] == ""


def test_while_a_run_is_at_work_the_mark_waits_for_its_end(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = lasting(folder)
    script = "import sys; from pathlib import Path; from courselib.keep.folder import claim\n"
    script += "file = claim(Path(sys.argv[1])); print('taken', flush=True); sys.stdin.read()"
    with python(script, folder) as run:
        assert run.stdout
        assert run.stdout.readline() == b"taken\n"
        assert marking.mark(folder, Wish("s00", LATE, points="1")) == 0
        assert "a run is at work; its results will have this." in capsys.readouterr().out
        assert lasting(folder) == before
    claim(folder).close()
    assert again(folder).graded == []
    assert rows(folder)["s00", LATE]["score"] == 1


def test_the_command_takes_what_a_person_writes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def told(*words: str) -> tuple[object, str, str]:
        with pytest.raises(SystemExit) as end:
            cli.main(["mark", str(folder), "s00", *words])
        return end.value.code, *capsys.readouterr()

    assert told("late", "--points", "1/2", "--comment", "ভালো", "--check", "one", "--by", "me") == (
        0,
        "s00 · u/late: 1.5 of 4 (the grader gave 3)\n",
        "",
    )
    check = rows(folder)["s00", LATE]["checks"][0]
    assert (check["manual"]["comment"], check["manual"]["by"]) == ("ভালো", "me")
    assert told("late", "--check", "one", "--clear", "--lang", "bn") == (0, "s00 · u/late: 4-এ 3 (grader দিয়েছিল 3)\n", "")
    code, out, err = told("late", "--points", "-1", "--lang", "en")
    assert (code, out, err) == (2, "", "courselib: --points -1: give a number from 0 to 4, such as 7.5 or 1/2.\n")
    assert {p.name for p in folder.iterdir()} >= {"report.html", "students", "grades.csv", "checks.csv"}


def test_the_export_is_strict_json(folder: Path) -> None:
    mark(folder, points="1")
    for line in (folder / "results.jsonl").read_text(encoding="utf-8").splitlines():
        json.loads(line, parse_constant=lambda name: pytest.fail(name))
