"""What a submission may try against the grader, and what must come of it (design.md, the wall).

Two classes, one behind each kind of wall, hold every attack twice among honest neighbours.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Grade
from made_hostile import ATTACKS, CHECKS, EXERCISE, HIDDEN, HONEST, SECONDS, UNTOLD, Graded, graded

from courselib import sandbox
from courselib.checks import load_checks
from courselib.session import TOGETHER

WALLS: list[tuple[Any, int]] = [("namespaces", 2), ("process", 1)]


def hostile() -> dict[str, str]:
    """Every attack, by a student named after it; two hand in each that leaves something for the next."""
    works = {f"x_{path.stem}": path.read_text(encoding="utf-8") for path in ATTACKS}
    return works | {f"y{name[1:]}": source for name, source in works.items() if name.startswith("x_leaves")}


@pytest.fixture(scope="module", params=WALLS, ids=lambda wall: wall[0])
def wall(request: pytest.FixtureRequest) -> tuple[Any, int]:
    if request.param[0] == "namespaces" and sandbox.choose("auto")[0] != "namespaces":
        pytest.skip(f"no namespaces on this machine: {sandbox.choose('auto')[1]}")
    return request.param  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def attacked(wall: tuple[Any, int], tmp_path_factory: pytest.TempPathFactory) -> Graded:
    return graded(tmp_path_factory.mktemp("attacked"), HONEST | hostile(), *wall)


@pytest.fixture(scope="module")
def peaceful(wall: tuple[Any, int], tmp_path_factory: pytest.TempPathFactory) -> Graded:
    return graded(tmp_path_factory.mktemp("peaceful"), HONEST, wall[0], 1)


@pytest.mark.parametrize("path", ATTACKS, ids=lambda p: p.stem)
def test_no_attack_gains_a_point(attacked: Graded, path: Path) -> None:
    record = attacked.records[f"x_{path.stem}"]
    assert record["score"] == 0, record["checks"]
    assert record["status"] == "graded", record
    assert all(c["outcome"] in ("failed", "error", "timed_out", "out_of_memory", "not_run") for c in record["checks"])


def test_what_one_attacker_left_another_does_not_find(attacked: Graded) -> None:
    again = [r for student, r in attacked.records.items() if student.startswith("y_")]
    assert len(again) >= 2
    assert all(r["score"] == 0 for r in again), again


def test_neighbours_records_are_what_they_are_without_attackers(attacked: Graded, peaceful: Graded) -> None:
    with_them, without = ([_lasting(g.records[student]) for student in HONEST] for g in (attacked, peaceful))
    assert with_them == without
    assert [json.loads(line)["score"] for line in without] == [4, 2, 0, 4]


def _lasting(record: dict[str, Any]) -> str:
    """Return a record without the time it took."""
    return json.dumps({k: v for k, v in record.items() if k != "seconds"}, ensure_ascii=False)


def test_nothing_is_left_on_the_machine(attacked: Graded) -> None:
    assert attacked.left_over == []
    reports = {"results.jsonl", "grades.csv", "checks.csv", "report.html", "students"}
    assert {p.name for p in attacked.out.iterdir() if not p.name.startswith("store.")} == reports


def test_no_report_holds_a_secret(attacked: Graded) -> None:
    reports = [p for p in attacked.out.rglob("*") if p.is_file() and p.suffix in (".jsonl", ".csv", ".html")]
    assert len(reports) > len(ATTACKS)
    for path in reports:
        text = path.read_text(encoding="utf-8")
        kept = (*UNTOLD, *HIDDEN) if path.parent.name == "students" else UNTOLD
        told = [secret for secret in (*kept, str(attacked.course)) if secret in text]
        assert told == [], path


def test_the_class_ends_within_its_limits(attacked: Graded, wall: tuple[Any, int]) -> None:
    each = SECONDS + TOGETHER * SECONDS * CHECKS + 2  # to load once, for every check, and for all that is ours
    assert max(r["seconds"] for r in attacked.records.values()) < each
    assert attacked.seconds < 15 + 2 * len(attacked.records) * SECONDS


def test_signs_are_the_instructors_alone(attacked: Graded) -> None:
    seen = {student for student, record in attacked.records.items() if record["tamper"]}
    assert {"x_forges_replies", "x_answers_twice", "x_answers_what_was_not_asked", "x_walks_the_frames", "x_segfault"} <= seen
    assert not seen & set(HONEST)
    report = (attacked.out / "report.html").read_text(encoding="utf-8")
    assert "forges_replies" in report
    assert "Look at these" in report
    for page in _pages(attacked):
        assert "looks into the frames" not in page
        assert "grader's channel" not in page


def _pages(of: Graded) -> Iterator[str]:
    for path in [*(of.out / "students").iterdir(), of.out / "grades.csv", of.out / "checks.csv"]:
        yield path.read_text(encoding="utf-8")


def test_there_are_attacks() -> None:
    assert len(ATTACKS) >= 45
    assert EXERCISE


TAMPERING = """
import gc, sys, time, torch
from courselib.worker import cuda

def tampered(self, *args, **kwargs):
    return 1.0

cuda.Event.elapsed_time = torch.cuda.Event.elapsed_time = tampered
cuda.Event.synchronize = cuda.Event.record = lambda *a, **k: None
cuda.Device.launch = lambda self: [self.tell("launch", 0) for _ in range(3)]
cuda._clock = lambda real, nanoseconds: lambda: 1.0
cuda.Switches.reachable_from = lambda self, root: None
torch.autocast = torch.amp.GradScaler = torch.cuda.synchronize = lambda *a, **k: None
time.perf_counter = lambda: 0.0

def cuda_ms(fn, *args, **kwargs):
    device = cuda._devices[-1]
    for command in (["event", True], ["launch", 0], ["open"], ["elapsed_time", 0, 0], ["sleep", float("nan")], ["move", 0, -1]):
        try:
            device.ask(*command)
            device.gpu([["launch", 0]] * 100)
        except Exception:
            pass
    found = [o for o in gc.get_objects() if isinstance(o, float)]
    return found[0] if found else 1.0
"""


def test_tampering_with_a_probe_while_it_runs_gains_nothing(put: Grade) -> None:
    checks = load_checks(ROOT / "autograder" / "timing" / "cuda_ms.py").checks
    record = put(TAMPERING, *checks)
    assert record.status == "graded", record.checks
    assert record.score == 0, [(v.id, v.outcome) for v in record.checks]
