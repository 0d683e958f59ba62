"""What quizzes/gpu_training.yaml says, worked out another way: by running, by watching memory, by counting bytes."""

from __future__ import annotations

import weakref
from typing import Any

import facts
import pytest
import torch
from facts import MB, nbytes
from torch.utils.checkpoint import checkpoint
from torch.utils.flop_counter import FlopCounterMode

NAME = "gpu_training"


def flop(b: int, i: int, o: int) -> float:
    with FlopCounterMode(display=False) as counter, torch.device("meta"):
        torch.nn.functional.linear(torch.empty(b, i), torch.empty(o, i))
    return counter.get_total_flops()


def meeting_point(c: float, a: float, g: float) -> float:
    low, high = 0.0, 1e6
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if c * middle > a + g * middle else (middle, high)
    return low


ANOTHER_WAY: dict[str, facts.Way] = {
    "layer_flop": flop,
    "independent_outputs": lambda m, k, n: (torch.empty(m, k, device="meta") @ torch.empty(k, n, device="meta")).numel(),
    "update_ms": lambda p, bw: nbytes(p * 1e6, *[torch.float32] * 3) / (bw * 1e6),
    "amdahl": lambda f, s: 1000 / (1000 * (100 - f) / 100 + 10 * f / s),
    "batch_mb": lambda b: torch.empty(b, 3, 224, 224, device="meta").nbytes / MB,
    "samples_per_second": lambda b, t: b / (t * 1e-3),
    "break_even": meeting_point,
}


@pytest.mark.parametrize("question", sorted(facts.numbers(NAME) | set(ANOTHER_WAY)))
def test_a_number_is_what_another_way_gives(question: str) -> None:
    assert [*facts.disagreements(NAME, question, ANOTHER_WAY[question])] == []


def test_a_module_moves_in_place_and_a_tensor_does_not() -> None:
    model, x = torch.nn.Linear(3, 1), torch.ones(2, 3)
    assert model.to("meta") is model
    x.to("meta")
    assert (model.weight.device.type, x.device.type) == ("meta", "cpu")
    with pytest.raises(RuntimeError, match="device"):
        model(x)
    assert facts.right(NAME, "both_idioms") == {"x_stays"}


@pytest.mark.parametrize("choice", facts.quiz(NAME)["portable_line"][1]["choices"], ids=lambda c: c["id"])
def test_the_portable_line_takes_the_gpu_where_there_is_one(choice: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    code = choice["text"]["en"].replace("```python", "").replace("```", "")
    assert ([where(code, has_gpu, monkeypatch) for has_gpu in (False, True)] == ["cpu", "cuda"]) is choice["right"]


def where(code: str, has_gpu: bool, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a few lines and tell where the model ends up; "nowhere" if they ask for a GPU that is not there."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: has_gpu)
    model = Recorder(has_gpu)
    world: dict[str, Any] = {"torch": torch, "model": model, "x": Recorder(has_gpu)}
    try:
        exec(code, world)
        return model.to(world.get("device", model.device)).device
    except LookupError:
        return "nowhere"


class Recorder:
    """A model or tensor that knows where it was moved, and refuses a GPU that is not there."""

    def __init__(self, has_gpu: bool) -> None:
        self.has_gpu, self.device = has_gpu, "cpu"

    def to(self, device: Any, *_: Any, **__: Any) -> Recorder:
        self.device = str(device).removesuffix(":0")
        if self.device == "cuda" and not self.has_gpu:
            raise LookupError("no GPU")
        return self

    def cuda(self) -> Recorder:
        return self.to("cuda")


def test_a_step_trains_alike_in_the_quiz_s_orders_and_in_no_other() -> None:
    loop = facts.Loop(NAME, "loop_order")
    taken, refused = loop.orders()
    assert [order for order in taken if not loop.trains_alike(order)] == []
    assert [order for order in refused + loop.spoiled("new_optimizer", "eval") if loop.trains_alike(order)] == []


class Box:
    """What autograd holds of one saved tensor; gone as soon as the graph is."""

    def __init__(self, tensor: torch.Tensor) -> None:
        self.tensor = tensor


@pytest.mark.parametrize(("keep", "alive"), [(lambda loss: loss, True), (lambda loss: loss.item(), False)], ids=["loss", "item"])
def test_a_loss_that_is_kept_keeps_its_activations(keep: Any, alive: bool) -> None:
    boxes: weakref.WeakSet[Box] = weakref.WeakSet()

    def pack(tensor: torch.Tensor) -> Box:
        box = Box(tensor)
        boxes.add(box)
        return box

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda box: box.tensor):
        losses = [keep(torch.ones(3, requires_grad=True).square().sum())]
    assert len(losses) == 1
    assert bool(boxes) is alive
    assert facts.right(NAME, "growing_memory") == {"append"}


def test_checkpointing_saves_activations_and_gives_the_same_gradients() -> None:
    model, x = torch.nn.Sequential(*(torch.nn.Sequential(torch.nn.Linear(8, 8), torch.nn.GELU()) for _ in range(4))), torch.randn(5, 8)
    plain, kept = gradients(model, model(x)), saved(lambda: model(x))
    again = gradients(model, checkpoint(model, x, use_reentrant=False))
    assert all(torch.equal(a, b) for a, b in zip(plain, again, strict=True))
    assert saved(lambda: checkpoint(model, x, use_reentrant=False)) < kept
    model.eval()
    assert saved(lambda: model(x)) == kept, "eval saves no memory"


def gradients(model: torch.nn.Module, out: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return torch.autograd.grad(out.square().sum(), [*model.parameters()])


def saved(forward: Any) -> int:
    sizes: dict[int, torch.Tensor] = {}

    def pack(tensor: torch.Tensor) -> torch.Tensor:
        sizes[tensor.data_ptr()] = tensor
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        forward()
    return sum(t.nbytes for t in sizes.values())


def test_measured_steps_flatten_as_the_quiz_says() -> None:
    small, middle, large = 1.17 / 64, 1.65 / 1024, 8.37 / 8192  # ms per example
    assert small > 10 * middle
    assert middle / 2 < large < middle
    assert 10e12 * 12 == 120 * 1e12  # FLOP that fit into the time of one addition's traffic
