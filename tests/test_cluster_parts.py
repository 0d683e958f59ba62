"""The parts of a cluster without Dask between them: what waits, who is lost, what a desk is."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import made
import made_quiz
import pytest
from fake import CHECKS, EXERCISES, check

from courselib.checks import CheckFile
from courselib.cluster import parcel
from courselib.cluster.desk import Batch, Desk, Gone, graded, opened
from courselib.cluster.driver import IN_HAND, Cluster
from courselib.cluster.posts import Post
from courselib.cluster.queue import AHEAD, Queue
from courselib.course import load_course
from courselib.grader import Bench, Work
from courselib.keep import keys
from courselib.record import Record
from courselib.trouble import Trouble

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="a class is graded on Linux")
GPU, CPU = EXERCISES
MACHINE = {"torch": "2", "python": "3", "system": "x", "device": "cpu", "isolation": "process"}


def works(count: int, *exercises: str) -> list[Work]:
    return [Work(f"s{n}", e, "x.py", b"x") for n in range(count) for e in exercises or EXERCISES]


# ---------------------------------------------------------------------------------------------------------------
# What waits


def test_each_kind_of_work_waits_for_its_own_kind_of_worker() -> None:
    queue = Queue(works(3), {GPU})
    assert [w.exercise for w in queue.take(2, False)] == [CPU] * 2
    assert [w.exercise for w in queue.take(9, True, False)] == [GPU] * 3
    assert [w.exercise for w in queue.take(9, True, False)] == [CPU]
    assert queue.take(9, True, False) == []


def test_where_no_worker_has_a_gpu_all_works_go_to_all() -> None:
    queue = Queue(works(2), {GPU})
    assert len(queue.take(1, False)) == 1  # and the one for a GPU was put aside
    assert {w.exercise for _ in range(3) for w in queue.take(1, True, False)} == {GPU, CPU}
    assert queue.take(1, True, False) == []


def test_a_class_is_never_read_far_ahead() -> None:
    read = []

    def class_() -> Iterator[Work]:
        for work in works(10 * AHEAD, GPU):
            read.append(work)
            yield work

    queue = Queue(class_(), {GPU})
    assert queue.take(5, False) == []
    assert len(read) == AHEAD
    assert len(queue.take(5, True, False)) == 5
    assert len(read) == AHEAD


def test_to_know_how_many_are_left_no_more_is_read_than_needed() -> None:
    read = iter(works(10 * AHEAD, CPU))
    queue = Queue(read, set())
    assert queue.ahead(4) == 4
    assert next(read).student == "s4"
    assert queue.ahead(10**9) == AHEAD
    assert Queue(works(3, CPU), set()).ahead(10) == 3


def test_batches_shrink_at_the_end_so_that_all_hands_end_at_once() -> None:
    found = FakeCluster({"one": False, "two": False})
    assert len(found.records(works(100, CPU))) == 100
    sizes = [len(sent) for _, _, sent in found.sent]
    last = sizes[sizes.index(max(sizes)) :]
    assert last == sorted(last, reverse=True)
    assert (sizes[0], max(sizes) > 4, sizes[-1]) == (1, True, 1)  # at first nobody knows how long a work takes


def test_a_work_that_came_back_goes_first_and_alone() -> None:
    queue = Queue(works(3, CPU), set())
    (first,) = queue.take(1, False)
    queue.put_back(first)
    assert queue.take(9, False) == [first]
    assert len(queue.take(9, False)) == 2


# ---------------------------------------------------------------------------------------------------------------
# Who is lost: the driver with a cluster that only pretends


class FakeFuture:
    def __init__(self, key: str, answer: Callable[[], list[Record]] | None) -> None:
        self.key, self.answer = key, answer

    def add_done_callback(self, put: Callable[[FakeFuture], None]) -> None:
        if self.answer:
            put(self)

    def result(self, timeout: float) -> list[Record]:
        assert self.answer
        return self.answer()


class FakeCluster:
    """Posts that come and go: each of `turns` is how the posts stand at one look; at a post called "dead" nothing ends."""

    def __init__(self, *turns: dict[str, bool]) -> None:
        self.turns, self.posts = list(turns), dict[str, Post]()
        self.sent: list[tuple[str, dict[str, int] | None, list[Work]]] = []
        self.number, self.cancelled, self.most = 0, 0, 0

    def look(self) -> list[Post]:
        there = self.turns.pop(0) if len(self.turns) > 1 else self.turns[0]
        gone = [self.posts.pop(a) for a in list(self.posts) if a not in there]
        for address, gpu in there.items():
            self.posts.setdefault(address, Post(address, 1, gpu, desk=None, about={"machine": MACHINE, "able": []}))  # type: ignore[arg-type]
        return gone

    def open(self) -> list[Post]:
        return list(self.posts.values())

    def key(self) -> str:
        self.number += 1
        return str(self.number)

    def forget(self, post: Post) -> None:
        self.posts.pop(post.address, None)

    def cancel(self, futures: list[FakeFuture], force: bool) -> None:
        self.cancelled += len(futures)

    def submit(
        self, function: object, desk: object, batch: Batch, *, key: str, workers: list[str], resources: Any, pure: bool
    ) -> FakeFuture:
        (address,) = workers
        self.sent.append((address, resources, batch.works))
        self.most = max(self.most, self.posts[address].in_hand + 1)
        answers = {"dead": None, "gone": _gone}
        return FakeFuture(key, answers.get(address.rstrip("123"), lambda: [_record(w) for w in batch.works]))

    def records(self, works: list[Work]) -> list[Record]:
        benches = {
            GPU: Bench(CheckFile(Path("x.py"), CHECKS), 10, ""),
            CPU: Bench(CheckFile(Path("x.py"), (check("one", 1),)), 10, ""),
        }
        return list(Cluster(self, self, benches).records(works))  # type: ignore[arg-type]


def _gone() -> list[Record]:
    raise Gone


def _record(work: Work) -> Record:
    return Record(
        student=work.student,
        exercise=work.exercise,
        status="graded",
        score=0,
        possible=1,
        deferred=0,
        checks=(),
        machine=MACHINE,  # type: ignore[arg-type]
        seconds=0.1,
    )


def named(records: list[Record]) -> list[tuple[str, str]]:
    return sorted(r.key for r in records)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("courselib.cluster.driver.LOOK", 0.01)


def test_a_lost_workers_works_are_done_again_once() -> None:
    cluster = FakeCluster({"dead": False}, {"dead": False}, {}, {"alive": False})
    found = cluster.records(works(4, CPU))
    assert named(found) == [(f"s{n}", CPU) for n in range(4)]
    assert {r.status for r in found} == {"graded"}
    assert cluster.cancelled == IN_HAND
    assert cluster.most == IN_HAND


def test_a_work_whose_worker_is_lost_twice_needs_a_person_and_the_others_do_not() -> None:
    cluster = FakeCluster({"dead1": False}, {"dead2": False}, {"alive": False})
    found = {r.student: r for r in cluster.records(works(5, CPU))}
    assert [found[f"s{n}"].status for n in range(5)] == ["fault"] * IN_HAND + ["graded"] * (5 - IN_HAND)
    assert found["s0"].message == "the cluster's worker was lost twice on this work"
    assert (found["s0"].possible, found["s0"].checks[0].outcome) == (1, "not_run")


def test_a_desk_that_is_gone_is_a_worker_lost() -> None:
    found = FakeCluster({"gone": False}, {"alive": False}).records(works(3, CPU))
    assert {r.status for r in found} == {"graded"}
    assert len(found) == 3


def test_works_for_a_gpu_go_to_workers_that_have_one_and_to_all_where_none_has() -> None:
    both = FakeCluster({"plain": False, "card": True})
    assert len(both.records(works(20))) == 40
    assert {a for a, _, sent in both.sent for w in sent if w.exercise == GPU} == {"card"}
    assert {str(need) for a, need, sent in both.sent if sent[0].exercise == GPU} == {"{'GPU': 1}"}
    assert {str(need) for a, need, sent in both.sent if sent[0].exercise == CPU} == {"None"}
    lost = FakeCluster({"plain": False, "dead": True}, {"plain": False})
    assert len(lost.records(works(20))) == 40


def test_what_a_run_takes_its_workers_for() -> None:
    cluster = FakeCluster({"a": False, "b": True})
    cluster.look()
    strong = MACHINE | {"isolation": "namespaces"}
    cluster.posts["a"].about = {"machine": strong, "able": [], "note": ("ক", "strong"), "slots": 1}
    cluster.posts["b"].about = {"machine": MACHINE, "able": ["cuda"], "note": ("খ", "weak"), "slots": 1}
    whole = Cluster(cluster, cluster, {})  # type: ignore[arg-type]
    assert (whole.settings.isolation, whole.settings.able) == ("process", frozenset({"cuda"}))
    assert str(whole.note) == "cluster: workers 2, slots 2; weak"


# ---------------------------------------------------------------------------------------------------------------
# What a desk is

KILLER = """

@check("greet", 1, bn="checker মরে", en="the checker dies")
def dies(greet):
    import os, signal

    if greet("you") == "die you":
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> parcel.Parcel:
    root = made.course(tmp_path_factory.mktemp("course"))
    made.write(root / "autograder" / "first" / "greeting.py", made.GREETING_CHECKS + KILLER)
    made.write(root / "course.yaml", made.MANIFEST + "quizzes: {counts: {graded: true}}\n")
    made.write(root / "quizzes" / "counts.yaml", made_quiz.text(*made_quiz.ALL))
    return parcel.packed(load_course(root), ["first/greeting", "quizzes/counts"], "auto") | {"language": "en"}  # type: ignore[return-value]


@pytest.fixture(scope="module")
def desk(packed: parcel.Parcel) -> Iterator[Desk]:
    with closing(opened(packed, 2)) as desk:
        yield desk


def greeting(word: str) -> Work:
    source = f"def greet(name):\n    return {word + ' '!r} + name\n"
    return Work(word, "first/greeting", "greeting.py", source.encode())


def test_a_checker_that_dies_at_a_desk_costs_one_record(desk: Desk) -> None:
    found = graded(desk, Batch([greeting("hello"), greeting("die"), greeting("hello"), greeting("bye"), greeting("hello")]))
    assert [(r.status, r.score) for r in found] == [("graded", 3), ("fault", 0), ("graded", 3), ("graded", 1), ("graded", 3)]
    assert found[1].message == "the checker died twice on this work"
    assert found[0].machine.isolation == desk.about["machine"]["isolation"]


def test_a_sheet_of_a_quiz_is_marked_at_a_desk(desk: Desk) -> None:
    sheet = b'{"quiz": "counts", "answers": {"async": "early"}}'
    (found,) = graded(desk, Batch([Work("s01", "quizzes/counts", "counts.json", sheet)]))
    assert (found.status, found.score, found.possible) == ("graded", 1, 7)


def test_of_a_desk_only_its_description_travels(desk: Desk) -> None:
    arrived = pickle.loads(pickle.dumps(desk))
    assert arrived == desk.about
    assert (arrived["slots"], arrived["able"]) == (2, [])
    with pytest.raises(Gone):
        graded(arrived, Batch([greeting("hello")]))


def test_nothing_of_the_course_lies_on_a_workers_disk(desk: Desk) -> None:
    open_files = [os.readlink(f) for f in Path(f"/proc/{desk.process.pid}/fd").iterdir()]
    assert not [f for f in open_files if "courselib-course-" in f]
    assert not list(Path("/tmp").glob("courselib-course-*/course.yaml"))


def test_a_desk_nobody_holds_ends_and_one_that_died_is_gone(packed: parcel.Parcel) -> None:
    mine = opened(packed, 1)
    process = mine.process
    del mine
    assert process.wait(20) == 0
    other = opened(packed, 1)
    other.process.kill()
    other.process.wait()
    with pytest.raises(Gone):
        graded(other, Batch([greeting("hello")]))
    other.close()


def test_desks_of_one_machine_do_not_share_a_core() -> None:
    take = (
        f"import sys; from courselib.cluster import cores; cores.NAME = 'test-{os.getpid()}-'; print(cores.own_cores(1)); sys.stdin.read()"
    )
    line, nothing = [sys.executable, "-c", take], subprocess.DEVNULL
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout
        held = first.stdout.readline()
        second = subprocess.run(line, stdin=nothing, stdout=subprocess.PIPE, text=True, check=True).stdout
        first.communicate("")
    cores = [f"[{core}]\n" for core in sorted(os.sched_getaffinity(0))]
    assert [held, second] == [*cores, "[]\n"][:2]
    assert subprocess.run(line, stdin=nothing, stdout=subprocess.PIPE, text=True, check=True).stdout == held


def test_other_software_is_refused_before_anything_is_started() -> None:
    parcel.compare(keys.versions())
    with pytest.raises(Trouble, match=r"its numpy is [\d.]+, the driver's is 1\.0; install the same on every machine\."):
        parcel.compare(keys.versions() | {"numpy": "1.0"})
    with pytest.raises(Trouble, match=r"its courselib is [0-9a-f]{8}, the driver's is \?;"):
        parcel.compare({n: v for n, v in keys.versions().items() if n != "courselib"})
