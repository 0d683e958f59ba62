from __future__ import annotations

import unicodedata
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_class import works

from courselib.classroom import Class
from courselib.course import Course, load_course
from courselib.intake.entries import PLAIN, Entry
from courselib.intake.placing import Placed, place
from courselib.intake.roster import Person, read_roster
from courselib.trouble import Trouble

CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,GPU work (12345)

    Points Possible,,,,,10
"Karim, Rahim",501,0042,rahim,A,
"Sultana, Salma",502,00123456789012345,Salma@Example.org,A,7
"রহমান, আনিকা",503,1e5,anika,B,
"Student, Test",999,,abcdef0123,A,
"""
MOODLE = """Identifier,Full name,Email address,Status,Grade,Maximum Grade,Feedback comments
Participant 1327627,Rahim O'Karim,rahim@example.org,Submitted,,10,
Participant 1327628,সালমা সুলতানা,salma@example.org,Submitted,,10,"two
lines"
Participant 1327630,Nasrin,nasrin@example.org,No submission,,10,
"""


@pytest.fixture(scope="module")
def course() -> Course:
    return load_course(Path(__file__).parent)


def people(folder: Path, text: str | bytes) -> list[Person]:
    path = folder / "roster.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_roster(path)


def entry(student: str, *ids: str, name: str = "") -> Entry:
    return Entry(student, PLAIN, [], ids or (student,), name or student)


def rows(placed: Placed) -> list[tuple[str, str]]:
    return [(e.student, e.name) for e in placed.entries]


def test_canvass_gradebook_is_read_by_its_rules(tmp_path: Path) -> None:
    found = people(tmp_path, CANVAS)
    assert [(p.key, p.name, p.line) for p in found] == [("501", "Karim, Rahim", 4), ("502", "Sultana, Salma", 5), ("503", "রহমান, আনিকা", 6)]
    assert found[1].ids == (("id", "502"), ("sis user id", "00123456789012345"), ("sis login id", "Salma@Example.org"))


def test_moodles_worksheet_is_read_by_its_participant_numbers(tmp_path: Path) -> None:
    found = people(tmp_path, MOODLE)
    assert [(p.key, p.name) for p in found] == [("1327627", "Rahim O'Karim"), ("1327628", "সালমা সুলতানা"), ("1327630", "Nasrin")]


@pytest.mark.parametrize(
    ("text", "right"),
    [
        (
            "id,name\n0042,Rahim\n1e5,Salma\n00123456789012345,Anika\n",
            [("0042", "Rahim"), ("1e5", "Salma"), ("00123456789012345", "Anika")],
        ),
        ("Student ID;Full name\r\n0042;Rahim\r\n", [("0042", "Rahim")]),
        ("First Name\tLast Name\tSID\tEmail\rRahim\tKarim\t0042\tr@x.org\r", [("0042", "Rahim Karim")]),
        ("name\nRahim\nSalma\n", [("Rahim", "Rahim"), ("Salma", "Salma")]),
        ("রোল,নাম\n০০৪২,রহিম\n", [("০০৪২", "রহিম")]),
        ('student_id,name\n" 0042\u00a0","Doe, Jr., ""Bob"""\n', [("0042", 'Doe, Jr., "Bob"')]),
        ("email,id\nA@X.org,\nb@x.org,7\n", [("A@X.org", ""), ("7", "")]),
        ("id,name\n\n0042\n", [("0042", "")]),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_plain_roster_keeps_ids_as_text_in_every_encoding(tmp_path: Path, text: str, right: list[tuple[str, str]], encoding: str) -> None:
    assert [(p.key, p.name) for p in people(tmp_path, text.encode(encoding))] == right


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "roster.csv: the file is empty"),
        (b"\xef\xbb\xbf\n \n", "roster.csv: the file is empty"),
        (b"a,b\n1,2\n", r"roster.csv:1: no column that we know \(a, b\)"),
        (b"id,name\n1,Jos\xe9\n", "roster.csv:2: not UTF-8; save it as CSV UTF-8"),
        (b'id,name\n1,"Rahim\n', "roster.csv:2: not a CSV"),
        (b"id,name\n0042,A\n42,B\n0042,C\n7,D\n7,D\n", r"roster.csv: 0042 is on more than one line \(2, 4\).\nroster.csv: 7 is on more"),
    ],
)
def test_a_roster_that_cannot_be_trusted_stops_with_file_and_line(tmp_path: Path, data: bytes, why: str) -> None:
    with pytest.raises(Trouble, match=why):
        people(tmp_path, data)


def test_a_roster_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match="does not exist"):
        read_roster(tmp_path / "none.csv")


def test_ids_are_matched_before_names_and_as_text(tmp_path: Path) -> None:
    listed = people(tmp_path, "id,name\n0042,Rahim\n42,Salma\n7,0042\n")
    assert rows(place([entry("0042"), entry("Salma")], listed)) == [("0042", "Rahim"), ("42", "Salma"), ("7", "0042")]
    listed = people(tmp_path, "id,name\n0042,Rahim\n")
    assert rows(place([entry("42")], listed)) == [("0042", "Rahim"), ("42", "42")]


def test_names_are_matched_in_any_spelling(tmp_path: Path) -> None:
    listed = people(tmp_path, 'id,name\n1,José Ruiz\n2,"Karim, Rahim"\n3,"Sultana, Salma"\n4,রুমানা ইসলাম\n')
    mine = [entry(unicodedata.normalize("NFD", "José  ruiz")), entry("karimrahim_9", "9", name="karimrahim"), entry("Salma Sultana")]
    placed = place([*mine, entry("রুমানা_ইসলাম")], listed)
    assert rows(placed) == [("1", "José Ruiz"), ("2", "Karim, Rahim"), ("3", "Sultana, Salma"), ("4", "রুমানা ইসলাম")]
    assert [t.en for t in placed.said] == ["roster: 4 students, 4 with nothing handed in."]


def test_bangla_vowel_signs_are_part_of_a_name(tmp_path: Path) -> None:
    listed = people(tmp_path, "id,name\n1,মিনা\n2,মানি\n")
    assert rows(place([entry("মানি")], listed)) == [("1", "মিনা"), ("2", "মানি")]
    assert place([entry("মান")], listed).said[1].en == "1 not on the roster: মান."


def test_an_e_mail_address_has_no_case_and_other_ids_have(tmp_path: Path) -> None:
    listed = people(tmp_path, "id,email,name\nab1,Rahim@Example.ORG,R\nAB1,s@x.org,S\n")
    assert rows(place([entry("x", "rahim@example.org"), entry("AB1")], listed)) == [("AB1", "S"), ("ab1", "R")]


def test_a_canvas_number_is_looked_for_where_canvas_keeps_it_first(tmp_path: Path) -> None:
    listed = people(tmp_path, "Student,ID,SIS User ID,SIS Login ID\nA,1,2,a\nB,2,1,b\n")
    assert rows(place([entry("x_2", "2"), entry("y_1", "1")], listed)) == [("1", "A"), ("2", "B")]


def test_what_fits_two_people_or_one_twice_stops_with_a_list(tmp_path: Path) -> None:
    listed = people(tmp_path, "id,name\n1,Rahim\n2,Rahim\n3,Salma\n")
    with pytest.raises(
        Trouble, match=r"(?s)Rahim fits more than one line of the roster: 1 \(2\), 2 \(3\).*\n3 has more than one entry: 3, Salma"
    ):
        place([entry("Rahim"), entry("3"), entry("Salma")], listed)
    assert rows(place([entry("1"), entry("2")], listed)) == [("1", "Rahim"), ("2", "Rahim"), ("3", "Salma")]


def test_everyone_on_the_roster_has_a_row_and_strangers_keep_theirs(tmp_path: Path, course: Course) -> None:
    (tmp_path / "class").mkdir()
    for name in ("karimrahim_501_9001_cuda_ms.py", "nobody_777_9002_cuda_ms.py"):
        (tmp_path / "class" / name).write_bytes(name.encode())
    people(tmp_path, CANVAS)
    found = list(works(tmp_path / "class", course, ["timing/cuda_ms"], tmp_path / "roster.csv"))
    assert [(w.student, w.data) for w in found] == [
        ("501", b"karimrahim_501_9001_cuda_ms.py"), ("502", None), ("503", None), ("nobody_777", b"nobody_777_9002_cuda_ms.py"),
    ]  # fmt: skip
    assert [n.en for n in found[3].notes] == ["not on the roster."]
    opened = Class(tmp_path / "class", course, ["timing/cuda_ms"], tmp_path / "roster.csv")
    opened.close()
    assert [t.en for t in opened.said] == [
        "found: Canvas download: 2.", "roster: 3 students, 2 with nothing handed in.", "1 not on the roster: nobody_777.",
    ]  # fmt: skip
    assert opened.names["501"] == "Karim, Rahim"


def test_a_class_where_nobody_handed_in_has_a_row_for_everyone(tmp_path: Path, course: Course) -> None:
    (tmp_path / "class").mkdir()
    people(tmp_path, "id\n2\n1\n")
    found = list(works(tmp_path / "class", course, ["timing/cuda_ms"], tmp_path / "roster.csv"))
    assert [(w.student, w.data, w.trouble) for w in found] == [("1", None, None), ("2", None, None)]


CELL = st.sampled_from(["id", "name", "Student", "ID", "Email address", "রোল", "0042", "", '"', '""', "a,b", "\x00", "=1+1"]) | st.text(
    max_size=4
)
TABLE = st.lists(st.lists(CELL, max_size=4).map(",".join), max_size=5).map("\n".join)


@settings(deadline=None)
@given(
    st.binary(max_size=60)
    | st.builds(lambda head, body: (head + body).encode("utf-8", "surrogatepass"), st.just("id,name\n") | TABLE, TABLE)
)
def test_no_bytes_are_more_than_people_or_trouble(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "fuzz.csv"
    path.write_bytes(data)
    with suppress(Trouble):
        for person in read_roster(path):
            assert person.key
            assert place([entry(person.key)], [person]).entries
