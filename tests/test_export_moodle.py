from __future__ import annotations

from pathlib import Path

import pytest
from made_run import GREETING, POWERS, check, nothing, record, rows, run

from courselib.export import export
from courselib.trouble import Trouble

HEADER = (
    'Identifier,"Full name","ID number","Email address",Status,Grade,'
    '"Maximum Grade","Grade can be changed","Last modified (grade)","Feedback comments"'
)
CLASS = [
    '"Participant 1327627","Seán O\'Brien, Jr.",0042,sean@x.org,"Submitted for grading",,6.00,Yes,"4 May 2026, 3:04","<p>a, ""b""</p>"',
    '"Participant 1327628",রহিম,1e5,R@X.org,"No submission",2.50,6.00,Yes,-,',
    '"Participant 1327629",=Anika,-7,anika@x.org,"Submitted for grading",-,6.00,No,-,',
]


def worksheet(folder: Path, *lines: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "sheet.csv").write_bytes("".join(f"{line}\n" for line in lines or (HEADER, *CLASS)).encode())
    return folder / "sheet.csv"


def exported(folder: Path, source: Path, *exercises: str) -> int:
    return export(folder, "moodle", source, folder / "out.csv", list(exercises))


def grades(folder: Path) -> list[str]:
    return [row[5] for row in rows(folder / "out.csv")[1:]]


def test_only_the_grade_changes_and_every_other_byte_stays(tmp_path: Path) -> None:
    source = worksheet(tmp_path)
    run(tmp_path, record("0042"), record("1e5", POWERS, check(points=4.25), check("failed", 1.75)))
    assert exported(tmp_path, source) == 0
    expected = source.read_text(encoding="utf-8").replace('grading",,6', 'grading",3,6').replace(",2.50,", ",4.25,")
    assert (tmp_path / "out.csv").read_text(encoding="utf-8") == expected
    assert grades(tmp_path) == ["3", "4.25", "-"]


@pytest.mark.parametrize(
    "student",
    [
        "Participant 1327627",
        "1327627",
        "0042",
        "sean@x.org",
        "SEAN@x.org",
        "Seán O'Brien, Jr.",
        "Sea\u0301n O'Brien, Jr.",
        "Seán O'Brien, Jr._1327627",
    ],
)
def test_a_student_is_found_by_number_id_address_and_then_name(tmp_path: Path, student: str) -> None:
    source = worksheet(tmp_path)
    run(tmp_path, record(student))
    assert exported(tmp_path, source) == 0
    assert grades(tmp_path) == ["3", "2.50", "-"]


@pytest.mark.parametrize("student", ["42", "Participant 132762", "100000", "রহিম_1327627"])
def test_what_only_looks_alike_is_nobody(tmp_path: Path, student: str) -> None:
    source = worksheet(tmp_path)
    run(tmp_path, record(student))
    with pytest.raises(Trouble, match="no row was found for these"):
        exported(tmp_path, source)


def test_blind_marking_has_numbers_and_no_names(tmp_path: Path) -> None:
    source = worksheet(tmp_path, "Identifier,Status,Grade,Last modified (grade)", "Participant 12,x,,-", "Participant 13,x,,-")
    run(tmp_path, record("Participant_12"), record("13", POWERS, check(points=6)))
    assert exported(tmp_path, source) == 0
    assert [row[2] for row in rows(tmp_path / "out.csv")[1:]] == ["3", "6"]


def test_two_students_of_one_row_stop_the_export(tmp_path: Path) -> None:
    run(tmp_path, record("0042"), record("sean@x.org"))
    with pytest.raises(Trouble, match=r"line 2: 0042, sean@x\.org"):
        exported(tmp_path, worksheet(tmp_path))


def test_one_worksheet_takes_one_exercise_or_the_total(tmp_path: Path) -> None:
    source = worksheet(tmp_path, HEADER, CLASS[0].replace("6.00", "8.00"))
    run(tmp_path, record("0042"), record("0042", GREETING, check(points=2)))
    assert exported(tmp_path, source) == 0
    assert grades(tmp_path) == ["5"]
    assert exported(tmp_path, worksheet(tmp_path, HEADER, CLASS[0].replace("6.00", "2")), "greeting") == 0
    assert grades(tmp_path) == ["2"]


def test_a_total_waits_for_the_person(tmp_path: Path) -> None:
    source = worksheet(tmp_path, HEADER, CLASS[0].replace("6.00", "8.00"))
    run(tmp_path, nothing("0042", status="unreadable"), record("0042", GREETING, check(points=2)))
    assert exported(tmp_path, source) == 1
    assert grades(tmp_path) == [""]


def test_what_is_no_grade_wipes_none_and_deferred_alone_is_blank(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = worksheet(tmp_path)
    run(tmp_path, record("0042", POWERS, check("deferred", 6)), nothing("1e5"), record("-7"))
    assert exported(tmp_path, source) == 0
    assert grades(tmp_path) == ["", "2.50", "-"]
    assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()
    assert "2 cells keep what they held" in capsys.readouterr().err


def test_nothing_handed_in_is_0_where_no_grade_stands(tmp_path: Path) -> None:
    run(tmp_path, nothing("0042"))
    exported(tmp_path, worksheet(tmp_path))
    assert grades(tmp_path)[0] == "0"


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (
            [HEADER, CLASS[0].replace("6.00", "100.00")],
            "sheet.csv:2: first/powers is worth 100 there and 6 here; set it to 6",
        ),
        (["Identifier,Grade", "Participant 1,"], r"not a grading worksheet for points \(it lacks Last modified \(grade\)\)"),
        (["আইডি,গ্রেড,তারিখ", "a,,"], "Moodle in English"),
        ([HEADER.replace("Maximum Grade", "Scale"), CLASS[0]], "grade type Point"),
    ],
)
def test_what_moodle_would_pass_over_is_refused(tmp_path: Path, lines: list[str], told: str) -> None:
    run(tmp_path, record("0042"))
    with pytest.raises(Trouble, match=told):
        exported(tmp_path, worksheet(tmp_path, *lines))
    assert not (tmp_path / "out.csv").exists()
