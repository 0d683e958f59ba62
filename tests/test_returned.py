"""Marks that a person writes into checks.csv: none is lost, none is made up, whatever a spreadsheet did to the file."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fake import EXERCISES, Run, grades, lasting, rows, works

from courselib import cli
from courselib.keep import marking, returned
from courselib.keep.folder import open_store
from courselib.keep.marking import Wish
from courselib.trouble import Trouble

LATE = "u/late"
Lines = list[dict[str, str]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Grade a class of three; the grader gives s00 3 of 4 for u/late, with 1 deferred."""
    again(tmp_path)
    return tmp_path


def again(folder: Path) -> Run:
    return Run()(folder, works(3, s00=b"\0", s01=b"\1", s02=None))


def lines(folder: Path) -> Lines:
    with (folder / "checks.csv").open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def saved(folder: Path, table: Lines, **how: Any) -> None:
    """Save checks.csv as a spreadsheet does."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(table[0]), **how)
    writer.writeheader()
    writer.writerows(table)
    (folder / "checks.csv").write_text(text.getvalue(), encoding="utf-8-sig", newline="")


def line_of(table: Lines, student: str = "s00", exercise: str = LATE, check: str = "one") -> dict[str, str]:
    return next(row for row in table if (row["student"], row["exercise"], row["check"]) == (student, exercise, check))


def write(folder: Path, mark: str = "", comment: str = "", *name: str, **how: Any) -> None:
    """Write a mark into one line of checks.csv."""
    table = lines(folder)
    line_of(table, *name).update(mark=mark, comment=comment)
    saved(folder, table, **how)


def marks(folder: Path) -> dict[tuple[str, str, str], tuple[float | None, str]]:
    store = open_store(folder)
    try:
        return {(*name, check): (m["points"], m["comment"]) for name, mine in store.marks().items() for check, m in mine.items()}
    finally:
        store.close()


def test_both_columns_are_there_and_empty_until_a_person_gives_something(folder: Path) -> None:
    assert [(row["mark"], row["comment"]) for row in lines(folder)] == [("", "")] * 18
    before = lasting(folder)
    again(folder)
    assert lasting(folder) == before
    assert not (folder / returned.BASE).exists()


def test_a_mark_written_into_the_file_is_taken_by_the_next_run_before_the_file_is_written_over(folder: Path) -> None:
    write(folder, "1/2", "half right")
    run = again(folder)
    assert [str(t) for t in run.said] == ["1 marks or comments were taken from checks.csv."]
    assert marks(folder) == {("s00", LATE, "one"): (0.5, "half right")}
    assert grades(folder)["s00"][LATE] == "1.5"
    assert (line_of(lines(folder))["mark"], line_of(lines(folder))["comment"]) == ("0.5", "half right")
    assert again(folder).said == []
    assert rows(folder)["s00", LATE]["checks"][0]["manual"]["points"] == 0.5


def in_another_order(table: Lines) -> Lines:
    return [dict(reversed(row.items())) for row in reversed(table)]


def with_a_column_more(table: Lines) -> Lines:
    return [{"": "", "to look at": "x", **row} for row in table]


def fewer(table: Lines) -> Lines:
    return [
        {k: row[k] for k in ("Mark ", "check", "student", "exercise")} for row in ({"Mark ": r["mark"], **r} for r in table) if row["Mark "]
    ]


@pytest.mark.parametrize("change", [list, in_another_order, with_a_column_more, fewer])
@pytest.mark.parametrize("how", [{}, {"delimiter": ";"}, {"delimiter": "\t"}, {"lineterminator": "\r"}, {"quoting": csv.QUOTE_ALL}])
@pytest.mark.parametrize("mark", ["1.5", "1,5", "১.৫", " ১,৫০ ", "3/2"])
def test_a_spreadsheet_may_save_it_in_any_way(folder: Path, change: Callable[[Lines], Lines], how: dict[str, Any], mark: str) -> None:
    table = lines(folder)
    line_of(table).update(mark=mark)
    saved(folder, change(table), **how)
    again(folder)
    assert marks(folder) == {("s00", LATE, "one"): (1.5, "")}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings_of_spreadsheets_are_read(folder: Path, encoding: str) -> None:
    write(folder, comment="ভালো হয়েছে,\nআরও লেখো")
    (folder / "checks.csv").write_text((folder / "checks.csv").read_text(encoding="utf-8-sig"), encoding=encoding, newline="")
    again(folder)
    again(folder)
    assert marks(folder) == {("s00", LATE, "one"): (None, returned.plain("ভালো হয়েছে,\nআরও লেখো"))}


def test_a_comment_that_looks_like_a_formula_comes_back_letter_by_letter(folder: Path) -> None:
    for comment in ("=1+1", "'quoted'", "- see page 3", "@rahim"):
        marking.mark(folder, Wish("s00", LATE, comment=comment))
        marking.mark(folder, Wish("s00", LATE, "one", comment=comment))
        assert again(folder).said == []
        assert {c for _, c in marks(folder).values()} == {comment}


@pytest.mark.parametrize(
    ("mark", "sentence"),
    [
        ("3", "checks.csv:2, mark 3: give a number from 0 to 2, such as 7.5 or 1/2."),
        ("good", "checks.csv:2, mark good: give a number from 0 to 2, such as 7.5 or 1/2."),
        ("-1", "checks.csv:2, mark -1: give a number from 0 to 2, such as 7.5 or 1/2."),
        ("1-Feb", "checks.csv:2, mark 1-Feb: give a number from 0 to 2, such as 7.5 or 1/2."),
        ("50%", "checks.csv:2, mark 50%: give a number from 0 to 2, such as 7.5 or 1/2."),
        ("nan", "checks.csv:2, mark nan: give a number from 0 to 2, such as 7.5 or 1/2."),
    ],
)
def test_a_bad_mark_is_told_with_its_line_and_column_before_anything_is_graded_or_written(folder: Path, mark: str, sentence: str) -> None:
    write(folder, mark, "mine")
    before = (folder / "checks.csv").read_bytes()
    run = Run(fresh=True)
    with pytest.raises(Trouble, match=f"^{re.escape(sentence)}$"):
        run(folder, works(3))
    assert run.graded == []
    assert marks(folder) == {}
    assert (folder / "checks.csv").read_bytes() == before
    with pytest.raises(Trouble, match=f"^{re.escape(sentence)}$"):  # nor by another mark
        marking.mark(folder, Wish("s01", LATE, points="1"))
    assert (folder / "checks.csv").read_bytes() == before


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"student": "s0"}, r"^checks.csv:2: no s0 · u/late in the results; put the columns"),
        ({"exercise": "u/lat"}, r"^checks.csv:2: no s00 · u/lat in the results;"),
        ({"check": "on"}, r"^checks.csv:2, check: u/late has no check on. There are: , one, two, far\.$|There are: one, two, far"),
        ({"check": "two"}, r"^checks.csv:3: s00 · u/late · two is on line 2 too, with another mark or comment; keep one\.$"),
    ],
)
def test_a_line_that_belongs_nowhere_is_told(folder: Path, change: dict[str, str], sentence: str) -> None:
    table = lines(folder)
    table[1].update(mark="1")
    table[0].update(mark="0", **change)
    saved(folder, table)
    with pytest.raises(Trouble, match=sentence):
        again(folder)
    assert marks(folder) == {}


def test_one_mark_for_the_whole_exercise_has_a_line_of_its_own_and_comes_back(folder: Path) -> None:
    marking.mark(folder, Wish("s00", LATE, points="3.5", comment="seen on paper"))
    whole = line_of(lines(folder), check="")
    assert (whole["mark"], whole["comment"], whole["earned"], whole["points"]) == ("3.5", "seen on paper", "", "")
    write(folder, "4", "seen on paper", "s00", LATE, "")
    again(folder)
    assert rows(folder)["s00", LATE]["score"] == 4
    write(folder, "", "", "s00", LATE, "")
    again(folder)
    assert marks(folder) == {("s00", LATE, ""): (4, "seen on paper")}


@pytest.mark.parametrize("spoilt", ["emptied", "rows left out", "gone", "without the columns"])
def test_nothing_in_the_file_takes_a_mark_away(folder: Path, spoilt: str) -> None:
    marking.mark(folder, Wish("s00", LATE, "one", points="1", comment="why"))
    table = lines(folder)
    if spoilt == "emptied":
        write(folder)
    elif spoilt == "rows left out":
        saved(folder, table[3:])
    elif spoilt == "gone":
        (folder / "checks.csv").unlink()
    else:
        saved(folder, [{k: row[k] for k in ("student", "exercise", "check", "earned")} for row in table])
    again(folder)
    assert marks(folder) == {("s00", LATE, "one"): (1, "why")}
    assert line_of(lines(folder))["mark"] == "1"


def test_an_older_file_put_back_does_not_undo_a_newer_word_in_silence(folder: Path) -> None:
    marking.mark(folder, Wish("s00", LATE, "one", points="1", by="A"))
    old = (folder / "checks.csv").read_bytes()
    marking.mark(folder, Wish("s00", LATE, "one", points="2", by="B"))
    (folder / "checks.csv").write_bytes(old)
    assert [str(t) for t in again(folder).said][1:] == ["s00 · u/late · one: 2 before, 1 now."]


def test_two_people_with_different_words_are_told_of_each_other_and_neither_is_lost(folder: Path) -> None:
    write(folder, "1", "from the file")
    with pytest.raises(Trouble) as caught:
        marking.mark(folder, Wish("s00", LATE, "one", points="2", by="B"))
    assert str(caught.value) == (
        "checks.csv:2: s00 · u/late · one: 1 “from the file” here, but B has meanwhile given 2; "
        "write what counts into the file, or have it taken with --from."
    )
    assert marks(folder) == {("s00", LATE, "one"): (2, "")}
    assert line_of(lines(folder))["mark"] == "1"
    with pytest.raises(Trouble, match="has meanwhile given"):
        again(folder)
    assert marking.mark_from(folder, folder / "checks.csv", "B") == 0
    assert marks(folder) == {("s00", LATE, "one"): (1, "from the file")}
    assert again(folder).said == []


def test_a_kill_between_the_results_and_the_table_makes_no_wish_of_what_was_not_written_yet(folder: Path) -> None:
    marking.mark(folder, Wish("s00", LATE, "one", points="1"))
    old = [(p, p.read_bytes()) for p in (folder / "checks.csv", folder / returned.BASE)]
    marking.mark(folder, Wish("s00", LATE, "one", points="2"))
    for path, data in old:  # as if the second mark's tables had never been written
        path.write_bytes(data)
    assert again(folder).said == []
    assert marks(folder) == {("s00", LATE, "one"): (2, "")}


def run(*args: object) -> int:
    with pytest.raises(SystemExit) as end:
        cli.main(list(map(str, args)))
    return int(end.value.code or 0)


def test_the_command_takes_a_file_from_anywhere(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(folder, "1,5", "ok", delimiter=";")
    mine = tmp_path / "mine.csv"
    (folder / "checks.csv").rename(mine)
    mine.write_text("sep=;\r\n" + mine.read_text(encoding="utf-8-sig"), encoding="utf-8-sig", newline="")
    assert run("mark", folder, "--from", mine, "--by", "Dr. Rahman") == 0
    assert capsys.readouterr().out == "1 marks or comments were taken from mine.csv.\n"
    assert rows(folder)["s00", LATE]["checks"][0]["manual"]["by"] == "Dr. Rahman"
    assert run("mark", folder, "--from", mine) == 0
    assert capsys.readouterr().out == "0 marks or comments were taken from mine.csv.\n"
    assert run("mark", folder, "s00", "--from", mine) == 2
    assert capsys.readouterr().err == "courselib: give --from alone (with --by at most).\n"
    assert run("mark", folder, "s00", "--points", "1") == 2
    assert capsys.readouterr().err == "courselib: give STUDENT and EXERCISE, or --from FILE.\n"
    assert run("mark", folder, "--from", folder / "grades.csv") == 2
    assert capsys.readouterr().err == "courselib: grades.csv:1: no column exercise, check; put the first line back as it was.\n"


def test_marks_given_by_name_and_by_file_read_the_same(folder: Path) -> None:
    for n, (student, exercise) in enumerate((s, e) for s in ("s00", "s01", "s02") for e in EXERCISES):
        marking.mark(folder, Wish(student, exercise, "one", points=f"{n}/4", comment=f"n{n}"))
    before, kept = lasting(folder), marks(folder)
    for name in kept:
        marking.mark(folder, Wish(*name, clear=True))
    (folder / "mine.csv").write_bytes(before[1])
    marking.mark_from(folder, folder / "mine.csv")
    assert marks(folder) == kept
    assert lasting(folder)[:2] == before[:2]
