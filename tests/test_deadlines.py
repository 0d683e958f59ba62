"""A class from an LMS's export to every file that tells its grades, with deadlines on the way."""

from __future__ import annotations

import csv
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import made
import made_class
import made_run
import pytest

from courselib.course import load_course
from courselib.export import export
from courselib.lateness import Deadlines, Terms, applied

POWERS, GREETING = "first/powers", "first/greeting"
LATE = "late: {points_per_day: 0.5, grace: 15 min, most_days: 5}\n"
METADATA = """\
submission_1:
  :submitters:
  - {':name': Asha Rahman, ':sid': '0042', ':email': asha@example.org}
  :created_at: 2026-12-03 02:00:00.123456000 +06:00
submission_2:
  :submitters:
  - {':name': বীথি, ':sid': 1e5, ':email': bithi@example.org}
  - {':name': Chandan, ':sid': '77', ':email': c@example.org}
  :created_at: 2026-12-02 00:10:00.000000000 +06:00
submission_3:
  :submitters:
  - {':name': Dipa, ':sid': '9', ':email': d@example.org}
"""
GREET = "def greet(name): return 'hello ' + name\n"


def due(root: Path, powers: str, greeting: str = "", late: str = LATE) -> None:
    """Write the course with these due times."""
    text = made.MANIFEST.replace("        seconds: 2\n", f"        due: {powers}\n", 1)
    text = text.replace("        seconds: 2\n", f"        due: {greeting}\n" if greeting else "", 1)
    made.write(root / "course.yaml", text.replace("units:", f"{late}units:"))


def graded(root: Path, *more: object) -> subprocess.CompletedProcess[str]:
    return made.command("grade", "class", "--out", "out", "--jobs", 1, "--lang", "en", *more, cwd=root)


def rows(root: Path) -> dict[tuple[str, str], dict[str, Any]]:
    lines = (root / "out" / "results.jsonl").read_text(encoding="utf-8").splitlines()
    return {(r["student"], r["exercise"]): r for r in map(json.loads, lines)}


def scores(root: Path) -> list[float]:
    return [r["score"] for r in rows(root).values()]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Grade a Gradescope export, whose files are all as new as this test, and mark nothing by the disk's times."""
    root = made.course(tmp_path_factory.mktemp("due"))
    due(root, "2026-12-01 23:59 Asia/Dhaka", "2026-12-05 23:59 Asia/Dhaka")
    made.write(root / "class" / "submission_metadata.yml", METADATA)
    for n in (1, 2, 3):
        os.utime(made.write(root / "class" / f"submission_{n}" / "powers.py", made.RIGHT), (2e9, 2e9))
        made.write(root / "class" / f"submission_{n}" / "greeting.py", GREET)
    made.write(root / "more.csv", "student,exercise,due\nchandan,powers,2026-12-02 00:00 Asia/Dhaka\n")
    run = graded(root, "--extensions", "more.csv")
    assert run.returncode == 0, run.stderr
    made.write(root / "said.txt", run.stdout)
    return root


def test_every_record_says_what_was_due_when_it_came_in_and_what_it_cost(root: Path) -> None:
    found = {name: r["lateness"] for name, r in rows(root).items()}
    assert {n: (f["days"], f["penalty"], f["before"], f["extended"]) for n, f in found.items()} == {
        ("0042", POWERS): (2, 1, 4, False), ("0042", GREETING): (0, 0, 2, False),
        ("1e5", POWERS): (0, 0, 4, False), ("1e5", GREETING): (0, 0, 2, False),  # within the grace
        ("77", POWERS): (0, 0, 4, True), ("77", GREETING): (0, 0, 2, False),
        ("9", POWERS): (None, 0, 4, False), ("9", GREETING): (None, 0, 2, False),
    }  # fmt: skip
    assert found["0042", POWERS]["submitted"] == "2026-12-03 02:00 Asia/Dhaka"
    assert (rows(root)["0042", POWERS]["score"], sum(c["earned"] for c in rows(root)["0042", POWERS]["checks"])) == (3, 4)


def test_the_summary_and_the_tables_say_it(root: Path) -> None:
    said = (root / "said.txt").read_text(encoding="utf-8")
    assert "late: 1; points taken off in all: 1." in said
    assert "due, but the export tells no time: 2; nothing is taken off for these; tell the times by --times." in said
    with (root / "out" / "grades.csv").open(encoding="utf-8-sig", newline="") as file:
        assert [(r["student"], r[POWERS], r["total"], r["penalty"]) for r in csv.DictReader(file)] == [
            ("0042", "3", "5", "1"), ("1e5", "4", "6", "0"), ("77", "4", "6", "0"), ("9", "4", "6", "0")]  # fmt: skip


def test_the_pages_say_it_in_both_languages(root: Path) -> None:
    report = (root / "out" / "report.html").read_text(encoding="utf-8")
    assert 'id="late"' in report
    assert "2026-12-03 02:00 Asia/Dhaka" in report
    mine = (root / "out" / "students" / "0042.html").read_text(encoding="utf-8")
    assert "due 2026-12-01 23:59 Asia/Dhaka; came in 2026-12-03 02:00 Asia/Dhaka: 2 days late, 1 taken off 4." in mine
    assert "2 দিন দেরি, 4 থেকে 1 কাটা।" in mine
    assert "(extended)" in (root / "out" / "students" / "77.html").read_text(encoding="utf-8")


def test_every_receiver_is_given_the_same_score(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, right = root / "out", {"0042": "5", "1e5": "6", "77": "6", "9": "6"}
    assert export(out, "gradescope", None, root / "gradescope", []) == 0
    folders = dict(made_run.rows(root / "gradescope" / "students.csv")[1:])
    results = {s: json.loads((root / "gradescope" / f / "results.json").read_text()) for s, f in folders.items()}
    assert {s: f"{r['score']:g}" for s, r in results.items()} == right
    assert results["0042"]["extra_data"]["total"] == 6
    assert f"{POWERS}: due 2026-12-01 23:59 Asia/Dhaka; came in 2026-12-03 02:00 Asia/Dhaka: 2 days late" in results["0042"]["output"]
    moodle = ["Identifier,Full name,ID number,Grade,Last modified (grade)", *(f"Participant 10{n},x,{s},," for n, s in enumerate(right))]
    export(out, "moodle", made.write(root / "moodle.csv", "\n".join(moodle) + "\n"), root / "m.csv", [])
    assert {r[2]: r[3] for r in made_run.rows(root / "m.csv")[1:]} == right
    canvas = [
        "Student,ID,SIS User ID,SIS Login ID,Section,powers (1),greeting (2)",
        *(f"x,20{n},{s},l{n},A,," for n, s in enumerate(right)),
    ]
    export(out, "canvas", made.write(root / "canvas.csv", "\n".join(canvas) + "\n"), root / "c.csv", [])
    assert {r[2]: f"{float(r[5]) + float(r[6]):g}" for r in made_run.rows(root / "c.csv")[1:]} == right
    assert "keep Canvas's own late policy off" in capsys.readouterr().err


def test_another_deadline_is_reckoned_anew_and_grades_nothing(root: Path) -> None:
    due(root, "2026-12-01 00:00 Asia/Dhaka")
    run = graded(root)
    assert "8 were graded before and have not changed." in run.stdout
    assert scores(root) == [2.5, 2, 3, 2, 3, 2, 4, 2]
    due(root, "2026-11-20 00:00 Asia/Dhaka")
    graded(root)
    assert scores(root) == [0, 2, 0, 2, 0, 2, 4, 2]
    made.write(root / "course.yaml", made.MANIFEST.replace("        seconds: 2\n", ""))
    run = graded(root)
    assert "8 were graded before and have not changed." in run.stdout
    assert scores(root) == [4, 2, 4, 2, 4, 2, 4, 2]
    assert "late:" not in run.stdout


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("student,exercise,due\nnobody,powers,2026-12-02 00:00 UTC\n", "more.csv:2: there is no “nobody” in this class"),
        ("student,exercise,due\n77,powers,2026-12-02\n", "more.csv:2: 2026-12-02: write the time like"),
    ],
)
def test_a_fault_of_the_extensions_is_one_sentence_before_anything_is_graded(tmp_path: Path, text: str, sentence: str) -> None:
    made.course(tmp_path)
    due(tmp_path, "2026-12-01 23:59 Asia/Dhaka")
    made.write(tmp_path / "class" / "77" / "powers.py", made.RIGHT)
    made.write(tmp_path / "more.csv", text)
    run = graded(tmp_path, "--extensions", "more.csv")
    assert (run.returncode, run.stdout) == (2, "")
    assert sentence in run.stderr
    assert not (tmp_path / "out").exists()


def moodle(root: Path) -> None:
    """Write a class from Moodle, whose download tells no times, and a course with deadlines."""
    made.course(root)
    due(root, "2026-12-01 23:59 Asia/Dhaka", "2026-12-05 23:59 Asia/Dhaka")
    for name in ("Rahim Karim_12_assignsubmission_file_", "Salma Sultana_13_assignsubmission_file_", "Anika_14_assignsubmission_file_"):
        made.write(root / "class" / name / "powers.py", made.RIGHT)
        made.write(root / "class" / name / "greeting.py", GREET)


def test_times_that_the_download_lacks_can_be_told_and_go_with_their_file(tmp_path: Path) -> None:
    moodle(tmp_path)
    times = "student,exercise,submitted\n12,*,2026-12-02 10:00 Asia/Dhaka\nSalma Sultana,powers,2026-12-01 17:59:00Z\n"
    made.write(tmp_path / "times.csv", times)
    run = graded(tmp_path, "--times", "times.csv")
    assert "late: 1; points taken off in all: 0.5." in run.stdout
    assert "due, but the export tells no time: 3; nothing is taken off for these; tell the times by --times." in run.stdout
    assert {key: (r["score"], r["lateness"]["days"]) for key, r in rows(tmp_path).items()} == {
        ("Anika_14", POWERS): (4, None), ("Anika_14", GREETING): (2, None),
        ("Rahim Karim_12", POWERS): (3.5, 1), ("Rahim Karim_12", GREETING): (2, 0),
        ("Salma Sultana_13", POWERS): (4, 0), ("Salma Sultana_13", GREETING): (2, None),
    }  # fmt: skip
    assert rows(tmp_path)["Salma Sultana_13", POWERS]["lateness"]["submitted"] == "2026-12-01 23:59 Asia/Dhaka"
    run = graded(tmp_path)
    assert "6 were graded before and have not changed." in run.stdout
    assert scores(tmp_path) == [4, 2] * 3


def test_a_told_time_goes_before_the_exports(root: Path) -> None:
    due(root, "2026-12-01 23:59 Asia/Dhaka", "2026-12-05 23:59 Asia/Dhaka")
    made.write(root / "times.csv", "student,exercise,submitted\nAsha Rahman,powers,2026-12-01 10:00 Asia/Dhaka\n")
    graded(root)
    asha = next(key for key, r in rows(root).items() if key[1] == POWERS and r["lateness"]["days"] == 2)
    graded(root, "--times", "times.csv")
    assert rows(root)[asha]["lateness"]["days"] == 0


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("student,exercise,due\n12,powers,2026-12-02 00:00 UTC\n", "times.csv:1: the first line must be: student,exercise,submitted"),
        ("student,exercise,submitted\n12,powers,2026-12-02 00:00\n", "times.csv:2: 2026-12-02 00:00: the zone is missing; write"),
        ("student,exercise,submitted\n99,powers,2026-12-02 00:00 UTC\n", "times.csv:2: there is no “99” in this class"),
    ],
)
def test_a_fault_of_the_times_is_one_sentence_before_anything_is_graded(tmp_path: Path, text: str, sentence: str) -> None:
    moodle(tmp_path)
    made.write(tmp_path / "times.csv", text)
    run = graded(tmp_path, "--times", "times.csv")
    assert (run.returncode, run.stdout) == (2, "")
    assert sentence in run.stderr
    assert not (tmp_path / "out").exists()


LAYOUTS = {
    "canvas": ({"rahim_501_9001_powers.py": "", "salma_LATE_502_9002_powers.py": ""}, [(None, False), (None, True)]),
    "moodle": ({"Rahim_12_assignsubmission_file_/powers.py": ""}, [(None, False)]),
    "gradescope": ({"submission_metadata.yml": METADATA, "submission_1/powers.py": ""}, [(2, False)] + 3 * [(None, False)]),
    "nbgrader": (
        {"submitted/a/hw/powers.py": "", "submitted/a/hw/timestamp.txt": "2026-12-01 18:14:00.5 UTC",
         "submitted/b/hw/powers.py": "", "submitted/b/hw/timestamp.txt": "2026-12-01 18:14:01 UTC",
         "submitted/c/hw/powers.py": "", "submitted/c/hw/timestamp.txt": "2026-12-01 18:14:01 EST"},
        [(0, False), (1, False), (None, False)],
    ),
    "folders": ({"rahim/powers.py": "", "rahim/timestamp.txt": "2026-12-09 18:14:01 UTC", "salma/powers.py": ""}, [(None, False)] * 2),
}  # fmt: skip


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_layout_gives_the_time_that_it_tells_and_no_other(tmp_path: Path, layout: str) -> None:
    tree, right = LAYOUTS[layout]
    made.course(tmp_path)
    due(tmp_path, "2026-12-01 23:59 Asia/Dhaka")
    for name, text in tree.items():
        os.utime(made.write(tmp_path / "class" / name, text or made.RIGHT), (2e9, 2e9))
    course = load_course(tmp_path)
    found = []
    for work in made_class.works(tmp_path / "class", course, [POWERS]):
        terms = Terms.model_validate_json(Deadlines(course.due).terms(work.student, work.exercise, work.submitted, work.late))
        row = {"status": "graded" if work.data else "not_submitted", "score": 4.0, "possible": 4.0}
        lateness = applied(row, terms)["lateness"]
        found.append((lateness["days"], lateness["marked"]))
        assert bool(lateness["penalty"]) == bool(lateness["days"])
    assert found == right
