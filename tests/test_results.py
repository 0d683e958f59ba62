from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from courselib.record import Machine, Record
from courselib.results import Results, read_results

ORDER = ["u/late", "a/first"]  # teaching order, not the alphabet's
MACHINE = Machine(torch="2", python="3", system="x", device="cpu", isolation="process")


def record(student: str, exercise: str, score: float = 1, message: str = "") -> Record:
    return Record(
        student=student,
        exercise=exercise,
        status="graded",
        score=score,
        possible=2,
        deferred=0,
        checks=(),
        message=message,
        machine=MACHINE,
    )


def written(folder: Path, *records: Record) -> bytes:
    results = Results(folder)
    for each in records:
        results.add(each)
    results.finish(ORDER)
    return (folder / "results.jsonl").read_bytes()


RECORDS = [record(s, e) for s in ("10", "9", "রহিম") for e in ORDER]


def test_records_come_out_by_student_and_in_teaching_order_whatever_order_they_came_in(tmp_path: Path) -> None:
    whole = written(tmp_path / "a", *RECORDS)
    for i, order in enumerate(itertools.islice(itertools.permutations(RECORDS), 0, 720, 97)):
        assert written(tmp_path / str(i), *order) == whole
    assert [(r["student"], r["exercise"]) for r in read_results(tmp_path / "a")] == [(s, e) for s in ("10", "9", "রহিম") for e in ORDER]


def test_what_is_read_back_is_what_was_recorded(tmp_path: Path) -> None:
    message = 'বাংলা, "quotes"\n\u2028 and a \\ line break'
    written(tmp_path, record("Doe, Jr.", "u/late", 0.333333, message))
    (row,) = read_results(tmp_path)
    assert (row["schema"], row["student"], row["score"], row["message"]) == (1, "Doe, Jr.", 0.333333, message)


def test_every_record_is_on_disk_before_the_next_one_is_graded(tmp_path: Path) -> None:
    results = Results(tmp_path)
    for n, each in enumerate(RECORDS, 1):
        results.add(each)
        assert (tmp_path / "results.partial.jsonl").read_bytes().count(b"\n") == n
    results.file.close()


def test_an_earlier_run_stays_whole_until_the_new_one_is_finished(tmp_path: Path) -> None:
    before = written(tmp_path, record("a", "u/late"))
    results = Results(tmp_path)
    results.add(record("b", "u/late"))
    assert (tmp_path / "results.jsonl").read_bytes() == before
    results.finish(ORDER)
    assert [r["student"] for r in read_results(tmp_path)] == ["b"]
    assert [p.name for p in tmp_path.iterdir()] == ["results.jsonl"]


def test_a_record_graded_again_takes_the_place_of_the_first(tmp_path: Path) -> None:
    written(tmp_path, record("a", "u/late", 1), record("a", "u/late", 2))
    assert [r["score"] for r in read_results(tmp_path)] == [2]


def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    assert written(tmp_path / "a" / "b") == b""


def test_an_unfinished_run_has_no_results(tmp_path: Path) -> None:
    Results(tmp_path).file.close()
    with pytest.raises(FileNotFoundError):
        next(read_results(tmp_path))


@pytest.mark.parametrize("name", ["Jos\udce9", "\ud800"])
def test_no_name_stops_a_run_from_being_written(tmp_path: Path, name: str) -> None:
    written(tmp_path, record(name, "u/late", message=name))
    (row,) = read_results(tmp_path)
    assert row["student"].startswith(name[:-1])
    assert row["score"] == 1
