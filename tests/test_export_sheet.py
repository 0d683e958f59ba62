from __future__ import annotations

import csv
import io
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from courselib.exports import sheet
from courselib.exports.sheet import Line, unwrapped
from courselib.trouble import Trouble

CELLS = st.lists(st.lists(st.text(alphabet=st.sampled_from("ab\",;\t\r\n =0'\u09b0é")), min_size=2, max_size=4), min_size=1, max_size=5)


def read(data: bytes) -> sheet.Sheet:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.csv"
        path.write_bytes(data)
        return sheet.read(path)


def written(kept: sheet.Sheet) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "new" / "x.csv"
        kept.write(path)
        assert [p.name for p in path.parent.iterdir()] == ["x.csv"]
        return path.read_bytes()


def values(line: Line) -> list[str]:
    return [line[i] for i in range(len(line.cells))]


@given(
    CELLS,
    st.sampled_from([csv.QUOTE_ALL, csv.QUOTE_MINIMAL]),
    st.sampled_from(",;\t"),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
)
def test_any_table_keeps_every_byte_and_reads_as_it_does_elsewhere(
    table: list[list[str]], quoting: int, separator: str, end: str, mark: bool
) -> None:
    table[0] = [f"h{i}" for i in range(len(table[0]))]
    text = io.StringIO(newline="")
    csv.writer(text, quoting=quoting, delimiter=separator, lineterminator=end).writerows(table)  # type: ignore[arg-type]
    data = ("\ufeff" * mark + text.getvalue()).encode()
    kept = read(data)
    assert written(kept) == data
    read_elsewhere = csv.reader(io.StringIO(text.getvalue(), newline=""), delimiter=separator)
    assert [values(line) for line in kept.lines] == [row or [""] for row in read_elsewhere]
    assert kept.separator == separator


@given(CELLS, st.text(alphabet=st.sampled_from('a",;\t\r\n0')), st.data())
def test_one_new_value_changes_one_cell(table: list[list[str]], new: str, data: st.DataObject) -> None:
    table[0] = [f"h{i}" for i in range(len(table[0]))]
    row = data.draw(st.integers(0, len(table) - 1))
    column = data.draw(st.integers(0, len(table[row]) - 1))
    text = io.StringIO(newline="")
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows(table)
    kept = read(text.getvalue().encode())
    kept.put(kept.lines[row], column, new)
    table[row][column] = new
    assert list(csv.reader(io.StringIO(written(kept).decode(), newline=""))) == table


def test_a_last_line_without_an_end_and_blank_lines_stay() -> None:
    data = b'Student,ID\r\n\r\n,\r\n"Doe, Jr.", 0042 '
    kept = read(data)
    assert written(kept) == data
    assert [line.blank for line in kept.lines] == [False, True, True, False]
    assert values(kept.lines[3]) == ["Doe, Jr.", " 0042 "]


def test_lines_are_counted_as_an_editor_counts_them() -> None:
    kept = read(b'a,b\r\n"x\r\ny\nz",1\r\nlast,2\r\n')
    assert [line.number for line in kept.lines] == [1, 2, 5]


@pytest.mark.parametrize("data", [b'a,b\n"x,1\n', b'a,b\n"x"y,1\n'])
def test_quotes_that_do_not_match_are_told_with_the_line(data: bytes) -> None:
    with pytest.raises(Trouble, match=r"x\.csv:2: the quotes do not match"):
        read(data)


@pytest.mark.parametrize(
    ("data", "told"), [(b"", "is empty"), ("Jos\u00e9,1".encode("latin-1"), "not UTF-8"), ("a,b".encode("utf-16"), "not UTF-8")]
)
def test_what_is_no_csv_of_an_lms_is_told(data: bytes, told: str) -> None:
    with pytest.raises(Trouble, match=told):
        read(data)


def test_a_cell_beyond_the_end_is_made_with_those_before_it() -> None:
    kept = read(b"a,b,c\nx\n")
    kept.put(kept.lines[1], 2, "8")
    assert written(kept) == b"a,b,c\nx,,8\n"


def test_text_kept_from_being_a_formula_is_unwrapped() -> None:
    assert [unwrapped(t) for t in ('="0042"', '="=x ""y"""', "0042", '=1"2"')] == ["0042", '=x "y"', "0042", '=1"2"']
