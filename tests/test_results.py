from __future__ import annotations

import itertools
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import made
import pytest
from fake import EXERCISES, Run, benches, grades, lasting, python, rows, stored, works

from courselib import results
from courselib.grader import Work
from courselib.keep import keys
from courselib.keep.folder import FILE, Busy
from courselib.keep.store import Store
from courselib.record import Machine, Record
from courselib.results import Results, read_results
from courselib.text import Text, in_language
from courselib.trouble import Trouble

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
    with Results(folder) as results:
        for each in records:
            results.add(each)
        results.finish(EXERCISES)
    return (folder / "results.jsonl").read_bytes()


RECORDS = [record(s, e) for s in ("10", "9", "রহিম") for e in EXERCISES]


def test_records_come_out_by_student_and_in_teaching_order_whatever_order_they_came_in(tmp_path: Path) -> None:
    whole = written(tmp_path / "a", *RECORDS)
    for i, order in enumerate(itertools.islice(itertools.permutations(RECORDS), 0, 720, 97)):
        assert written(tmp_path / str(i), *order) == whole
    assert [(r["student"], r["exercise"]) for r in read_results(tmp_path / "a")] == [(s, e) for s in ("10", "9", "রহিম") for e in EXERCISES]


def test_what_is_read_back_is_what_was_recorded(tmp_path: Path) -> None:
    message = 'বাংলা, "quotes"\n\u2028 a \0 and a \\ line break'
    written(tmp_path, record("Doe, Jr.", "u/late", 0.333333, message))
    (row,) = read_results(tmp_path)
    assert (row["schema"], row["student"], row["score"], row["message"]) == (1, "Doe, Jr.", 0.333333, message)


def test_a_score_of_nothing_is_nothing(tmp_path: Path) -> None:
    written(tmp_path, record("a", "u/late", 0.0), record("b", "u/late", -0.0))
    assert [r["score"] for r in read_results(tmp_path)] == [0, 0]


@pytest.mark.parametrize("score", [float("nan"), float("inf")])
def test_a_score_that_is_no_number_never_reaches_the_store(tmp_path: Path, score: float) -> None:
    with Results(tmp_path) as results, pytest.raises(ValueError, match="JSON compliant"):
        results.add(record("a", "u/late", score))
    assert stored(tmp_path) == 0


def test_where_records_are_slow_each_is_in_the_store_before_the_next_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(step=2 * results.SECONDS)
    monkeypatch.setattr(results, "monotonic", lambda: next(clock))
    with closing(Results(tmp_path)) as kept:
        for n, each in enumerate(RECORDS, 1):
            kept.add(each)
            assert stored(tmp_path) == n


def test_where_they_are_quick_a_few_wait_and_none_is_left_when_the_run_breaks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "monotonic", lambda: 0.0)
    many = [record(str(n), "u/late") for n in range(results.EVERY + 7)]

    def broken() -> None:
        with Results(tmp_path) as kept:
            for n, each in enumerate(many, 1):
                kept.add(each)
                assert stored(tmp_path) == (results.EVERY if n >= results.EVERY else 0)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        broken()
    assert stored(tmp_path) == len(many)


def test_ctrl_c_in_the_middle_of_keeping_loses_none_of_what_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, stops = Store.keep, iter([KeyboardInterrupt])

    def interrupted(self: Store, records: Sequence[dict[str, object]]) -> None:
        for stop in stops:
            raise stop
        real(self, records)

    monkeypatch.setattr(Store, "keep", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Run()(tmp_path, works(3))
    assert stored(tmp_path) == 6


def test_an_earlier_run_stays_whole_until_the_new_one_is_finished(tmp_path: Path) -> None:
    before = written(tmp_path, record("a", "u/late"))
    with Results(tmp_path) as kept:
        kept.add(record("b", "u/late"))
        kept.keep()
        assert (tmp_path / "results.jsonl").read_bytes() == before
        kept.finish(EXERCISES)
    assert [r["student"] for r in read_results(tmp_path)] == ["b"]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["results.jsonl", "store.lock", FILE]


def test_a_record_graded_again_takes_the_place_of_the_first(tmp_path: Path) -> None:
    written(tmp_path, record("a", "u/late", 1), record("a", "u/late", 2))
    assert [r["score"] for r in read_results(tmp_path)] == [2]


def test_a_folder_that_is_not_there_is_made(tmp_path: Path) -> None:
    assert written(tmp_path / "a" / "b") == b""


def test_an_unfinished_run_has_no_results(tmp_path: Path) -> None:
    Results(tmp_path).close()
    with pytest.raises(FileNotFoundError):
        next(read_results(tmp_path))


@pytest.mark.parametrize("name", ["Jos\udce9", "\ud800"])
def test_no_name_stops_a_run_from_being_written(tmp_path: Path, name: str) -> None:
    written(tmp_path, record(name, "u/late", message=name))
    (row,) = read_results(tmp_path)
    assert row["student"].startswith(name[:-1])
    assert row["score"] == 1


def test_a_second_run_grades_nothing_and_writes_the_same(tmp_path: Path) -> None:
    first = Run()(tmp_path, works(5))
    before = (tmp_path / "results.jsonl").read_bytes()
    again = Run()(tmp_path, works(5))
    assert (len(first.graded), first.skipped, again.graded, again.skipped) == (10, 0, [], 10)
    assert (tmp_path / "results.jsonl").read_bytes() == before  # the seconds too are those of the first time


OF_TWO = [("s00", e) for e in EXERCISES], [(s, e) for s in ("s00", "s01") for e in EXERCISES]


def test_one_students_other_bytes_are_graded_again_and_nobody_elses(tmp_path: Path) -> None:
    Run()(tmp_path, works(2))
    assert Run()(tmp_path, works(2, s00=b"new")).graded == OF_TWO[0]
    assert rows(tmp_path)["s00", "u/late"]["submission_sha256"] == b"new".hex()
    assert Run()(tmp_path, works(2, s00=None)).graded == OF_TWO[0]
    assert grades(tmp_path)["s00"]["status"] == "not_submitted"


@pytest.mark.parametrize(
    "other", [{"file": "y.py"}, {"trouble": ("refused", Text("ক", "a"))}, {"data": None}, {"data": b""}], ids=lambda o: next(iter(o))
)
def test_all_that_is_told_of_a_work_counts(tmp_path: Path, other: dict[str, object]) -> None:
    (one, two) = works(1)
    Run()(tmp_path, [one, two])
    assert Run()(tmp_path, [one, replace(two, **other)]).graded == [(two.student, two.exercise)]  # type: ignore[arg-type]


def test_the_checks_of_one_exercise_are_put_again_and_no_others(tmp_path: Path) -> None:
    Run()(tmp_path, works(2))
    changed = benches() | {"a/first": benches("c2")["a/first"]}
    assert Run(bench=changed)(tmp_path, works(2)).graded == [("s00", "a/first"), ("s01", "a/first")]
    assert {r["checks_sha256"] for (_, e), r in rows(tmp_path).items() if e == "a/first"} == {"c2"}


def test_another_time_limit_is_a_reason(tmp_path: Path) -> None:
    Run()(tmp_path, works(2))
    assert Run(bench=benches(seconds=11))(tmp_path, works(2)).graded == OF_TWO[1]


def test_another_language_is_a_reason_and_coming_back_costs_nothing(tmp_path: Path) -> None:
    Run()(tmp_path, works(2))
    english = lasting(tmp_path)
    with in_language("bn"):
        assert Run()(tmp_path, works(2)).graded == OF_TWO[1]
    assert "s00-এর কাজ" in (tmp_path / "checks.csv").read_text(encoding="utf-8")
    assert Run()(tmp_path, works(2)).graded == []
    assert lasting(tmp_path) == english


@pytest.mark.parametrize(
    ("package", "found", "again"), [("torch", "9.0.0", 4), ("courselib", "9.0", 4), ("numpy", "9.0", 4), ("rich", "9", 0)]
)
def test_another_version_of_what_decides_is_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, found: str, again: int
) -> None:
    Run()(tmp_path, works(2))
    real = keys.version
    monkeypatch.setattr(keys, "version", lambda name: found if name == package else real(name))
    keys._engine.cache_clear()
    try:
        assert len(Run()(tmp_path, works(2)).graded) == again
    finally:
        keys._engine.cache_clear()


def test_the_build_of_torch_is_no_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = keys.version
    for build, again in (("2.13.0+cpu", 4), ("2.13.0+cu130", 0), ("2.14.0+cpu", 4)):
        monkeypatch.setattr(keys, "version", lambda name, build=build: build if name == "torch" else real(name))
        assert len(Run()(tmp_path, works(2)).graded) == again


def test_one_letter_of_the_packages_code_is_a_reason(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    package = tmp_path / "package"
    made.write(package / "keep" / "keys.py", "a = 1\n")
    monkeypatch.setattr(keys, "__file__", str(package / "keep" / "keys.py"))
    before = keys._engine.__wrapped__()
    made.write(package / "worker" / "x.py", "")
    between = keys._engine.__wrapped__()
    made.write(package / "worker" / "x.py", "#")
    assert len({before, between, keys._engine.__wrapped__()}) == 3


def test_what_failed_through_a_fault_of_ours_is_done_again_until_it_is_not(tmp_path: Path) -> None:
    Run(faulty="s01")(tmp_path, works(2))
    assert Run(faulty="s01")(tmp_path, works(2)).graded == [("s01", e) for e in EXERCISES]
    assert grades(tmp_path)["s01"]["status"] == "fault"
    assert Run()(tmp_path, works(2)).graded == [("s01", e) for e in EXERCISES]
    assert Run()(tmp_path, works(2)).graded == []
    assert grades(tmp_path)["s01"]["status"] == "graded"


def test_what_waits_for_a_gpu_runs_where_there_is_one_and_a_laptop_does_not_undo_it(tmp_path: Path) -> None:
    Run()(tmp_path, works(2))
    assert grades(tmp_path)["s00"]["deferred"] == "2"
    assert Run(able=("cuda",))(tmp_path, works(2)).graded == OF_TWO[1]
    assert Run(able=("cuda",))(tmp_path, works(2)).graded == []
    assert Run()(tmp_path, works(2, s01=b"new")).graded == [("s01", e) for e in EXERCISES]
    assert [grades(tmp_path)[s]["deferred"] for s in ("s00", "s01")] == ["0", "2"]


def test_a_stronger_wall_is_a_reason_and_a_weaker_one_is_none(tmp_path: Path) -> None:
    walls = [("process", 4), ("process", 0), ("namespaces", 4), ("process", 0), ("namespaces", 0)]
    for wall, again in walls:
        assert len(Run(isolation=wall)(tmp_path, works(2)).graded) == again


def test_fresh_grades_everything_again(tmp_path: Path) -> None:
    Run()(tmp_path, works(2))
    before = rows(tmp_path)["s00", "u/late"]["seconds"]
    assert Run(fresh=True)(tmp_path, works(2)).graded == OF_TWO[1]
    assert rows(tmp_path)["s00", "u/late"]["seconds"] != before
    assert stored(tmp_path) == 4


def test_a_student_who_is_gone_leaves_the_results_and_comes_back_as_before(tmp_path: Path) -> None:
    Run()(tmp_path, works(3))
    whole = lasting(tmp_path)
    Run()(tmp_path, works(["s00", "s02"]))
    assert list(grades(tmp_path)) == ["s00", "s02"]
    assert Run()(tmp_path, works(3)).graded == []
    assert lasting(tmp_path) == whole


def test_checks_that_go_wrong_and_are_put_back_cost_no_good_result(tmp_path: Path) -> None:
    Run()(tmp_path, works(2))
    good = lasting(tmp_path)
    Run(bench=benches("broken"), faulty="s00")(tmp_path, works(2))
    assert lasting(tmp_path) != good
    assert Run()(tmp_path, works(2)).graded == []
    assert lasting(tmp_path) == good


def test_a_class_of_nobody_or_of_no_points_divides_nothing(tmp_path: Path) -> None:
    Run()(tmp_path, [])
    assert grades(tmp_path) == {}
    Run()(tmp_path, works(1, s00=None))
    assert grades(tmp_path)["s00"]["percent"] == "0"


def test_a_work_that_comes_to_no_record_is_never_left_out_in_silence(tmp_path: Path) -> None:
    Run()(tmp_path, works(1))
    before = lasting(tmp_path)
    with Results(tmp_path) as kept:
        for work in kept.unfinished(works(2), benches(), keys.settings("namespaces", ())):
            if work.exercise == "u/late":
                kept.add(Run().record(work))
        with pytest.raises(Trouble, match=r"1 works came to no record \(the first is s01 · a/first\)"):
            kept.finish(EXERCISES)
    assert lasting(tmp_path) == before
    assert Run()(tmp_path, works(2)).graded == [("s01", "a/first")]


def test_two_runs_in_one_folder_do_not_mix(tmp_path: Path) -> None:
    script = "import sys, time; from pathlib import Path; from courselib.keep.folder import claim\n"
    script += "file = claim(Path(sys.argv[1])); print('taken', flush=True); time.sleep(60)"
    with python(script, tmp_path) as other:
        assert other.stdout
        assert other.stdout.readline() == b"taken\n"
        with pytest.raises(Busy, match="another courselib grade is at work"):
            Run()(tmp_path, works(1))
        other.kill()
        other.wait()
        assert len(Run()(tmp_path, works(1)).graded) == 2


def test_how_far_a_run_is_counts_what_was_done_before(tmp_path: Path) -> None:
    Run()(tmp_path, works(2))
    with Results(tmp_path) as kept:
        seen = []
        for work in kept.unfinished(works(3), benches(), keys.settings("namespaces", ())):
            before = kept.settled
            kept.add(Run().record(work))
            seen.append((before, kept.settled))
        assert seen == [(4, 5), (5, 6)]
        assert isinstance(work, Work)


def told(run: Run, *counts: int) -> bool:
    return [int(str(s).split()[0]) for s in run.told] == list(counts)


def test_only_what_waits_for_this_machine_is_graded_and_the_rest_is_told(tmp_path: Path) -> None:
    Run()(tmp_path, works(3, s02=None))
    before = rows(tmp_path)
    laptop = Run(waiting=True)(tmp_path, works(3, s02=None))
    assert (laptop.graded, told(laptop, 2, 4)) == ([], True)
    assert rows(tmp_path) == before
    gpu = Run(waiting=True, able=("cuda",))(tmp_path, works(4, s02=b"new"))
    assert gpu.graded == [(s, e) for s in ("s00", "s01") for e in EXERCISES]
    assert told(gpu, 2, 2)
    assert [str(s) for s in gpu.told] == [
        "2 wait for nothing and are as they were (--only deferred).",
        "2 were never graded and are not in the results; run without --only deferred.",
    ]
    after = rows(tmp_path)
    assert after.keys() == before.keys()
    assert {name: r for name, r in after.items() if name[0] == "s02"} == {name: r for name, r in before.items() if name[0] == "s02"}
    assert all(r["deferred"] == 0 for (s, _), r in after.items() if s != "s02")
    again = Run(waiting=True, able=("cuda",))(tmp_path, works(3))
    assert (again.graded, told(again, 6)) == ([], True)


def test_where_nothing_was_graded_there_is_nothing_to_wait(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match=r"no earlier results in .*; run without --only deferred"):
        Run(waiting=True)(tmp_path, works(1))
