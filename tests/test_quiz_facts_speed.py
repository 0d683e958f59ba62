"""What quizzes/speed.yaml claims, worked out once more by PyTorch, by counting or by running, never from the quiz itself."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import FlopCounterMode

from courselib.oracles.gpu import Script, time_on_simulated_gpu
from courselib.oracles.training import ORDER, PUBLIC, run_order
from courselib.proxy import StudentError, local
from courselib.quiz import source
from courselib.quiz.built import Built, build, of_variant
from courselib.quiz.lints import lints
from courselib.quiz.marking import mark

QUIZ = source.load(Path(__file__).parents[1] / "quizzes/speed.yaml")
MB, GB = 2**20, 2**30
SIZES = (1024, 4096, 4096, 1024)


@cache
def questions() -> dict[str, Built]:
    return {q["id"]: q for q in build("speed", QUIZ)["questions"]}


def drawn(name: str) -> Iterator[tuple[dict[str, Any], Built]]:
    """Return each variant of a question with the numbers it was given."""
    given = next(q for q in QUIZ.questions if q.id == name).given
    for n in range(len(next(iter(given.values()), [0]))):
        yield {key: values[n] for key, values in given.items()}, of_variant(questions()[name], n)


class Seen(TorchDispatchMode):
    """Note every operation that PyTorch runs, with the bytes of the tensors it reads and writes."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.moved = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        out = func(*args, **(kwargs or {}))
        self.names.append(func.overloadpacket.__name__)
        self.moved += sum(leaf.nbytes for leaf in tree_leaves((args, out)) if isinstance(leaf, torch.Tensor) and leaf.dim())
        return out


def on_meta(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return torch.empty(shape, dtype=dtype, device="meta")


def flop(run: Callable[[], object]) -> int:
    with FlopCounterMode(display=False) as counter:
        run()
    return int(counter.get_total_flops())


def matmul_flop(n: int) -> int:
    return flop(lambda: on_meta(n, n) @ on_meta(n, n))


def mlp(*sizes: int, device: str = "meta") -> nn.Sequential:
    layers = [layer for a, b in itertools.pairwise(sizes) for layer in (nn.Linear(a, b, device=device), nn.ReLU())]
    return nn.Sequential(*layers[:-1])


def weights(width: int = 4096) -> int:
    return sum(p.numel() for p in mlp(1024, width, width, 1024).parameters())


def trained(optimizer: Callable[..., torch.optim.Optimizer], **options: float) -> float:
    """Return the bytes per parameter that a real step leaves: the parameter, its gradient and what the optimizer keeps of its size."""
    weight = nn.Parameter(torch.ones(32, 32))
    opt = optimizer([weight], lr=0.1, **options)
    weight.sum().backward()
    opt.step()
    assert weight.grad is not None
    kept = [s for s in opt.state[weight].values() if isinstance(s, torch.Tensor) and s.shape == weight.shape]
    return sum(t.nbytes for t in (weight, weight.grad, *kept)) / weight.numel()


def step_bytes(states: int) -> float:
    return [trained(torch.optim.SGD), trained(torch.optim.SGD, momentum=0.9), trained(torch.optim.AdamW)][states]


def activations(batch: int) -> int:
    x, seen = on_meta(batch, 1024), []
    for layer in mlp(*SIZES):
        seen.append(x)
        x = layer(x)
    return sum(t.nbytes for t in (*seen, x))


def backward_products(layers: int) -> int:
    x, model = torch.ones(2, 3), mlp(*[3] * (layers + 1), device="cpu")
    loss = model(x).sum()
    with Seen() as seen:
        loss.backward()
    return seen.names.count("mm")


def fused_apart(size: int) -> int:
    x = on_meta(size, size)
    with Seen() as seen:
        torch.relu(2.0 * x + 1.0)
    assert seen.names == ["mul", "add", "relu"]
    return seen.moved


def intensity(n: int) -> float:
    a, b = on_meta(n, n), on_meta(n, n)
    return matmul_flop(n) / (a.nbytes + b.nbytes + (a @ b).nbytes)


def calls_until_even(first: float) -> int:
    """Count the later calls, one by one, until compiling has cost less in all."""
    compiled, eager = first, 53.5
    for n in itertools.count():
        if compiled <= eager:
            return n
        compiled, eager = compiled + 7.036, eager + 7.335
    raise AssertionError


TRUTH: dict[str, Callable[..., float]] = {
    "matmul_flop": lambda size: matmul_flop(size),
    "speedup": lambda cpu, gpu: 1 / (gpu / cpu),
    "tflops": lambda size, ms: matmul_flop(size) / ms / 1e9,
    "mean_with_first": lambda calls: statistics.mean([102.3, 1.29, *[0.293] * (calls - 2)]),
    "median_of_three": lambda: statistics.median([102.3, 1.29, 0.293]) / 0.293,
    "samples_per_second": lambda batch, ms: 1000 / ms * batch,
    "batch_mb": lambda batch: on_meta(batch, 16).nbytes / MB,
    "launches": lambda: statistics.mean([47, 47, 47, 47, 46]),
    "mm_calls": lambda layers: backward_products(layers),
    "profile_ms": lambda share: 6.09 * share / 100,
    "ceiling": lambda factor: 100 / (100 - 39.1 - 20.6 + 39.1 / factor + 20.6 / factor),
    "intensity": lambda size: intensity(size),
    "fusion_mb": lambda size: fused_apart(size) / MB,
    "compile_saves": lambda: 100 - 100 * 7.036 / 7.335,
    "compile_even": lambda first: calls_until_even(first),
    "threads": lambda threads, ms: 1 / (ms / 127.2),
    "sixty_times": lambda: 25.546 / (127.2 / 60),
    "parameters": lambda width: weights(width),
    "weights_mb": lambda: sum(p.nbytes for p in mlp(*SIZES).parameters()) / MB,
    "activations_mb": lambda batch: activations(batch) / MB,
    "hand_total": lambda states: (weights() * step_bytes(states) + activations(256)) / MB,
    "bytes_each": lambda: trained(torch.optim.AdamW),
    "training_gb": lambda billions: billions * 10**9 * trained(torch.optim.AdamW) / GB,
    "inference_gb": lambda billions: on_meta(billions * 10**9, dtype=torch.bfloat16).nbytes / GB,
    "state_bytes": lambda: trained(torch.optim.AdamW) - trained(torch.optim.SGD),
}


def test_every_number_question_is_worked_out_here() -> None:
    assert set(TRUTH) == {name for name, q in questions().items() if q["type"] == "number"}


@pytest.mark.parametrize("name", TRUTH)
def test_a_key_is_what_a_second_way_of_working_it_out_gives(name: str) -> None:
    for given, question in drawn(name):
        near = float(Fraction(question["within"]))
        slack = {"compile_even": 1.0, "state_bytes": near}.get(name, 1e-9 * abs(float(Fraction(question["key"]))))
        assert TRUTH[name](**given) == pytest.approx(float(Fraction(question["key"])), abs=slack, rel=0), given


PUBLISHED: dict[str, list[str]] = {
    "matmul_flop": ["524,288"],
    "speedup": ["0.6", "1.5", "11.4", "12.0", "11.7", "2.3", "8.7", "11.1"],
    "tflops": ["১১.৫", "7.82 TFLOP/s"],
    "mean_with_first": ["10.6", "5.44 ms"],
    "median_of_three": ["4.4"],
    "samples_per_second": ["23,881", "54,701", "620606", "88,400", "৯,৭৮,৭৩৪"],
    "batch_mb": ["0.125 MB", "০.৫"],
    "launches": ["47"],
    "mm_calls": ["5"],
    "profile_ms": ["2.38 ms", "1.25"],
    "ceiling": ["1.43"],
    "compile_saves": ["4 %"],
    "compile_even": ["4874", "1548"],
    "threads": ["1.8", "3.4", "৬.৮"],
    "sixty_times": ["12"],
    "parameters": ["২,৫১,৭৫,০৪০"],
    "weights_mb": ["96.0 MB"],
    "activations_mb": ["4.5", "18.0 MB"],
    "hand_total": ["210.1 MB", "306.1", "৪০২.১"],
    "bytes_each": ["16 bytes"],
    "training_gb": ["14.9 GB"],
    "inference_gb": ["1.9 GB"],
    "state_bytes": ["8"],
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_figures_of_the_lesson_are_marked_right(name: str) -> None:
    for typed, (given, question) in zip(PUBLISHED[name], drawn(name), strict=False):
        assert mark(question, typed).state == "right", (given, typed)


@pytest.mark.parametrize("name", TRUTH)
def test_a_slip_is_told_its_own_reason(name: str) -> None:
    for given, question in drawn(name):
        for slip in question["slips"]:
            assert mark(question, slip["key"]).notes == [["slip", slip["id"]]], (given, slip["id"])


def test_nothing_speaks_against_the_quiz() -> None:
    assert lints(QUIZ, build("speed", QUIZ)) == []


def test_the_right_choice_is_not_the_longest_more_often_than_chance_and_a_bit() -> None:
    choices = [q["choices"] for q in questions().values() if q["type"] == "choice"]
    longest = [max(c, key=lambda choice: len(choice["text"]["bn"]))["right"] for c in choices]
    assert sum(longest) <= len(choices) / 3


def right(name: str) -> set[str]:
    return {c["id"] for c in questions()[name]["choices"] if c["right"]}


def test_the_two_small_formats_turn_70000_into_what_the_choice_says() -> None:
    value = torch.tensor(70000.0)
    (text,) = [c["text"]["en"] for c in questions()["seventy_thousand"]["choices"] if c["right"]]
    assert text == f"float16: `{value.half().item()}`, bfloat16: `{value.bfloat16().item():.0f}`"
    assert torch.finfo(torch.float16).max == 65504
    assert torch.nextafter(value.bfloat16(), torch.tensor(1e9).bfloat16()) - value.bfloat16() == 512


def test_the_choices_for_bfloat16_training_are_what_the_counts_behind_them_give() -> None:
    two, four = torch.bfloat16.itemsize, torch.float32.itemsize
    bytes_each = {"weights_gradients": two + two, "halved": 4 * two, "no_master": two + two + 2 * four, "same": two + two + 3 * four}
    texts = {c["id"]: c["text"]["en"] for c in questions()["bf16_training"]["choices"]}
    assert texts == {name: f"{count * 1e9 / GB:.1f} GB" for name, count in bytes_each.items()}
    assert right("bf16_training") == {name for name, count in bytes_each.items() if count == trained(torch.optim.AdamW)}


def test_a_module_moves_in_place_and_a_tensor_does_not() -> None:
    model, x = nn.Linear(2, 2), torch.ones(1, 2)
    assert model.to("meta") is model
    assert model.weight.is_meta
    assert x.to("meta") is not x
    assert not x.is_meta
    with pytest.raises(RuntimeError, match=r"device"):
        model(x)


def test_adagrad_made_before_the_move_leaves_its_state_behind() -> None:
    model = nn.Linear(2, 2)
    optimizer = torch.optim.Adagrad(model.parameters())
    model.to("meta")
    assert {state["sum"].device.type for state in optimizer.state.values()} == {"cpu"}


def test_only_what_needs_a_value_waits_for_it() -> None:
    loss = on_meta(3).requires_grad_().sum()  # a tensor without values: whoever asks for one fails
    (0 + loss.detach()).add_(1)
    loss.backward()
    for ask in (loss.item, lambda: bool(loss > 5)):
        with pytest.raises((RuntimeError, NotImplementedError)):
            ask()
    assert {"item", "compare"} == right("waits") - {"print"}


def test_what_is_memory_bound_does_few_flop_per_byte() -> None:
    n = 4096
    square, tall, vector = on_meta(n, n), on_meta(n, n), on_meta(n)
    matvec = flop(lambda: square @ vector.unsqueeze(1)) / (square.nbytes + 2 * vector.nbytes)
    assert matvec == pytest.approx(0.5, rel=1e-3)
    assert square.numel() / (3 * square.nbytes) < 0.1  # h + x
    linear = flop(lambda: nn.functional.linear(tall, square)) / (3 * square.nbytes)
    assert linear == intensity(n) == pytest.approx(683, abs=0.5)
    assert right("memory_bound") == {"layer_norm", "residual", "matvec"}


def test_the_sizes_that_the_explanations_name() -> None:
    assert 64**3 == 262_144
    assert 4000 < matmul_flop(4096) / 0.03e-3 / 1e12 < 5000
    assert round(17.571 / 0.293) == 60
    assert math.isclose(8.37 / 1.17, 7, abs_tol=0.2)
    assert 8192 // 64 == 128
    assert max(8.30, 8.09, 8.08) / min(8.30, 8.09, 8.08) < 1.03
    assert round(1 / 0.403, 1) == 2.5
    assert on_meta(64, 16).nbytes == 4096


def test_a_small_gradient_survives_float16_only_when_scaled() -> None:
    small = torch.tensor(1e-8)
    assert small.half() == 0
    assert ((small * 65536).half().float() / 65536).item() == pytest.approx(1e-8, rel=1e-2)


def test_what_pytorch_answers_where_it_is_asked_itself() -> None:
    assert questions()["grad_shape"]["shape"] == list(nn.Linear(16, 1024).weight.shape)
    found = {n["name"]: n["dtype"] for n in questions()["bf16_dtypes"]["names"]}
    assert found == {"x": "float32", "out": "bfloat16", "loss": "float32", "grad": "bfloat16", "state": "bfloat16"}


def orders(name: str) -> set[tuple[str, ...]]:
    """Return every order that a question takes for right."""
    steps = {s["id"]: set(s["after"]) for s in questions()[name]["steps"] if not s["extra"]}
    lines: list[tuple[str, ...]] = [()]
    for _ in steps:
        lines = [(*line, s) for line in lines for s in steps if s not in line and steps[s] <= set(line)]
    return set(lines)


def spoilt(name: str) -> set[tuple[str, ...]]:
    """Return the orders that are one swap of neighbours away from a right one, and no longer right."""
    swapped = {(*o[:i], o[i + 1], o[i], *o[i + 2 :]) for o in orders(name) for i in range(len(o) - 1)}
    return swapped - orders(name)


def trains_right(order: tuple[str, ...]) -> bool:
    return run_order(order, PUBLIC, "cpu").trains_like(run_order(ORDER, PUBLIC, "cpu"))


def test_the_float16_step_trains_right_in_its_orders_and_not_with_two_neighbours_swapped() -> None:
    assert len(orders("amp_step")) == 3  # zero_grad stands first, second or third
    assert all(map(trains_right, orders("amp_step")))
    assert not any(map(trains_right, spoilt("amp_step")))


def test_the_device_script_and_the_event_script_leave_the_first_two_steps_free() -> None:
    assert [len(orders(name)) for name in ("device_order", "event_order")] == [2, 2]


def timed_by(order: tuple[str, ...]) -> Callable[[Callable[[], object]], float]:
    """Return a function that runs the lines of `event_order` in an order, as they stand in the quiz."""
    lines = {s["id"]: s["text"]["en"].strip("`") for s in questions()["event_order"]["steps"]}
    lines["events"] = "start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)"

    def measure(fn: Callable[[], object]) -> float:
        names: dict[str, Any] = {"torch": torch, "fn": fn, "ms": math.nan}
        for step in order:
            exec(lines[step], names)
        return float(names["ms"])

    return measure


def times_right(order: tuple[str, ...]) -> bool:
    try:
        trace = time_on_simulated_gpu(local("cuda_ms", timed_by(order)), Script((64.0, 9.0, 8.0), (8.0,)))
    except StudentError:
        return False
    return bool(abs(trace.value - 8.0) < 0.05)


def test_the_event_script_times_the_call_in_its_orders_and_not_with_two_neighbours_swapped() -> None:
    assert all(map(times_right, orders("event_order")))
    assert not any(map(times_right, spoilt("event_order")))
