from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from courselib.checks import Missing, load_checks
from courselib.judge import Wrong
from courselib.oracles import memory
from courselib.proxy import StudentError, local

ROOT = Path(__file__).parents[1]
CHECKS = load_checks(ROOT / "autograder/memory/memory_arithmetic.py")
SPACE = next(iter(CHECKS.checks)).body.__globals__
PARAMETERS = 25_175_040
ACTIVATIONS = 256 * (1024 + 4 * 4096 + 1024)


def total(*args: Any) -> float:
    return sum(memory.training_memory(*args).values())


def test_the_mlp_of_the_lesson_has_its_parameters_and_megabytes() -> None:
    assert memory.parameter_count(memory.MLP) == PARAMETERS
    held = memory.training_memory(PARAMETERS, "AdamW", ACTIVATIONS)
    assert round(held["parameters"], 1) == 96.0
    assert held["activations"] == 18.0


@pytest.mark.parametrize(("optimizer", "megabytes"), [("SGD", 210.1), ("SGD+momentum", 306.1), ("AdamW", 402.1)])
def test_the_lesson_sums_by_hand(optimizer: str, megabytes: float) -> None:
    assert round(total(PARAMETERS, optimizer, ACTIVATIONS), 1) == megabytes


@pytest.mark.parametrize(("parameters", "unit", "expected"), [(50_000_000, 1, (762.9, 762.9, 95.4)), (10**9, 1024, (14.9, 14.9, 1.9))])
def test_the_lesson_compares_three_ways_to_hold_a_model(parameters: int, unit: int, expected: tuple[float, ...]) -> None:
    ways = (
        total(parameters, "AdamW"),
        total(parameters, "AdamW", 0, "bfloat16", True),
        memory.training_memory(parameters, "AdamW", 0, "bfloat16")["parameters"],
    )
    assert tuple(round(mb / unit, 1) for mb in ways) == expected


@pytest.mark.parametrize(("n", "milliseconds", "tflops"), [(4096, 12, 11.5), (4096, 17.571, 7.8)])
def test_the_lesson_speeds(n: int, milliseconds: float, tflops: float) -> None:
    assert round(memory.matmul_tflops(n, milliseconds), 1) == tflops


@pytest.mark.parametrize(("optimizer", "states"), [("SGD", 0), ("SGD+momentum", 1), ("AdamW", 2)])
@pytest.mark.parametrize(("dtype", "width"), [("float32", 4), ("float16", 2), ("bfloat16", 2)])
def test_bytes_per_parameter_are_whole_numbers(optimizer: str, states: int, dtype: str, width: int) -> None:
    each = memory.bytes_each(optimizer, dtype)
    assert each == dict(zip(memory.KINDS, (width, width, 4 * (width < 4), 4 * states, width), strict=True))


@pytest.mark.parametrize("sizes", [(3, 5), (8, 16, 8), (20, 1, 30, 7)])
def test_bytes_per_parameter_do_not_depend_on_the_model(sizes: tuple[int, ...]) -> None:
    held = memory.train(sizes, 3, "AdamW", "bfloat16", "cpu")
    count = memory.parameter_count(sizes)
    for kind, each in list(memory.bytes_each("AdamW", "bfloat16").items())[:-1]:
        assert sum(t.nbytes for t in getattr(held, kind)) == each * count


def test_the_oracle_leaves_the_random_state_alone() -> None:
    before = torch.random.get_rng_state()
    memory.train((4, 5, 6), 2, "AdamW", "float32", "cpu")
    assert torch.equal(torch.random.get_rng_state(), before)


def test_live_bytes_follow_allocation_and_release() -> None:
    with memory.LiveBytes() as used:
        kept = torch.zeros(1000)
        view = kept[10:]
        torch.zeros(5000)
        assert used.live == kept.nbytes
        del view, kept
        assert used.live == 0
    assert used.peak == 4 * (1000 + 5000)


@pytest.mark.parametrize("device", ["cpu", "meta"])
def test_meta_and_cpu_hold_the_same_bytes(device: str) -> None:
    with memory.LiveBytes() as used:
        held = memory.train((16, 32, 8), 4, "SGD+momentum", "float32", device)
        live = used.live
    assert live == 3 * 4 * memory.parameter_count((16, 32, 8))
    assert held.activations == 4 * (16 + 32 + 8 + 8)  # x, ReLU's output, out, y
    assert used.peak > live


@pytest.mark.parametrize(
    ("optimizer", "dtype", "bytes_each", "peak"),
    [
        ("SGD", "float32", 8, 198.1),
        ("SGD+momentum", "float32", 12, 290.1),
        ("AdamW", "float32", 16, 482.2),
        ("AdamW", "bfloat16", 16, 577.2),
    ],
)
def test_usage_of_a_step_of_the_lesson_mlp(optimizer: str, dtype: str, bytes_each: int, peak: float) -> None:
    used = memory.usage(optimizer, dtype, "meta")
    assert used.steady == pytest.approx(PARAMETERS * bytes_each / memory.MB, abs=0.01)
    assert used.peak == pytest.approx(peak, abs=2)


def student(**changes: float) -> Any:
    def training_memory(*args: Any, **kwargs: Any) -> dict[str, float]:
        held = memory.training_memory(*args, **kwargs)
        return {kind: round(mb * changes.get(kind, 1.0), 1) for kind, mb in held.items()}

    return local("training_memory", training_memory)


@pytest.mark.parametrize("judge", ["judge_peak", "judge_steady"])
def test_gpu_checks_take_the_right_sum(judge: str) -> None:
    SPACE[judge](student(), "meta")


@pytest.mark.parametrize(
    ("judge", "changes"),
    [
        ("judge_peak", {"optimizer": 0.5}),
        ("judge_peak", {"optimizer": 1.5}),
        ("judge_peak", {"gradients": 0.0}),
        ("judge_peak", {"activations": 256.0}),
        ("judge_steady", {"optimizer": 0.5}),
        ("judge_steady", {"master": 0.0}),
        ("judge_steady", {"gradients": 2.0}),
        ("judge_steady", {"parameters": 0.0}),
    ],
)
def test_gpu_checks_refuse_a_wrong_sum(judge: str, changes: dict[str, float]) -> None:
    with pytest.raises(Wrong):
        SPACE[judge](student(**changes), "meta")


@pytest.mark.cuda
def test_a_gpu_agrees_with_the_meta_count() -> None:
    for optimizer, dtype in (("SGD+momentum", "float32"), ("AdamW", "float32"), ("AdamW", "bfloat16")):
        gpu, meta = (memory.usage(optimizer, dtype, device) for device in ("cuda", "meta"))
        assert gpu.activations == meta.activations
        assert gpu.steady == pytest.approx(meta.steady, abs=SPACE["SLACK"])
        assert gpu.peak == pytest.approx(meta.peak, abs=SPACE["SLACK"])


def test_the_checks_are_worth_ten_points_of_which_two_need_a_gpu() -> None:
    assert CHECKS.possible == 10
    assert sum(c.points for c in CHECKS.checks if c.requires == "cuda") == 2
    assert any(c.hidden for c in CHECKS.checks)
    assert {c.part for c in CHECKS.checks} == {"parameters", "training", "numbers"}


ODD_NUMBERS = [
    math.nan, math.inf, -math.inf, True, False, 0, -1, 10**400, 1e308, -1e308, 1j, 2 + 0j, Fraction(1, 3), Fraction(10**400, 3),
    Decimal("nan"), Decimal("sNaN"), Decimal("inf"), Decimal("1e999999"), torch.zeros(()), torch.tensor(math.nan), np.zeros(()),
]  # fmt: skip
ODD = [
    *ODD_NUMBERS, *(dict.fromkeys(memory.KINDS, odd) for odd in ODD_NUMBERS), {kind: [] for kind in memory.KINDS},
    None, ..., "x", "", "96.0", b"1", [], {}, (), set(), [1.0], {"parameters": 1}, {1: 2, None: 3}, object(), type, int, torch.float16,
    np.float16, torch.zeros(3), torch.zeros(0), torch.zeros(2, dtype=torch.complex64), np.array("x"), np.zeros((2, 2)), np.array([None]),
]  # fmt: skip


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: f"{type(odd).__name__} {odd!r:.30}")
def test_odd_answers_fail_in_words(odd: object) -> None:
    for check in CHECKS.checks:
        if check.requires:
            continue
        for answer in (odd, lambda *a, **k: odd):
            with pytest.raises((Wrong, StudentError, Missing)) as caught:
                check.run({name: local(name, answer) for name in check.needs})
            assert str(caught.value)


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: f"{type(odd).__name__} {odd!r:.30}")
@pytest.mark.parametrize("judge", ["judge_peak", "judge_steady"])
def test_odd_answers_fail_the_gpu_checks_in_words(odd: object, judge: str) -> None:
    for answer in (odd, lambda *a, **k: odd, lambda *a, **k: dict.fromkeys(memory.KINDS, odd)):
        with pytest.raises((Wrong, StudentError)):
            SPACE[judge](local("training_memory", answer), "meta")
