from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from made_run import GREETING, POWERS, check, nothing, record, rows, run

from courselib.export import export
from courselib.trouble import Trouble

HEADER = "Student,ID,SIS User ID,SIS Login ID,Section,Notes,Powers (901),Quiz (12),Final Score"
POINTS = "    Points Possible,,,,,,6.00,10.00,(read only)"
MANUAL = ",,,,,,Manual Posting,,"
CLASS = [
    '"Doe, Jr.",7001,0042,asha@x.org,"Lab 1, Mon",,,9.5,12',
    '"Rahman, Anika",7002,00123456789012345,anika,Lab 1,"says ""hi""",,,',
    '"=""=1+1""",7003,1e5,-7,Lab 1,,4.00,"8,5",',
    "রহিম,7004,,,Lab 1,,,N/A,",
    '"Student, Test",7999,,,Lab 1,,,,',
]


def gradebook(folder: Path, *lines: str, end: str = "\r\n", mark: str = "\ufeff") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "book.csv").write_bytes((mark + end.join([*lines, ""])).encode())
    return folder / "book.csv"


def book(folder: Path, *more: str) -> Path:
    return gradebook(folder, HEADER, MANUAL, POINTS, *CLASS, *more)


def exported(folder: Path, source: Path, *exercises: str) -> int:
    return export(folder, "canvas", source, folder / "out.csv", list(exercises))


def imported(path: Path, title: str, separator: str = ",") -> dict[str, str]:
    """Read a column by Canvas's own rules: its header, rows passed over, a student's id in the second column."""
    header, *body = [row for row in rows(path, separator) if any(row)]
    assert "Student" in header[0]
    assert header[1] == "ID"
    assert "Section" in header[header.index("SIS Login ID") + 1]
    assert header.count(title) == 1
    students = [r for r in body if "Points Possible" not in r[0] and not all(re.fullmatch(r"(Manual Posting)?", c) for c in r)]
    assert all(len(row) == len(header) for row in body)
    return {row[1]: row[header.index(title)] for row in students}


def test_only_the_cells_of_one_column_change_and_every_other_byte_stays(tmp_path: Path) -> None:
    source = book(tmp_path)
    run(tmp_path, record("0042"), record("anika", POWERS, check(points=6)), record("-7"), record("রহিম", POWERS, check("failed", 6)))
    assert exported(tmp_path, source) == 0
    before, after = source.read_bytes().decode().split("\r\n"), (tmp_path / "out.csv").read_bytes().decode().split("\r\n")
    assert after == [
        *before[:3],
        '"Doe, Jr.",7001,0042,asha@x.org,"Lab 1, Mon",,3,9.5,12',
        '"Rahman, Anika",7002,00123456789012345,anika,Lab 1,"says ""hi""",6,,',
        '"=""=1+1""",7003,1e5,-7,Lab 1,,3,"8,5",',
        "রহিম,7004,,,Lab 1,,0,N/A,",
        before[7],
        "",
    ]
    assert imported(tmp_path / "out.csv", "Powers (901)") == {"7001": "3", "7002": "6", "7003": "3", "7004": "0", "7999": ""}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("separator", [",", ";"])
def test_separators_line_ends_and_the_mark_stay_as_they_are(tmp_path: Path, end: str, separator: str) -> None:
    lines = ["Student,ID,SIS Login ID,Section,Powers (9)", ",,,,", "    Points Possible,,,,6", "Asha,1,asha,L,"]
    source = gradebook(tmp_path, *(line.replace(",", separator) for line in lines), end=end, mark="")
    run(tmp_path, record("asha", POWERS, check(points=2.5), check("failed", 3.5)))
    exported(tmp_path, source)
    assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()[: -len(end)] + b"2.5" + end.encode()
    assert imported(tmp_path / "out.csv", "Powers (9)", separator) == {"1": "2.5"}


@pytest.mark.parametrize(
    ("student", "line"),
    [
        ("asha@x.org", 0), ("ASHA@X.org", 0), ("0042", 0), ("7001", 0), ("Doe, Jr.", 0), ("Jr. Doe", 0), ("doejr_7001", 0),
        ("anika", 1), ("00123456789012345", 1), ("Anika Rahman", 1), ("anika \u00a0 rahman", 1), ("rahmananika_7002", 1),
        ("-7", 2), ("1e5", 2), ("=1+1", 2), ("রহিম", 3), ("7004", 3), ("রহিম_7004", 3),
    ],
)  # fmt: skip
def test_a_student_is_found_by_login_sis_id_id_and_then_name(tmp_path: Path, student: str, line: int) -> None:
    source = book(tmp_path)
    run(tmp_path, record(student, POWERS, check(points=5), check("failed", 1)))
    assert exported(tmp_path, source) == 0
    found = imported(tmp_path / "out.csv", "Powers (901)")
    assert [i for i, score in found.items() if score == "5"] == [f"700{line + 1}"]


@pytest.mark.parametrize(
    "student", ["42", "100000", "123456789012345", "Anika", "7", "rahman_7001", "somebody_7002", "7001_7002", "Points Possible", ""]
)
def test_what_only_looks_alike_is_nobody(tmp_path: Path, student: str, capsys: pytest.CaptureFixture[str]) -> None:
    source = book(tmp_path)
    run(tmp_path, record("anika"), record(student, POWERS, check(points=5), check("failed", 1)))
    assert exported(tmp_path, source) == 1
    assert "5" not in imported(tmp_path / "out.csv", "Powers (901)").values()
    told = capsys.readouterr()
    assert told.err == (
        f"courselib: no row was found for these, so their grades are not in it: {student}; make the ids agree and export again.\n"
    )
    assert told.out.endswith(": 1 of 2 students; 2 points are deferred, in nobody's score; 1 left out.\n")


def test_names_are_compared_in_one_unicode_form(tmp_path: Path) -> None:
    source = gradebook(tmp_path, HEADER, POINTS, '"Nu\u00f1ez, Jose\u0301",7001,,,L,,,,')
    run(tmp_path, record("Jos\u00e9 Nun\u0303ez"))
    assert exported(tmp_path, source) == 0


def refused(folder: Path, source: Path, *exercises: str) -> str:
    with pytest.raises(Trouble) as trouble:
        exported(folder, source, *exercises)
    assert not (folder / "out.csv").exists()
    return trouble.value.sentence.en


def test_two_students_of_one_row_stop_the_export_with_a_list(tmp_path: Path) -> None:
    source = book(tmp_path)
    run(tmp_path, record("anika"), record("Rahman, Anika"), record("0042"), record("asha@x.org"), record("-7"))
    told = refused(tmp_path, source)
    assert "line 5: anika, Rahman, Anika; line 4: 0042, asha@x.org" in told
    assert told.endswith("give each student one id of their own and export again.")


def test_one_student_on_two_rows_stops_the_export_with_a_list(tmp_path: Path) -> None:
    source = book(tmp_path, "রহিম,7005,,,Lab 1,,,,", "Karim,0042,x,y,Lab 1,,,,")
    run(tmp_path, record("রহিম"), record("0042"), record("anika"))
    told = refused(tmp_path, source)
    assert "রহিম: lines 7, 9" in told
    assert "0042: lines 4, 10" in told


def test_equal_names_do_no_harm_where_ids_tell(tmp_path: Path) -> None:
    source = book(tmp_path, "রহিম,7005,,,Lab 1,,,,")
    run(tmp_path, record("7004"), record("7005", POWERS, check(points=6)))
    assert exported(tmp_path, source) == 0
    assert [imported(tmp_path / "out.csv", "Powers (901)")[i] for i in ("7004", "7005")] == ["3", "6"]


def test_a_gradebook_with_one_id_twice_is_refused_with_the_lines(tmp_path: Path) -> None:
    source = book(tmp_path, '"Doe, Jr.",7001,0042,asha@x.org,Lab 2,,5,,')
    run(tmp_path, record("anika"))
    assert "SIS Login ID asha@x.org: lines 4, 9; SIS User ID 0042: lines 4, 9; ID 7001: lines 4, 9" in refused(tmp_path, source)


@pytest.mark.parametrize(
    "none", [nothing("-7", status="unreadable"), nothing("-7", status="fault"), nothing("-7"), record("-7", POWERS, check("deferred", 6))]
)
def test_an_earlier_score_is_never_wiped_by_what_is_no_grade(
    tmp_path: Path, none: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    source = book(tmp_path)
    run(tmp_path, none, record("anika"))
    exported(tmp_path, source)
    assert imported(tmp_path / "out.csv", "Powers (901)")["7003"] == "4.00"
    assert "1 cells keep what they held" in capsys.readouterr().err


def test_no_grade_is_blank_and_nothing_handed_in_is_0(tmp_path: Path) -> None:
    source = book(tmp_path)
    deferred = record("0042", POWERS, check("deferred", 6))
    run(tmp_path, deferred, nothing("anika", status="unreadable"), nothing("রহিম"))
    assert exported(tmp_path, source) == 1
    found = imported(tmp_path / "out.csv", "Powers (901)")
    assert [found[i] for i in ("7001", "7002", "7004")] == ["", "", "0"]


@pytest.mark.parametrize("cell", ["EX", "ex", "N/A"])
def test_the_excused_stay_excused(tmp_path: Path, cell: str) -> None:
    source = book(tmp_path, f"Karim,7005,,karim,Lab 1,,{cell},,")
    run(tmp_path, record("karim"))
    exported(tmp_path, source)
    assert imported(tmp_path / "out.csv", "Powers (901)")["7005"] == cell


def test_a_score_that_is_the_same_number_keeps_its_bytes(tmp_path: Path) -> None:
    source = book(tmp_path)
    run(tmp_path, record("-7", POWERS, check(points=4), check("failed", 2)))
    exported(tmp_path, source)
    assert (tmp_path / "out.csv").read_bytes() == source.read_bytes()


def test_an_exercise_without_a_column_gets_one_with_its_points(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = gradebook(tmp_path, HEADER, ",,,,,,,,", MANUAL, POINTS, *CLASS)
    run(tmp_path, record("anika"), record("anika", GREETING, check(points=1.5), check("failed", 0.5)))
    assert exported(tmp_path, source) == 0
    after = (tmp_path / "out.csv").read_text(encoding="utf-8-sig").split("\n")
    assert [line.rsplit(",", 1)[-1] for line in after[:6]] == ["greeting", "", "", "2", "", "1.5"]
    assert after[1] == ",,,,,,,,"
    assert imported(tmp_path / "out.csv", "greeting") == {"7001": "", "7002": "1.5", "7003": "", "7004": "", "7999": ""}
    assert "there was no column “greeting”: on import Canvas will make a new one (2 points)." in capsys.readouterr().err


def test_the_exercise_named_is_the_only_one_changed(tmp_path: Path) -> None:
    source = book(tmp_path)
    run(tmp_path, record("anika"), record("anika", GREETING, check(points=2)))
    assert exported(tmp_path, source, "powers") == 0
    assert rows(tmp_path / "out.csv")[0] == HEADER.split(",")


@pytest.mark.parametrize("column", ["Quiz", "quiz", "Quiz (12)"])
def test_a_column_can_be_named(tmp_path: Path, column: str) -> None:
    source = book(tmp_path)
    run(tmp_path, record("anika", POWERS, check(points=10)), record("-7", POWERS, check("failed", 10)))
    assert exported(tmp_path, source, f"powers={column}") == 0
    assert imported(tmp_path / "out.csv", "Quiz (12)") == {"7001": "9.5", "7002": "10", "7003": "0", "7004": "N/A", "7999": ""}


def test_a_named_column_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    run(tmp_path, record("anika"))
    told = refused(tmp_path, book(tmp_path), "powers=Quizz")
    assert "book.csv:1: it is not clear which column “Quizz” is; name one with --exercise NAME=COLUMN: " in told
    assert told.endswith(": Notes, Powers (901), Quiz (12), Final Score.")


def test_two_columns_of_one_title_are_not_chosen_from(tmp_path: Path) -> None:
    source = gradebook(tmp_path, "Student,ID,SIS Login ID,Section,Powers (1),powers (2)", "A,1,a,L,,")
    run(tmp_path, record("a"))
    assert "Powers (1), powers (2)" in refused(tmp_path, source)
    assert exported(tmp_path, source, "powers=powers (2)") == 0
    assert imported(tmp_path / "out.csv", "powers (2)") == {"1": "3"}


@pytest.mark.parametrize(
    ("title", "risky"),
    [
        ("Final project (77)", True), ("finals (77)", True), ("Semifinal", True), ("Powers (12345) (77)", True), ("Current Score", True),
        ("Powers (77)", False), ("Powers", False),
    ],
)  # fmt: skip
def test_a_risky_title_is_warned_of(tmp_path: Path, title: str, risky: bool, capsys: pytest.CaptureFixture[str]) -> None:
    source = gradebook(tmp_path, f"Student,ID,SIS Login ID,Section,{title}", "A,1,a,L,")
    run(tmp_path, record("a"))
    assert exported(tmp_path, source, f"powers={title}") == 0
    assert ("warning: Canvas may pass over a column titled" in capsys.readouterr().err) is risky


def test_a_new_column_with_a_risky_title_is_warned_of_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = gradebook(tmp_path, "Student,ID,SIS Login ID,Section", "A,1,a,L")
    run(tmp_path, record("a", "first/final_project"))
    assert exported(tmp_path, source) == 0
    assert "a column titled “final_project”" in capsys.readouterr().err


def test_a_column_of_another_maximum_or_read_only_is_refused(tmp_path: Path) -> None:
    source = book(tmp_path)
    run(tmp_path, record("anika"))
    told = refused(tmp_path, source, "powers=Quiz")
    assert told.endswith("book.csv:3: Quiz (12) is worth 10 there and 6 here; set it to 6 in the LMS and download the file again.")
    assert "the column “Final Score” is read only" in refused(tmp_path, source, "powers=Final Score")


@pytest.mark.parametrize("maximum", ["6", "6.00", "6,00", ""])
def test_points_possible_are_read_as_canvas_writes_them_and_stay(tmp_path: Path, maximum: str) -> None:
    line = f'    Points Possible,,,,"{maximum}"'
    source = gradebook(tmp_path, "Student,ID,SIS Login ID,Section,Powers (1)", line, "A,1,a,L,")
    run(tmp_path, record("a"))
    assert exported(tmp_path, source) == 0
    assert (tmp_path / "out.csv").read_text(encoding="utf-8-sig").split("\n")[1] == line


def test_first_and_last_names_in_two_columns(tmp_path: Path) -> None:
    source = gradebook(tmp_path, "LastName,FirstName,ID,SIS Login ID,Section,Powers (1)", "Rahman,Anika,1,,L,", "Das,Rina,2,rina,L,")
    run(tmp_path, record("Anika Rahman"), record("rina", POWERS, check(points=6)))
    assert exported(tmp_path, source) == 0
    assert [row[5] for row in rows(tmp_path / "out.csv")] == ["Powers (1)", "3", "6"]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["name,score", "a,1"], "book.csv:1: not a Canvas gradebook"),
        (["Student,ID,Powers", "a,1,"], "book.csv:1: not a Canvas gradebook"),
        ([HEADER, POINTS, "a,1,,a,L"], "book.csv:3: 5 cells instead of 9; download it from Canvas again."),
        ([HEADER, POINTS, 'a,1,,"a,L,,,,'], "book.csv:3: the quotes do not match"),
        ([HEADER, POINTS, "b,1,,b,L,,,,"], "no row was found for these, so their grades are not in it: anika"),
        ([HEADER], "Is this file of this class?"),
    ],
)
def test_what_is_not_this_classes_gradebook_is_told(tmp_path: Path, lines: list[str], told: str) -> None:
    run(tmp_path, record("anika"))
    assert told in refused(tmp_path, gradebook(tmp_path, *lines))
