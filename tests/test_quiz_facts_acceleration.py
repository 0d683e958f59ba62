"""What quizzes/acceleration.yaml says, worked out another way: by the clock, by running, by counting bytes."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import facts
import pytest
import torch
from facts import MB
from torch.utils.data import DataLoader, DistributedSampler

NAME = "acceleration"
BATCHES = 4_000


def pipeline_ms(load: float, step: float, workers: int) -> float:
    """Run workers and a GPU by the clock; batch k is made by worker k mod workers. Half the time passes before it counts."""
    made, gpu, half = [0.0] * workers, 0.0, 0.0
    for k in range(BATCHES):
        made[k % workers] += load
        gpu = max(gpu, made[k % workers]) + step
        half = gpu if k + 1 == BATCHES // 2 else half
    return (gpu - half) / (BATCHES // 2)


def fewest_workers(load: float, step: float) -> int:
    return next(w for w in range(1, 100) if pipeline_ms(load, step, w) < step + 0.01)


def speedup(k: int, launch: float, run: float) -> float:
    """Launch kernel after kernel from the host, against one graph that holds them all."""
    host = gpu = 0.0
    for _ in range(k):
        host += launch
        gpu = max(gpu, host) + run
    return gpu / (launch + sum(run for _ in range(k)))


def steps(n: int, gpus: int, batch: int) -> int:
    data: Any = range(n)
    return len(DataLoader(data, batch_size=batch, sampler=DistributedSampler(data, num_replicas=gpus, rank=0)))


def ring_mb(p: float, gpus: int) -> float:
    """Pass pieces round a ring until every GPU has every sum; count what the first one sends."""
    piece, sent = Fraction(int(p * 1_000_000) * 4, gpus), Fraction(0)
    parts = [[{gpu} for _ in range(gpus)] for gpu in range(gpus)]  # parts[gpu][piece]: whose gradients are in it
    for turn in range(2 * (gpus - 1)):
        moved = [((gpu - turn) % gpus, set(parts[gpu][(gpu - turn) % gpus])) for gpu in range(gpus)]
        for gpu, (which, whose) in enumerate(moved):
            parts[(gpu + 1) % gpus][which] |= whose
        sent += piece
    assert all(len(whose) == gpus for mine in parts for whose in mine)
    return float(sent / MB)


ANOTHER_WAY: dict[str, facts.Way] = {
    "enough_workers": lambda load, step: fewest_workers(load, step),
    "iteration_ms": lambda load, step, w: pipeline_ms(load, step, w),
    "prefetched_mb": lambda w, f, mb: sum(mb for _ in range(w) for _ in range(f)),
    "small_copy_ms": lambda b, bw: torch.empty(b, 16, device="meta").nbytes / (bw * 1e6),
    "graph_speedup": speedup,
    "ddp_steps": lambda n, g, b: steps(n, g, b),
    "allreduce_mb": lambda p, n: ring_mb(p, n),
}


@pytest.mark.parametrize("question", sorted(facts.numbers(NAME) | set(ANOTHER_WAY)))
def test_a_number_is_what_another_way_gives(question: str) -> None:
    assert [*facts.disagreements(NAME, question, ANOTHER_WAY[question])] == []


def test_prefetching_keeps_as_many_batches_ahead_as_the_quiz_says() -> None:
    asked: list[int] = []

    class Watched(torch.utils.data.Sampler[Sequence[int]]):
        def __iter__(self) -> Any:
            for n in range(100):
                asked.append(n)
                yield [n]

    loader = iter(DataLoader(range(100), batch_sampler=Watched(), num_workers=2, prefetch_factor=3))  # type: ignore[arg-type]
    assert len(asked) == 2 * 3
    del loader


def test_eval_and_inference_mode_do_what_the_quiz_says() -> None:
    model, x = torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.Dropout(0.5)), torch.ones(1, 8)
    with torch.inference_mode():
        assert not model(x).requires_grad
        assert any((model(x) == 0).any() for _ in range(20)), "dropout is at work in inference_mode"
    model.eval()
    assert model(x).requires_grad, "eval alone builds the graph"
    assert not any((model(x) == 0).any() for _ in range(20))
    assert facts.right(NAME, "eval_is_not") == {"eval_layers", "mode_graph"}


def test_thirteen_billion_parameters_fit_only_where_they_are_split() -> None:
    whole = facts.nbytes(13, torch.bfloat16, torch.bfloat16, torch.float32, torch.float32, torch.float32)  # GB of 1e9 bytes
    assert (whole, whole / 8, 80 - whole / 8) == (208, 26, 54)
    assert facts.right(NAME, "thirteen_billion") == {"fsdp"}


def test_a_graph_s_input_is_filled_and_not_named_anew() -> None:
    static = torch.zeros(3)
    address = static.data_ptr()
    static.copy_(torch.ones(3))
    assert (static.data_ptr(), static.tolist()) == (address, [1.0, 1.0, 1.0])
    assert static.clone().data_ptr() != address
    assert facts.right(NAME, "graph_input") == {"copy"}
