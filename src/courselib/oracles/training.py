"""Running a float16 training step in the order a student gives, and watching what every step finds there.

The run is real: `torch.autocast`, `torch.amp.GradScaler` and an optimizer on a model of a few dozen numbers. Each
iteration has a batch of its own, and one batch makes gradients that overflow float16 only because of the loss scale.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import torch
from torch.nn import functional as F

from courselib.text import Text, say

ORDER = ("move_batch", "forward", "zero_grad", "backward", "step", "update")
ORDER_WITH_CLIPPING = ("move_batch", "forward", "zero_grad", "backward", "unscale", "clip", "step", "update")

FEATURES, OUTPUTS, BATCH = 4, 2, 4
OVERFLOWING = 4000.0  # targets this large give gradients of about 1000: fine in float16, but not 1024 times larger
MULTIPLIED = 2.0  # a gradient norm at least this many times too large still carries the loss scale


@dataclass(frozen=True)
class Scenario:
    """One small training run; `overflow` is the iteration (from 1) whose scaled gradients overflow."""

    seed: int = 0
    hidden: int = 8
    optimizer: str = "SGD"
    lr: float = 0.1
    max_norm: float = 0.05
    overflow: int = 3
    iterations: int = 5


PUBLIC = Scenario()
HIDDEN = Scenario(seed=7, hidden=6, optimizer="AdamW", lr=0.01, max_norm=0.02, overflow=2, iterations=6)


@dataclass(frozen=True)
class Stop:
    """The error that ended a run, and what was wrong with running `step` there."""

    iteration: int
    step: str
    kind: str
    text: str
    cause: Text | None


@dataclass
class Trace:
    """What one run left behind: weights and loss scale after each whole iteration, and what was seen on the way.

    `gradients` are those the first `backward` left (still scaled); `clip_saw` tells, for each `clip`, how many times too
    large the gradients were (nan where there were none) and `clip_in_time` whether `step` had still to use them.
    """

    weights: list[torch.Tensor] = field(default_factory=list)
    scales: list[float] = field(default_factory=list)
    gradients: torch.Tensor | None = None
    clip_saw: list[float] = field(default_factory=list)
    clip_in_time: list[bool] = field(default_factory=list)
    findings: dict[tuple[str, Symptom], Text] = field(default_factory=dict)
    stop: Stop | None = None

    def differs(self, right: Trace, tolerance: float = 0.0) -> int | None:
        """Return the first iteration (from 1) that ends with other weights than `right`; None if none does."""
        for i, expected in enumerate(right.weights):
            if i >= len(self.weights) or not bool((self.weights[i] - expected).abs().max() <= tolerance):
                return i + 1
        return None

    def trains_like(self, right: Trace, tolerance: float = 0.0) -> bool:
        """Tell whether the run ended without error, with the weights and the loss scales of `right`."""
        return self.stop is None and self.scales == right.scales and self.differs(right, tolerance) is None

    def story(self, right: Trace, tolerance: float = 0.0) -> Text:
        """Say what happened when it ran: the error and its cause, or what went wrong without one."""
        if self.stop is None:
            return say(
                "কোনো error ওঠেনি, কিন্তু iteration {i} থেকে weight ঠিক training-এর সঙ্গে মেলে না।{cause}",
                "no error was raised, but from iteration {i} on the weights are not those of right training.{cause}",
                i=self.differs(right, tolerance) or 1,
                cause=_cause(*self.findings.values()),
            )
        return say(
            "iteration {iteration}-এ `{step}` ধাপে থেমে গেছে ({kind}: {text})।{cause}",
            "it stopped in iteration {iteration} at `{step}` ({kind}: {text}).{cause}",
            **vars(self.stop) | {"cause": _cause(self.stop.cause)},
        )


def _cause(*findings: Text | None) -> Text:
    """Join what was seen into one cause; empty where nothing was."""
    cause = Text("", "")
    for finding in filter(None, findings):
        cause = Text(f"{cause.bn or ' কারণ:'} {finding.bn}", f"{cause.en or ' Cause:'} {finding.en}")
    return cause


class Loop:
    """The objects of a training loop; every method that is a step's name is that step."""

    def __init__(self, scenario: Scenario, device: str) -> None:
        draw = torch.Generator().manual_seed(scenario.seed)
        sizes = [(scenario.hidden, FEATURES), (scenario.hidden,), (OUTPUTS, scenario.hidden), (OUTPUTS,)]
        self.device, self.max_norm = device, scenario.max_norm
        self.weights = [(0.5 * _random(draw, *size)).to(device).requires_grad_() for size in sizes]
        self.optimizer: torch.optim.Optimizer = getattr(torch.optim, scenario.optimizer)(self.weights, lr=scenario.lr)
        self.scaler = torch.amp.GradScaler(device, init_scale=1024.0, growth_interval=2)
        targets = [OVERFLOWING if i + 1 == scenario.overflow else 1.0 for i in range(scenario.iterations)]
        self.batches = [(_random(draw, BATCH, FEATURES), size * _random(draw, BATCH, OUTPUTS)) for size in targets]
        self.batch: tuple[torch.Tensor, torch.Tensor] | None = None
        self.loss: torch.Tensor | None = None
        self.done: set[str] = set()
        self.since_update: set[str] = set()
        self.true_norm = float("nan")
        self.trace = Trace()

    def move_batch(self) -> None:
        """Copy this iteration's batch to the device."""
        x, y = self.host
        self.batch = x.to(self.device, copy=True), y.to(self.device, copy=True)

    def forward(self) -> None:
        """Compute the loss under float16 autocast."""
        if self.batch is None:
            raise NameError("name 'x' is not defined")
        x, y = self.batch
        w1, b1, w2, b2 = self.weights
        with torch.autocast(self.device, dtype=torch.float16):
            self.loss = F.mse_loss(F.linear(torch.relu(F.linear(x, w1, b1)), w2, b2), y)

    def zero_grad(self) -> None:
        """Drop the gradients."""
        self.optimizer.zero_grad()

    def backward(self) -> None:
        """Add the gradients of the scaled loss."""
        if self.loss is None:
            raise NameError("name 'loss' is not defined")
        self.scaler.scale(self.loss).backward()  # type: ignore[no-untyped-call]
        self.true_norm = self.norm() / self.scaler.get_scale()
        if self.trace.gradients is None:
            self.trace.gradients = torch.cat([w.grad.flatten().cpu() for w in self.weights if w.grad is not None])

    def unscale(self) -> None:
        """Divide the gradients by the loss scale."""
        self.scaler.unscale_(self.optimizer)

    def clip(self) -> None:
        """Shorten the gradients to `max_norm`, which is short enough to bite."""
        self.trace.clip_saw.append(self.too_large())
        self.trace.clip_in_time.append(self.fresh)
        torch.nn.utils.clip_grad_norm_(self.weights, self.max_norm)

    def step(self) -> None:
        """Let the scaler step the optimizer, or skip it after an overflow."""
        self.scaler.step(self.optimizer)

    def update(self) -> None:
        """Let the scaler choose the next scale."""
        self.scaler.update()
        self.since_update.clear()

    def run(self, order: Sequence[str]) -> Trace:
        """Run `order` once per batch until the batches end or a step raises."""
        for i, host in enumerate(self.batches):
            self.host, self.done = host, set()
            for step in order:
                cause = self.finding(step)
                try:
                    getattr(self, step)()
                except (AssertionError, NameError, RuntimeError, ValueError) as error:
                    self.trace.stop = Stop(i + 1, step, type(error).__name__, " ".join(str(error).split()).rstrip("."), cause)
                    return self.trace
                self.done.add(step)
                self.since_update.add(step)
            self.trace.weights.append(torch.cat([w.detach().flatten().cpu() for w in self.weights]))
            self.trace.scales.append(self.scaler.get_scale())
        return self.trace

    @property
    def fresh(self) -> bool:
        """Tell whether `backward` has run in this iteration and `step` has not."""
        return "backward" in self.done and "step" not in self.done

    @property
    def empty(self) -> bool:
        """Tell whether no weight has a gradient."""
        return all(w.grad is None for w in self.weights)

    def norm(self) -> float:
        """Return the length of the gradients as they are now; nan where there are none."""
        gradients = [w.grad.flatten() for w in self.weights if w.grad is not None]
        return float(torch.cat(gradients).norm()) if gradients else float("nan")

    def too_large(self) -> float:
        """Return how many times longer the gradients are than those of the unscaled loss."""
        return self.norm() / self.true_norm

    def finding(self, step: str) -> Text | None:
        """Note and return what is wrong with running `step` now, judged by what is there for it to work on."""
        for symptom in SYMPTOMS:
            if step in symptom.steps and symptom.seen(self):
                sentence = symptom.sentence.fill(step=step, times=f"{self.too_large():.0f}")
                return self.trace.findings.setdefault((step, symptom), sentence)
        return None


@dataclass(frozen=True)
class Symptom:
    """Something wrong that can be seen at the moment one of `steps` is about to run."""

    steps: tuple[str, ...]
    seen: Callable[[Loop], bool]
    sentence: Text


SYMPTOMS = (  # the first one seen is told
    Symptom(
        ("forward",),
        lambda loop: "move_batch" not in loop.done,
        say(
            "`forward` চলেছে `move_batch`-এর আগে: এই iteration-এর batch তখনো device-এ যায়নি।",
            "`forward` ran before `move_batch`: this iteration's batch was not on the device yet.",
        ),
    ),
    Symptom(
        ("backward",),
        lambda loop: "forward" not in loop.done,
        say("`backward` চলেছে `forward`-এর আগে: তখনো কোনো loss নেই।", "`backward` ran before `forward`: there was no loss yet."),
    ),
    Symptom(
        ("backward",),
        lambda loop: not loop.empty,
        say(
            "আগের iteration-এর gradient তখনো ছিল; `backward` নতুন gradient তার সঙ্গে যোগ করেছে।",
            "The gradients of the previous iteration were still there, and `backward` added the new ones to them.",
        ),
    ),
    Symptom(
        ("zero_grad",),
        lambda loop: loop.fresh,
        say(
            "`zero_grad` চলেছে `backward` আর `step`-এর মাঝখানে: `step` ব্যবহার করার আগেই gradient মুছে গেছে।",
            "`zero_grad` ran between `backward` and `step`: it erased the gradients before `step` could use them.",
        ),
    ),
    Symptom(
        ("unscale", "clip", "step"),
        lambda loop: "backward" not in loop.done,
        say(
            "`{step}` চলেছে `backward`-এর আগে: এই iteration-এর gradient তখনো তৈরি হয়নি।",
            "`{step}` ran before `backward`: this iteration's gradients did not exist yet.",
        ),
    ),
    Symptom(
        ("unscale", "clip"),
        lambda loop: "step" in loop.done,
        say(
            "`{step}` চলেছে `step`-এর পরে: `step` ততক্ষণে gradient ব্যবহার করে ফেলেছে।",
            "`{step}` ran after `step`, which had used the gradients by then.",
        ),
    ),
    Symptom(
        ("unscale", "step"),
        lambda loop: "step" in loop.since_update,
        say(
            "আগের iteration-এর `step`-এর পরে `update` চলেনি, তাই scaler এখনো সেই `step`-এই আটকে আছে।",
            "No `update` had followed the previous iteration's `step`, so the scaler was still at that `step`.",
        ),
    ),
    Symptom(
        ("step",),
        lambda loop: "unscale" in loop.since_update and "unscale" not in loop.done,
        say(
            "আগের iteration-এর `unscale` চলেছে `update`-এর পরে, তাই scaler ধরে নিয়েছে এই gradient-ও unscale করা হয়ে গেছে।",
            "The previous iteration's `unscale` ran after `update`, so the scaler took these gradients for unscaled already.",
        ),
    ),
    Symptom(
        ("unscale", "clip", "step"),
        lambda loop: loop.empty,
        say("`{step}` কোনো gradient পায়নি: `zero_grad` আগেই সব মুছে দিয়েছে।", "`{step}` found no gradients: `zero_grad` had erased them."),
    ),
    Symptom(
        ("clip",),
        lambda loop: loop.too_large() > MULTIPLIED,
        say(
            "`clip` যে gradient দেখেছে তা তখনো {times} দিয়ে গুণ করা: `unscale` তখনো চলেনি।",
            "`clip` saw gradients that were still multiplied by {times}: `unscale` had not run yet.",
        ),
    ),
    Symptom(
        ("update",),
        lambda loop: "step" not in loop.done,
        say(
            "`update` চলেছে `step`-এর আগে: এই iteration-এর step তখনো নেওয়া হয়নি।",
            "`update` ran before `step`: this iteration's step had not been taken yet.",
        ),
    ),
)


def _random(draw: torch.Generator, *size: int) -> torch.Tensor:
    return torch.randn(size, generator=draw, dtype=torch.float32, device="cpu")


@functools.lru_cache(maxsize=1024)
def run_order(order: tuple[str, ...], scenario: Scenario = PUBLIC, device: str = "cpu") -> Trace:
    """Run the training loop of `scenario` with its steps in `order`, whatever a notebook has switched off."""
    with torch.inference_mode(False), torch.enable_grad(), torch.autograd.set_detect_anomaly(False):
        return Loop(scenario, device).run(order)


def rules(steps: Sequence[str]) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return the partial orders of which a right order of `steps` follows one.

    Gradients start as None, so `zero_grad` is right before `backward` and right after `step`: everywhere but between them.
    """
    chain = [step for step in steps if step != "zero_grad"]
    before = {later: {first} for first, later in itertools.pairwise(chain)}
    return before | {"backward": before["backward"] | {"zero_grad"}}, before | {"zero_grad": {"step"}}
