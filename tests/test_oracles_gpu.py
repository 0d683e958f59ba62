from __future__ import annotations

import math
import random
import runpy
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from courselib.checks import Check, Missing, load_checks
from courselib.judge import Wrong
from courselib.oracles import gpu as oracle
from courselib.oracles.gpu import Script, SimulatedGpu, asleep_ms, time_on_simulated_gpu, wrong_statistics
from courselib.proxy import Local, StudentError, local
from courselib.worker.cuda import simulation
from courselib.worker.plain import Opaque

ROOT = Path(__file__).parents[1]
CHECKS = load_checks(ROOT / "autograder/timing/cuda_ms.py").checks
SPACE = runpy.run_path(str(ROOT / "autograder/timing/cuda_ms.py"))
SCRIPTS = [SPACE["RUN"], SPACE["EVEN"], SPACE["FOUND_BY_DEFAULT"], *SPACE["OTHERS"]]
reference = runpy.run_path(str(ROOT / "solutions/timing/cuda_ms.py"))["cuda_ms"]
WORK = Script((64.0,), (8.0, 2.0, 31.0))


def opened(script: Script = WORK) -> SimulatedGpu:
    gpu = SimulatedGpu(script)
    gpu([["open"], ["stream"], ["stream"], *[["event", True]] * 3, ["event", False]])
    return gpu


def test_a_launch_does_not_wait_and_synchronize_does() -> None:
    gpu = opened()
    before = gpu([["clock"]])
    assert gpu([["launch", 0], ["clock"]]) - before < 0.1
    assert gpu([["synchronize"], ["clock"]]) - before > 64


def test_events_measure_what_lies_between_them_on_their_stream() -> None:
    gpu = opened()
    gpu([["launch", 0], ["record", 0, 0], ["launch", 0], ["record", 1, 0], ["event_synchronize", 1]])
    assert gpu([["elapsed_time", 0, 1]]) == pytest.approx(8, abs=1e-6)
    assert gpu([["elapsed_time", 1, 0]]) == pytest.approx(-8, abs=1e-6)
    assert gpu.measured == [gpu.measured[0], -gpu.measured[0]]


def test_the_stamp_of_a_recorded_event_is_overwritten() -> None:
    gpu = opened()
    for _ in range(3):
        gpu([["record", 0, 0], ["launch", 0], ["record", 1, 0]])
    assert gpu([["synchronize"], ["elapsed_time", 0, 1]]) == pytest.approx(2, abs=0.02)


def test_streams_work_side_by_side_unless_one_waits() -> None:
    gpu = opened()
    assert gpu([["launch", 0], ["record", 0, 0], ["launch", 1], ["record", 1, 1], ["synchronize"], ["elapsed_time", 1, 0]]) > 50
    gpu([["launch", 0], ["wait_stream", 1, 0], ["record", 0, 0], ["launch", 1], ["record", 1, 1], ["synchronize"]])
    assert gpu([["elapsed_time", 0, 1]]) == pytest.approx(31, abs=0.02)
    gpu([["launch", 0], ["record", 0, 0], ["wait", 1, 0], ["record", 1, 1], ["stream_synchronize", 1]])
    assert gpu([["elapsed_time", 0, 1]]) == pytest.approx(0, abs=0.02)


@pytest.mark.parametrize("what", [["event_done", 0], ["stream_done", 0]])
def test_polling_ends(what: list[object]) -> None:
    gpu = opened()
    gpu([["launch", 0], ["record", 0, 0]])
    assert [gpu([what]) for _ in range(3)] == [False, True, True]


def test_an_event_never_recorded_is_done() -> None:
    assert opened()([["event_done", 0]]) is True
    opened()([["event_synchronize", 0], ["wait", 0, 0]])


@pytest.mark.parametrize(
    ("commands", "kind", "text"),
    [
        ([["record", 0, 0], ["record", 3, 0], ["synchronize"], ["elapsed_time", 0, 3]], ValueError, oracle.UNTIMED),
        ([["record", 0, 0], ["synchronize"], ["elapsed_time", 0, 1]], ValueError, oracle.UNRECORDED),
        ([["record", 0, 0], ["launch", 0], ["record", 1, 0], ["elapsed_time", 0, 1]], RuntimeError, oracle.INCOMPLETE),
        ([["record", 0, 0], ["launch", 0], ["synchronize"], ["record", 1, 0], ["elapsed_time", 0, 1]], RuntimeError, oracle.INCOMPLETE),
    ],
)
def test_what_cuda_refuses_is_refused_in_its_words(commands: list[Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as raised:
        opened()(commands)
    assert str(raised.value) == text


def test_the_script_raises_once_with_its_own_error() -> None:
    gpu = SimulatedGpu(Script((1.0,), (2.0,), 1, ZeroDivisionError("fn failed")))
    assert gpu([["open"]]) is True
    gpu([["stream"], ["launch", 0]])
    with pytest.raises(ZeroDivisionError, match=r"^fn failed$"):
        gpu([["launch", 0]])
    gpu([["launch", 0]])
    assert gpu.calls == 3


HOSTILE: list[object] = [
    None, 1, "launch", {}, (), ["launch"], [1], [None], [[]], [["launch"]], [["launch", 0, 0]], [["launch", "0"]], [["launch", True]],
    [["launch", None]], [["launch", -1]],
    [["launch", 2]], [["launch", 0.0]], [["_launch", 0]], [["__class__"]], [["script"]], [[["launch"], 0]],
    [[{}, 0]], [["record", 0]], [["record", 4, 0]], [["record", 0, [0]]], [["sleep", math.nan]], [["sleep", math.inf]], [["sleep", -1]],
    [["sleep", "1"]], [["sleep", True]], [["sleep", 10**400]], [["move", 0, None]], [["spin", 0, 1e300]], [["elapsed_time", 0, 99]],
    [("launch", 0)], [Opaque("x", "y")], [["launch", torch.zeros(1)]], [["launch", np.int64(0)]], [["wait", 0, "a"]],
]  # fmt: skip


@pytest.mark.parametrize("commands", HOSTILE, ids=lambda c: str(c)[:30])
def test_what_is_no_command_is_refused(commands: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        opened()(commands)


def test_there_is_an_end_to_what_a_worker_may_send() -> None:
    gpu = opened()
    with pytest.raises(RuntimeError, match="streams"):
        gpu([["stream"]] * oracle.MAX_STREAMS)
    with pytest.raises(RuntimeError, match="commands"):
        gpu([["event", True]] * oracle.MAX_COMMANDS)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda s: f"{len(s.warmup)}+{len(s.reps)}")
def test_no_other_statistic_of_a_script_passes_for_its_median(script: Script) -> None:
    known = wrong_statistics(script)
    if len(script.reps) % 2 == 0:
        known.pop("without_first")  # of an odd rest this is one of the two middles
    if not script.warmup:
        known.pop("with_warmup")
    near = [key for key, value in known.items() if SPACE["within"](value, *script.middle)]
    assert near == []
    assert set(SPACE["CAUSES"]) == set(wrong_statistics(script))


def test_the_middle_of_an_even_number_has_two_ends() -> None:
    assert Script((), (10.0, 1.0, 3.0, 2.0)).middle == (2.0, 3.0)
    assert Script((), (10.0, 1.0, 3.0)).middle == (3.0, 3.0)


def test_the_trace_tells_what_the_gpu_saw() -> None:
    trace = time_on_simulated_gpu(Local("cuda_ms", reference), WORK, warmup=1, reps=3)
    assert trace.value == pytest.approx(8, abs=0.02)
    assert (trace.calls, len(trace.measured), trace.clock_reads) == (4, 3, 0)


def check_named(name: str) -> Check:
    return next(c for c in CHECKS if c.id == name)


def on_simulated_hardware(check: str, function: Callable[..., object]) -> None:
    """Run a check meant for a real GPU with everything of `torch.cuda` simulated, `torch.cuda._sleep` too."""
    with simulation(SimulatedGpu(WORK), function):
        check_named(check).body(cuda_ms=Local("cuda_ms", function))


def test_the_gpu_checks_pass_the_reference_on_simulated_hardware() -> None:
    on_simulated_hardware("agrees_on_gpu", reference)
    on_simulated_hardware("grows_with_work", reference)


def mean(fn: Callable[[], object], warmup: int = 3, reps: int = 20) -> float:
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    for i in range(warmup + reps):
        if i == warmup:
            start.record()
        fn()
    end.record()
    end.synchronize()
    return float(start.elapsed_time(end)) / reps


def constant(fn: Callable[[], object], warmup: int = 3, reps: int = 20) -> float:
    for _ in range(warmup + reps):
        fn()
    return 8.0


def once(fn: Callable[[], object], warmup: int = 3, reps: int = 20) -> float:
    return reference(fn, 0, 1)  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("check", "function"),
    [
        ("agrees_on_gpu", mean), ("agrees_on_gpu", once), ("agrees_on_gpu", lambda *a, **k: None), ("grows_with_work", constant),
        ("grows_with_work", once), ("grows_with_work", lambda *a, **k: math.nan),
    ],
)  # fmt: skip
def test_the_gpu_checks_fail_wrong_ways_on_simulated_hardware(check: str, function: Callable[..., object]) -> None:
    with pytest.raises(Wrong):
        on_simulated_hardware(check, function)


def test_sleep_is_timed_by_events_and_without_the_warmup() -> None:
    with simulation(SimulatedGpu(WORK), None):
        assert asleep_ms([90_000_000, 5_000_000, 1_000_000, 30_000_000], warmup=1) == pytest.approx(5, abs=0.02)


STRANGE: list[object] = [
    None, "x", "", math.nan, math.inf, -math.inf, [], {}, (), [1.0], {"a": 1}, True, 10**400, -(10**400), 10**5000, 1j, b"1",
    Fraction(1, 3), Decimal("NaN"), Decimal("Infinity"), torch.float16, torch.zeros(0), torch.zeros(2, 2), torch.tensor(math.nan),
    torch.zeros(1, dtype=torch.complex64)[0], np.zeros(3), np.float16(2), np.array("x"), object(), NotImplemented,
    Opaque("a", "b"), 0, -1, 0.0, torch.tensor(True), [[None]], range(3), {1, 2},
]  # fmt: skip


@pytest.mark.parametrize("check", [c.id for c in CHECKS])
def test_no_strange_value_breaks_a_check(check: str) -> None:
    chance = random.Random(7)
    for value in [*STRANGE, *([chance.choice(STRANGE), chance.choice(STRANGE)] for _ in range(20))]:

        def calling(fn: Callable[[], object], warmup: int = 3, reps: int = 20, value: object = value) -> object:
            for _ in range(warmup + reps):
                fn()
            return value

        for answer in (value, lambda *a, value=value, **k: value, calling):
            try:
                with simulation(SimulatedGpu(WORK), answer):
                    check_named(check).run({"cuda_ms": local("cuda_ms", answer)})
            except (Wrong, Missing, StudentError):
                continue
            assert answer is calling  # some checks look only at the calls, and at whether a number came
            assert check in ("call_count", "exception_comes_through")


@pytest.mark.cuda
def test_the_reference_on_a_real_gpu() -> None:
    cycles = SPACE["CYCLES"]
    assert asleep_ms([2 * n for n in cycles], 3) / asleep_ms(cycles, 3) == pytest.approx(2, rel=0.15)
    for name in ("agrees_on_gpu", "grows_with_work"):
        check_named(name).run({"cuda_ms": Local("cuda_ms", reference)})
