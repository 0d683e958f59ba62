from __future__ import annotations

import unicodedata
from pathlib import Path

import made
import pytest

from courselib.classroom import Class
from courselib.course import Course, load_course
from courselib.intake.extensions import Extensions
from courselib.lateness import Deadlines
from courselib.moments import written
from courselib.trouble import Trouble

POWERS, GREETING = "first/powers", "first/greeting"
CLASS = ["karimrahim_501_9001_powers.py", "sultanasalma_502_9002_powers.py", "rahmananika_503_9003_powers.py"]
ROSTER = """Student,ID,SIS User ID,SIS Login ID,Section
"Karim, Rahim",501,0042,rahim,A
"Sultana, Salma",502,42,Salma@Example.org,A
"রহমান, আনিকা",503,1e5,anika,A
"Jui, Nothing",504,77,jui,A
"""
LATER = "2026-12-03 23:59 Asia/Dhaka"


def course(root: Path, powers: str = "due: 2026-12-01 23:59 Asia/Dhaka", greeting: str = "due: 2026-12-09 23:59 Asia/Dhaka") -> Course:
    made.course(root)
    text = made.MANIFEST.replace("      powers:\n", f"      powers:\n        {powers}\n", 1)
    made.write(root / "course.yaml", text.replace("      greeting:\n", f"      greeting:\n        {greeting}\n", 1))
    return load_course(root)


def told(root: Path, text: str | bytes, *, roster: bool = True, **due: str) -> Extensions:
    """Read extensions for a Canvas download of three, a fourth is only on the roster."""
    small = course(root, **due)
    for name in CLASS:
        made.write(root / "class" / name, "x = 1\n")
    (root / "more.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
    opened = Class(root / "class", small, [POWERS, GREETING], made.write(root / "roster.csv", ROSTER) if roster else None)
    try:
        return opened.extensions(root / "more.csv")
    finally:
        opened.close()


def due(found: Extensions) -> dict[tuple[str, str], str]:
    return {key: written(moment) for key, moment in found.due.items()}


@pytest.mark.parametrize("who", ["0042", "501", "rahim", '"Karim, Rahim"', "Rahim Karim", "karimrahim"])
def test_a_student_is_known_by_any_id_or_by_name(tmp_path: Path, who: str) -> None:
    assert due(told(tmp_path, f"student,exercise,due\n{who},powers,{LATER}\n")) == {("501", POWERS): LATER}


def test_ids_are_text_and_names_are_the_same_in_any_spelling_of_unicode(tmp_path: Path) -> None:
    text = f"student,exercise,due\n42,powers,{LATER}\n1e5,greeting,2026-12-12 10:00Z\n"
    assert due(told(tmp_path, text)) == {("502", POWERS): LATER, ("503", GREETING): "2026-12-12 10:00+00:00"}
    name = unicodedata.normalize("NFD", "রহমান, আনিকা")
    assert due(told(tmp_path, f'name,exercise,due\n"{name}",powers,{LATER}\n')) == {("503", POWERS): LATER}


def test_who_has_handed_nothing_in_is_known_from_the_roster_and_a_class_without_one_by_its_own_names(tmp_path: Path) -> None:
    assert due(told(tmp_path, f"ID,Exercise,Due\n77,first/powers,{LATER}\n")) == {("504", POWERS): LATER}
    found = told(tmp_path, f"id,exercise,due\n501,powers,{LATER}\nsultanasalma_502,powers,{LATER}\n", roster=False)
    assert due(found) == {("karimrahim_501", POWERS): LATER, ("sultanasalma_502", POWERS): LATER}


@pytest.mark.parametrize("text", [f"0042,*,{LATER}\n0042,powers,2026-12-02 10:00Z\n", f"0042,powers,2026-12-02 10:00Z\n0042,*,{LATER}\n"])
def test_a_star_is_every_exercise_and_a_row_for_one_goes_before_it(tmp_path: Path, text: str) -> None:
    found = told(tmp_path, "student,exercise,due\n" + text)
    assert due(found) == {("501", POWERS): "2026-12-02 10:00+00:00", ("501", GREETING): LATER}
    small = load_course(tmp_path)
    assert '"extended":false' in Deadlines(small.due, found.due).terms("501", GREETING)  # which is due later anyway
    assert '"extended":true' in Deadlines(small.due, found.due).terms("501", POWERS)
    assert found.said == []


def test_a_star_leaves_exercises_that_are_never_due(tmp_path: Path) -> None:
    assert due(told(tmp_path, f"student,exercise,due\n42,*,{LATER}\n", greeting="due: null")) == {("502", POWERS): LATER}


def test_a_time_that_gives_nobody_more_is_told_and_takes_nothing_away(tmp_path: Path) -> None:
    found = told(tmp_path, f"student,exercise,due\n42,powers,2025-12-03 23:59 Asia/Dhaka\n0042,greeting,{LATER}\n")
    assert [line.en for line in found.said] == [
        "more.csv:2: this is no later than course.yaml's due, which stands.",
        "more.csv:3: this is no later than course.yaml's due, which stands.",
    ]
    terms = Deadlines(load_course(tmp_path).due, found.due).terms("502", POWERS)
    assert '"due":"2026-12-01 23:59 Asia/Dhaka","extended":false' in terms


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"student,exercise,due\n99,powers,{LATER}\n", "more.csv:2: there is no “99” in this class; mend the name or id"),
        (f"student,exercise,due\n042,powers,{LATER}\n", "more.csv:2: there is no “042” in this class"),
        (f"student,exercise,due\n,powers,{LATER}\n", "more.csv:2: there is no “” in this class"),
        (f"student,exercise,due\n\n42,power,{LATER}\n", "more.csv:3: There is no exercise called power. Did you mean powers?"),
        (f"student,exercise,due\n42,,{LATER}\n", "more.csv:2: There is no exercise called ."),
        ("student,exercise,due\n42,powers,2026-12-03 23:59\n", "more.csv:2: 2026-12-03 23:59: the zone is missing; write"),
        ("student,exercise,due\n42,powers,\n", "more.csv:2: : write the time like"),
        ("student,exercise,due\n42,powers\n", "more.csv:2: 2 cells instead of 3."),
        (
            f"student,exercise,due\n42,powers,{LATER}\n502,first/powers,{LATER}\n",
            "more.csv:3: 502 · first/powers is on line 2 too; keep one.",
        ),
        (f"student,exercise,due\n42,*,{LATER}\n42,*,{LATER}\n", "more.csv:3: 502 · * is on line 2 too; keep one."),
        (f"42,powers,{LATER}\n", "more.csv:1: the first line must be: student,exercise,due"),
        ("student,exercise\n42,powers\n", "more.csv:1: the first line must be: student,exercise,due"),
        ("", "more.csv:1: the first line must be: student,exercise,due"),
        (b"student,exercise,due\n\xff,powers,x\n", "more.csv:2: not UTF-8; save it as CSV UTF-8."),
        ('student,exercise,due\n"42,powers,x\n', "more.csv:2: not a CSV"),
    ],
)
def test_every_fault_is_one_sentence_with_file_and_line(tmp_path: Path, text: str | bytes, why: str) -> None:
    with pytest.raises(Trouble) as caught:
        told(tmp_path, text)
    assert str(caught.value).startswith(why)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("exercise", "named"), [("greeting", "greeting"), ("*", "*")])
def test_more_time_for_what_is_never_due_is_refused(tmp_path: Path, exercise: str, named: str) -> None:
    never = {"greeting": "due: null"} | ({"powers": "due: null"} if exercise == "*" else {})
    with pytest.raises(Trouble, match=rf"more.csv:2: course.yaml has no due for {'[*]' if named == '*' else named}\."):
        told(tmp_path, f"student,exercise,due\n42,{exercise},{LATER}\n", **never)


def test_a_name_that_two_students_have_is_not_guessed(tmp_path: Path) -> None:
    for name in ("karimrahim_501_9001_powers.py", "karimrahim_777_9009_powers.py"):
        made.write(tmp_path / "class" / name, "x = 1\n")
    made.write(tmp_path / "more.csv", f"name,exercise,due\nkarimrahim,powers,{LATER}\n")
    opened = Class(tmp_path / "class", course(tmp_path), [POWERS])
    with pytest.raises(Trouble, match=r"more.csv:2: karimrahim fits several students: karimrahim_501, karimrahim_777; give an id\."):
        opened.extensions(tmp_path / "more.csv")
    opened.close()


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    made.write(tmp_path / "class" / CLASS[0], "x = 1\n")
    opened = Class(tmp_path / "class", course(tmp_path), [POWERS])
    with pytest.raises(Trouble, match=r"none.csv does not exist"):
        opened.extensions(tmp_path / "none.csv")
    assert opened.extensions(None) == Extensions()
    opened.close()
