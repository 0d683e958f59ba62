from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_run import GREETING, POWERS, check, nothing, record, rows, run

from courselib import cli
from courselib.export import export
from courselib.exports.cells import harmless, number, original, plain, points
from courselib.exports.table import read_table
from courselib.text import use_language
from courselib.trouble import Trouble

IDS = [
    "0042",
    "1e5",
    "00123456789012345",
    "-7",
    "=1+1",
    "+880",
    "@me",
    "'=x",
    "'t Hooft",
    "Doe, Jr.",
    'A "B" C',
    "a;b",
    "two\nlines",
    "রহিম",
]


def table(folder: Path, *exercises: str) -> list[list[str]]:
    export(folder, "csv", None, folder / "out.csv", list(exercises))
    return read_table(folder / "out.csv")


def test_a_table_has_a_row_per_student_and_a_column_per_exercise(tmp_path: Path) -> None:
    run(
        tmp_path,
        record("a"),
        record("a", GREETING, check(points=0.5), check("failed", 0.5)),
        record("b"),
        nothing("b", GREETING, possible=1.0),
    )
    assert table(tmp_path) == [
        ["student", POWERS, GREETING, "total", "possible", "deferred", "status"],
        ["a", "3", "0.5", "3.5", "7", "2", "graded"],
        ["b", "3", "0", "3", "7", "2", "incomplete"],
    ]


def test_one_exercise_alone_by_its_short_name(tmp_path: Path) -> None:
    run(tmp_path, record("a"), record("a", GREETING, check(points=4)))
    assert table(tmp_path, "greeting") == [
        ["student", GREETING, "total", "possible", "deferred", "status"],
        ["a", "4", "4", "4", "0", "graded"],
    ]


@pytest.mark.parametrize("status", ["unreadable", "refused", "fault"])
def test_what_a_person_must_look_at_is_blank_and_so_is_its_total(tmp_path: Path, status: str) -> None:
    run(tmp_path, nothing("a", status=status), record("a", GREETING, check(points=4)))
    assert table(tmp_path)[1] == ["a", "", "4", "", "10", "0", status]


def test_an_exercise_that_is_deferred_as_a_whole_is_blank_never_0(tmp_path: Path) -> None:
    run(tmp_path, record("a", POWERS, check("deferred", 2)), record("a", GREETING, check("failed", 4)))
    assert table(tmp_path)[1] == ["a", "", "0", "0", "6", "2", "graded"]
    assert table(tmp_path, "powers")[1] == ["a", "", "", "2", "2", "graded"]


def test_an_exercise_worth_nothing_divides_nothing_and_is_0(tmp_path: Path) -> None:
    run(
        tmp_path,
        record("a", POWERS, check(points=0)),
        record("b", POWERS, check("failed", 0)),
        record("c", POWERS) | {"possible": 0.0, "score": 0.0, "deferred": 0.0},
    )
    assert [row[1:4] for row in table(tmp_path)[1:]] == [["0", "0", "0"]] * 3


def test_nothing_handed_in_is_a_row_of_zeros(tmp_path: Path) -> None:
    run(tmp_path, nothing("a"), nothing("a", GREETING))
    assert table(tmp_path)[1] == ["a", "0", "0", "0", "12", "0", "not_submitted"]


@pytest.mark.parametrize("student", IDS)
def test_every_id_comes_back_as_it_was_and_none_is_a_formula(tmp_path: Path, student: str) -> None:
    run(tmp_path, record(student), record("zz"))
    assert [row[0] for row in table(tmp_path)[1:]] == [student, "zz"]
    told = rows(tmp_path / "out.csv")
    assert [len(row) for row in told] == [6, 6, 6]
    assert told[1][0] in (student, f"'{student}")
    assert told[1][0][0] not in "=+-@"


def test_a_semicolon_does_not_split_a_row_elsewhere(tmp_path: Path) -> None:
    run(tmp_path, record("a;=cmd|x;b"))
    export(tmp_path, "csv", None, tmp_path / "out.csv", [])
    assert rows(tmp_path / "out.csv", ";")[1][0].startswith("a;=cmd|x;b,")


@given(st.text(alphabet=st.sampled_from("'=+-@＝ \t\r\na1")))
def test_harmless_text_can_be_had_back_and_begins_no_formula(text: str) -> None:
    assert original(harmless(text)) == text
    assert harmless(text).lstrip()[:1] not in {"=", "+", "-", "@", "＝"}
    assert harmless(text)[:1] not in {"\t", "\r", "\n"}


def test_text_that_is_no_formula_is_not_touched() -> None:
    assert [harmless(t) for t in ("0042", "'t Hooft", "", "a=1", "রহিম", "১২")] == ["0042", "'t Hooft", "", "a=1", "রহিম", "১২"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, ""), (0, "0"), (-0.0, "0"), (8.0, "8"), (7.5, "7.5"), (1 / 3, "0.333333"), (1e-6, "0.000001"), (1e7, "10000000"), (100, "100")],
)
def test_points_are_plain_digits(value: float | None, text: str) -> None:
    use_language("bn")
    assert points(value) == text


@pytest.mark.parametrize(
    ("text", "value"), [("8", 8), (" 8,50 ", 8.5), ("8.50", 8.5), ("", None), ("EX", None), ("৮", None), ("1e3", None), ("nan", None)]
)
def test_numbers_are_read_with_a_point_or_a_comma(text: str, value: float | None) -> None:
    assert number(text) == value


def test_output_text_is_cleaned() -> None:
    assert plain("a\x1b[31mred\x1b[0m \ufffd[1mb \x00\ud800\nবাংলা\x1b]0;title\x07.") == "ared b \ufffd?\nবাংলা."
    assert len(plain("x" * 10**6)) == 8000


def damaged(folder: Path, *records: dict[str, Any], to: str = "csv") -> str:
    run(folder, *records)
    with pytest.raises(Trouble) as trouble:
        export(folder, to, None, folder / "out", [])
    assert not (folder / "out").exists()
    return trouble.value.sentence.en


def test_a_student_who_is_there_twice_stops_the_export_with_a_list(tmp_path: Path) -> None:
    told = damaged(tmp_path, record("a"), record("b"), record("a", POWERS, check(points=6)), record("b"), record("c"))
    assert told == f"a student's exercise is there twice: a · {POWERS}, b · {POWERS}; keep one and grade again."


@pytest.mark.parametrize("to", ["csv", "gradescope"])
@pytest.mark.parametrize(("one", "other"), [("A@x.org", "a@X.org"), ("caf\u00e9", "cafe\u0301"), ("0042", "0042 ")])
def test_ids_that_differ_in_spelling_only_stop_the_export_with_a_list(tmp_path: Path, to: str, one: str, other: str) -> None:
    assert f"{one} = {other}" in damaged(tmp_path, record(one), record(other), record("b"), to=to)


def test_ids_that_differ_as_text_are_two_students(tmp_path: Path) -> None:
    run(tmp_path, record("0042"), record("42"), record("042"), record("1e5"), record("100000"))
    assert [row[0] for row in table(tmp_path)[1:]] == ["0042", "42", "042", "1e5", "100000"]


@pytest.mark.parametrize(
    "fault",
    [
        {"score": float("nan")},
        {"score": float("inf")},
        {"score": -1.0},
        {"score": 4.001},
        {"score": "3"},
        {"score": True},
        {"score": None},
        {"status": "fine"},
    ],
)
def test_a_record_with_an_impossible_number_is_told_with_its_line(tmp_path: Path, fault: dict[str, Any]) -> None:
    told = damaged(tmp_path, record("a"), record("b") | fault)
    assert re.match(rf"{re.escape(str(tmp_path / 'results.jsonl'))}:2: .*; grade again\.$", told)


def test_a_score_a_hair_beyond_its_ends_is_brought_back(tmp_path: Path) -> None:
    run(tmp_path, record("a") | {"score": 4.0000000002}, record("b") | {"score": -1e-10}, record("c") | {"score": 0})
    assert [row[1] for row in table(tmp_path)[1:]] == ["4", "0", "0"]


def test_a_line_that_is_cut_off_is_told(tmp_path: Path) -> None:
    run(tmp_path, record("a"))
    with (tmp_path / "results.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"student": "b", "exer')
    with pytest.raises(Trouble, match=r"results\.jsonl:2: .*grade again"):
        export(tmp_path, "csv", None, None, [])


def test_records_that_disagree_on_the_maximum_are_not_mixed(tmp_path: Path) -> None:
    assert "first/powers is not worth the same in every record (6.0, 9.0)" in damaged(
        tmp_path, record("a"), record("b", POWERS, check(points=9))
    )


def test_a_run_that_is_not_finished_cannot_be_exported(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match=r"holds no results\.jsonl; first finish courselib grade CLASS"):
        export(tmp_path, "csv", None, None, [])
    run(tmp_path)
    with pytest.raises(Trouble, match="is empty; grade the class first"):
        export(tmp_path, "csv", None, None, [])


def wrong(folder: Path, to: str, source: Path | None, exercises: list[str]) -> str:
    run(folder, record("a"))
    with pytest.raises(Trouble) as trouble:
        export(folder, to, source, folder / "out", exercises)
    assert trouble.value.sentence.bn != trouble.value.sentence.en
    return trouble.value.sentence.en


def test_wrong_use_is_one_sentence_that_says_what_to_do(tmp_path: Path) -> None:
    assert wrong(tmp_path, "csv", None, ["power"]) == "these results hold no exercise called power; there are: first/powers."
    assert wrong(tmp_path, "csv", None, ["powers=Homework"]) == "NAME=COLUMN is for --to canvas only."
    assert wrong(tmp_path, "csv", tmp_path / "x.csv", []) == "--from is for --to canvas and moodle only; leave it out."
    assert wrong(tmp_path, "canvas", None, []).endswith("give --from FILE (in Canvas: Grades > Export > Export Entire Gradebook).")
    assert wrong(tmp_path, "moodle", None, []).endswith("give --from FILE (in Moodle: View all submissions > Download grading worksheet).")
    (tmp_path / "out").write_text("", encoding="utf-8")
    assert wrong(tmp_path, "canvas", tmp_path / "out", []) == "--out and --from are one file; give --out another name."


def test_one_line_tells_what_was_written_and_what_waits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path, record("a"), record("b"), record("c", POWERS, check(points=6)))
    assert export(tmp_path, "csv", None, None, []) == 0
    assert capsys.readouterr() == (f"{tmp_path / 'export.csv'}: 3 of 3 students; 4 points are deferred, in nobody's score.\n", "")
    run(tmp_path, record("c", POWERS, check(points=6)))
    assert export(tmp_path, "csv", None, None, []) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'export.csv'}: 1 of 1 students.\n"


def test_somebody_who_needs_a_person_makes_it_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path, record("a"), nothing("b", status="unreadable"), nothing("c"))
    assert export(tmp_path, "csv", None, None, []) == 1
    assert "1 need a person and are left blank." in capsys.readouterr().out
    use_language("bn")
    assert export(tmp_path, "csv", None, None, []) == 1
    assert (
        capsys.readouterr().out
        == f"{tmp_path / 'export.csv'}: 3/3 শিক্ষার্থী; 2 point মুলতবি, কারও নম্বরে নেই; 1টি কাজ একজন মানুষের দেখা দরকার, ঘর ফাঁকা।\n"
    )


def test_a_folder_as_out_takes_the_file(tmp_path: Path) -> None:
    run(tmp_path / "run", record("a"))
    (tmp_path / "to").mkdir()
    export(tmp_path / "run", "csv", None, tmp_path / "to", [])
    export(tmp_path / "run", "csv", None, tmp_path / "new" / "x.csv", [])
    assert (tmp_path / "to" / "export.csv").read_bytes() == (tmp_path / "new" / "x.csv").read_bytes()
    assert [p.name for p in (tmp_path / "to").iterdir()] == ["export.csv"]


def test_the_command_takes_its_options_and_gives_its_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(tmp_path, record("a"), nothing("b", status="refused"))

    def told(*argv: object) -> tuple[object, str]:
        with pytest.raises(SystemExit) as end:
            cli.main(["export", *map(str, argv), "--lang", "en"])
        return end.value.code, capsys.readouterr().err

    assert told(tmp_path, "--to", "csv", "--exercise", "powers", "--out", tmp_path / "x.csv") == (1, "")
    assert len(rows(tmp_path / "x.csv")) == 3
    code, err = told(tmp_path, "--to", "excel")
    assert (code, err.count("\n")) == (2, 1)
    code, err = told(tmp_path, "--to", "canvas", "--from", tmp_path / "nowhere.csv")
    assert (code, err.count("\n")) == (2, 1)
    run(tmp_path, record("a"))
    assert told(tmp_path, "--to", "csv") == (0, "")
    assert rows(tmp_path / "export.csv")[1][0] == "a"
