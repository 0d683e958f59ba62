"""The numbers of quizzes/mixed_precision.yaml, worked out another way: by converting, by running, by counting bytes."""

from __future__ import annotations

import math
from fractions import Fraction

import facts
import pytest
import torch
from facts import GB, MB, nbytes

from courselib.oracles.autocast import cuda_policy
from courselib.quiz.marking import mark

NAME = "mixed_precision"
TRAINED_WITH_MASTER = (torch.bfloat16, torch.bfloat16, torch.float32, torch.float32, torch.float32)  # weight, gradient, master, states
BY_MANTISSA = {23: torch.float32, 10: torch.float16, 7: torch.bfloat16, 3: torch.float8_e4m3fn, 2: torch.float8_e5m2}
BY_EXPONENT = {5: torch.float16, 8: torch.bfloat16, 4: torch.float8_e4m3fn}


def adamw_mb(p: float) -> float:
    """What AdamW really keeps for a thousand numbers, but for its step counter."""
    weight = torch.zeros(1000, requires_grad=True)
    optimizer = torch.optim.AdamW([weight])
    weight.sum().backward()
    optimizer.step()
    kept = [weight, weight.grad, *(v for key, v in optimizer.state[weight].items() if key != "step")]
    return p * 1e6 * sum(t.nbytes for t in kept) / 1000 / MB


def smallest_normal(e: int) -> float:
    return torch.finfo(BY_EXPONENT[e]).smallest_normal if e in BY_EXPONENT else math.ldexp(1.0, 2 - (1 << (e - 1)))


def stall(step: float, dtype: torch.dtype) -> float:
    total, one = torch.zeros((), dtype=dtype), torch.tensor(step, dtype=dtype)
    while (following := total + one) != total:
        total = following
    return total.item()


def lost_update() -> float:
    weight = torch.tensor(1.0, dtype=torch.float16)
    for _ in range(1000):
        weight -= 0.0001
    return weight.item()


def gradients(scale: float) -> torch.Tensor:
    """Log-uniform from 1e-10 to 1e-2, evenly spaced so that nothing is left to chance, scaled and through float16."""
    return (10 ** torch.linspace(-10, -2, 1_000_001, dtype=torch.float64) * scale).half()


def percent(hits: torch.Tensor) -> float:
    return 100 * hits.double().mean().item()


def scales(*found_inf: bool) -> list[float]:
    """What PyTorch makes of the scale, step by step, with the defaults of its GradScaler."""
    scaler, tracker = torch.amp.GradScaler("cpu"), torch.zeros((), dtype=torch.int32)
    scale = torch.tensor(scaler.get_scale())
    options = scaler.get_growth_factor(), scaler.get_backoff_factor(), scaler.get_growth_interval()
    return [torch._amp_update_scale_(scale, tracker, torch.tensor(float(inf)), *options).item() for inf in found_inf]


def clipped_too_early(max_norm: float, scale: float) -> float:
    weight = torch.zeros(9, requires_grad=True)
    weight.grad = torch.ones(9) * scale  # true norm 3
    torch.nn.utils.clip_grad_norm_([weight], max_norm)
    return weight.grad.norm().item() / scale


def saved_mb(batch: int) -> float:
    """Watch autograd under CUDA's policy save what it needs, in a model 32 times narrower with a batch 32 times smaller."""
    saved: dict[int, torch.Tensor] = {}
    model = torch.nn.Sequential(
        *(torch.nn.Sequential(torch.nn.Linear(i, 64), torch.nn.ReLU()) for i in (16, 64, 64)), torch.nn.Linear(64, 1)
    )
    x = torch.randn(batch // 32, 16)

    def keep(tensor: torch.Tensor) -> torch.Tensor:
        return saved.setdefault(tensor.data_ptr(), tensor)

    with cuda_policy(), torch.autograd.graph.saved_tensors_hooks(keep, lambda t: t), torch.autocast("cpu", dtype=torch.float16):
        model(x)
    large = [t for t in saved.values() if t.dtype == torch.float16 and 64 in t.shape and t.numel() >= 64 * min(64, len(x))]
    return sum(t.nbytes for t in large) * 32 * 32 / MB


def accumulated(parts: int) -> float:
    x, weight = torch.randn(8 * parts, 3, dtype=torch.float64), torch.ones(3, dtype=torch.float64, requires_grad=True)
    (whole,) = torch.autograd.grad((x @ weight).square().mean(), weight)
    for part in x.split(8):
        (part @ weight).square().mean().backward()
    assert weight.grad is not None
    return (weight.grad / whole).mean().item()


def zero_gb(stage: int, p: float, gpus: int) -> float:
    """What one GPU holds of master and states, gradients, weights; each stage splits one kind more."""
    kinds = [(torch.float32,) * 3, (torch.bfloat16,), (torch.bfloat16,)]
    return sum(nbytes(p, *dtypes) / (gpus if split < stage else 1) for split, dtypes in enumerate(kinds))


ANOTHER_WAY: dict[str, facts.Way] = {
    "fp32_adamw_mb": adamw_mb,
    "bf16_master_mb": lambda p: nbytes(p * 1e6, *TRAINED_WITH_MASTER) / MB,
    "bf16_inference_mb": lambda p: nbytes(p * 1e6, torch.bfloat16) / MB,
    "f16_max": lambda: torch.finfo(torch.float16).max,
    "gap_at_one": lambda m: torch.finfo(BY_MANTISSA[m]).eps,
    "smallest_normal": smallest_normal,
    "bf16_whole": lambda n, g: torch.tensor(float(n)).bfloat16().item(),
    "third": lambda m: torch.tensor(1 / 3).to(BY_MANTISSA[m]).item(),
    "stall_f16": lambda s: stall(s, torch.float16),
    "stall_bf16": lambda: stall(0.01, torch.bfloat16),
    "lost_update": lost_update,
    "underflow_share": lambda s: percent(gradients(s) == 0),
    "overflow_share": lambda k: percent(gradients(2.0**k).isinf()),
    "skipped_steps": lambda f: 1 + scales(*[True] * 10).index(f),
    "scale_later": lambda n: scales(True, *[False] * n)[-1],
    "clip_scaled": lambda c, s: clipped_too_early(c, s),
    "saved_amp_mb": lambda b: saved_mb(b),
    "accumulate_factor": lambda n: accumulated(n),
    "checkpoint_time": lambda: 100 * (sum((1, 1, 2)) - sum((1, 2))) / sum((1, 2)),
    "zero_none": lambda p, n: zero_gb(0, p, n),
    "zero_one": lambda p, n: zero_gb(1, p, n),
    "zero_two": lambda p, n: zero_gb(2, p, n),
    "zero_three": lambda p, n: zero_gb(3, p, n),
    "offload_ms": lambda p: nbytes(p * 1e9, torch.bfloat16, torch.bfloat16) / 16e6,
    "quantized_gb": lambda b: 7_000_000_000 * b // 8 / GB,
}


@pytest.mark.parametrize("question", sorted(facts.numbers(NAME) | set(ANOTHER_WAY)))
def test_a_number_is_what_another_way_gives(question: str) -> None:
    assert [*facts.disagreements(NAME, question, ANOTHER_WAY[question])] == []


def test_the_lesson_s_figures_are_the_first_variants() -> None:
    shown = {key: (built["variants"] or [built])[0]["shown"] for key, (_, built) in facts.quiz(NAME).items() if "shown" in built}
    assert [shown[f"zero_{n}"] for n in ("none", "one", "two", "three")] == ["120.0", "31.4", "16.6", "1.9"]
    assert [shown[f"{n}_mb"] for n in ("fp32_adamw", "bf16_master", "bf16_inference")] == ["762.9", "762.9", "95.4"]
    assert [shown[n] for n in ("f16_max", "bf16_whole", "stall_f16", "stall_bf16", "skipped_steps")] == ["65504", "1000", "32", "4", "2"]


@pytest.mark.parametrize("name", ["fp32_adamw_mb", "bf16_master_mb", "bf16_inference_mb"])
def test_a_whole_number_of_megabytes_is_near_enough(name: str) -> None:
    question = facts.quiz(NAME)[name][1]
    for variant in question["variants"]:
        for number in (f"{float(Fraction(variant['key'])):.0f}", f"{float(Fraction(variant['key'])):.1f} MB"):
            assert mark({**question, **variant}, number).state == "right"
