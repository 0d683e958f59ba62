"""A simulated GPU with its own clock, and the true time of a sleeping real one.

The checker holds the script (how long each call keeps the GPU busy), the clock and the log. Student code
runs elsewhere and sends commands (`courselib.worker.cuda`), so it can neither read the script nor forge a count.
The clock works as CUDA does: a launch costs the host a few microseconds and makes a stream busy; an event is
stamped when its stream gets there; synchronising moves the host forward. All times are in milliseconds.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from statistics import fmean, geometric_mean, median, quantiles
from typing import Any

import torch

from courselib.proxy import Proxy

LAUNCH, RECORD, WAIT, POLL, READ = 0.004, 0.001, 0.010, 0.050, 0.005  # what each costs the host
LATENCY = 0.004  # from the host's command to the moment when an idle stream begins
BYTES_PER_MS, CYCLES_PER_MS = 1e8, 1e6
MAX_COMMANDS, MAX_STREAMS = 60_000, 256

INCOMPLETE = "Both events must be completed before calculating elapsed time."
UNRECORDED = "Both events must be recorded before calculating elapsed time."
UNTIMED = "Both events must be created with argument 'enable_timing=True'."


@dataclass
class _Stream:
    busy_until: float = 0.0


@dataclass
class _Event:
    timing: bool
    stamp: float | None = None


@dataclass(frozen=True)
class Script:
    """What `fn` does: how long each warm-up call and each repetition keeps the GPU busy; call `raises_at` raises `error`."""

    warmup: tuple[float, ...]
    reps: tuple[float, ...]
    raises_at: int | None = None
    error: Exception | None = None

    @property
    def calls(self) -> int:
        """Return the number of calls that an honest measurement makes."""
        return len(self.warmup) + len(self.reps)

    @property
    def middle(self) -> tuple[float, float]:
        """Return the lower and the upper middle of the repetitions."""
        ordered = sorted(self.reps)
        return ordered[(len(ordered) - 1) // 2], ordered[len(ordered) // 2]


@dataclass
class SimulatedGpu:
    """The GPU of one script; calling it with a list of commands runs them and returns the last one's answer."""

    script: Script
    host: float = 1000.0
    calls: int = 0
    clock_reads: int = 0
    measured: list[float] = field(default_factory=list)
    _commands: int = 0
    _streams: list[_Stream] = field(default_factory=list)
    _events: list[_Event] = field(default_factory=list)

    def __call__(self, commands: object) -> Any:
        """Run `[[name, *arguments], ...]`; raise ValueError for what is no command, else what CUDA would raise."""
        if not isinstance(commands, list):
            raise ValueError("a list of commands is needed")
        answer = None
        for command in commands:
            answer = self._run(command)
        return answer

    def _run(self, command: object) -> Any:
        self._commands += 1
        if self._commands > MAX_COMMANDS:
            raise RuntimeError(f"the simulated GPU stops after {MAX_COMMANDS} commands")
        if not isinstance(command, list) or not command or not isinstance(command[0], str) or command[0] not in COMMANDS:
            raise ValueError("not a command of the simulated GPU")
        run, kinds = COMMANDS[command[0]]
        if len(command) != len(kinds) + 1:
            raise ValueError(f"{command[0]}: {len(kinds)} arguments are needed")
        return run(self, *(KINDS[kind](self, value) for kind, value in zip(kinds, command[1:], strict=True)))

    def _flag(self, value: object) -> bool:
        return value is True

    def _amount(self, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1e15:
            raise ValueError("an amount must be a finite number, 0 or more")
        return float(value)

    def _stream(self, value: object) -> _Stream:
        return self._streams[_index(value, len(self._streams))]

    def _event(self, value: object) -> _Event:
        return self._events[_index(value, len(self._events))]

    def _open(self) -> bool:
        return self.script.raises_at is not None

    def _new_stream(self) -> None:
        if len(self._streams) >= MAX_STREAMS:
            raise RuntimeError(f"the simulated GPU has no more than {MAX_STREAMS} streams")
        self._streams.append(_Stream())

    def _new_event(self, timing: bool) -> None:
        self._events.append(_Event(timing))

    def _work(self, stream: _Stream, milliseconds: float) -> None:
        self.host += LAUNCH
        stream.busy_until = max(stream.busy_until, self.host + LATENCY) + milliseconds

    def _launch(self, stream: _Stream) -> None:
        number, self.calls = self.calls, self.calls + 1
        if number == self.script.raises_at and self.script.error:
            raise type(self.script.error)(*self.script.error.args)
        durations = self.script.warmup + self.script.reps
        self._work(stream, durations[min(number, len(durations) - 1)])

    def _move(self, stream: _Stream, size: float) -> None:
        self._work(stream, size / BYTES_PER_MS)

    def _spin(self, stream: _Stream, cycles: float) -> None:
        self._work(stream, cycles / CYCLES_PER_MS)

    def _record(self, event: _Event, stream: _Stream) -> None:
        self.host += RECORD
        event.stamp = stream.busy_until = max(stream.busy_until, self.host + LATENCY)

    def _wait(self, stream: _Stream, event: _Event) -> None:
        stream.busy_until = max(stream.busy_until, event.stamp or 0.0)

    def _wait_stream(self, stream: _Stream, other: _Stream) -> None:
        stream.busy_until = max(stream.busy_until, other.busy_until)

    def _until(self, moment: float) -> None:
        self.host = max(self.host, moment) + WAIT

    def _synchronize(self) -> None:
        self._until(max((s.busy_until for s in self._streams), default=0.0))

    def _done(self, moment: float) -> bool:
        """Look once; a look that comes too early costs all the time still to wait, so that polling soon ends."""
        self.host += POLL
        early = self.host < moment
        self.host = max(self.host, moment)
        return not early

    def _elapsed_time(self, start: _Event, end: _Event) -> float:
        if not (start.timing and end.timing):
            raise ValueError(UNTIMED)
        if start.stamp is None or end.stamp is None:
            raise ValueError(UNRECORDED)
        if self.host < max(start.stamp, end.stamp):
            raise RuntimeError(INCOMPLETE)
        (elapsed,) = struct.unpack("f", struct.pack("f", end.stamp - start.stamp))  # CUDA gives a float32
        self.measured.append(elapsed)
        return float(elapsed)

    def _clock(self) -> float:
        self.clock_reads += 1
        self.host += READ
        return self.host

    def _sleep(self, milliseconds: float) -> None:
        self.host += milliseconds


def _index(value: object, count: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
        raise ValueError("no such stream or event")
    return value


KINDS: dict[str, Callable[[SimulatedGpu, object], Any]] = {
    "flag": SimulatedGpu._flag,
    "amount": SimulatedGpu._amount,
    "stream": SimulatedGpu._stream,
    "event": SimulatedGpu._event,
}
COMMANDS: dict[str, tuple[Callable[..., Any], tuple[str, ...]]] = {
    "open": (SimulatedGpu._open, ()),
    "stream": (SimulatedGpu._new_stream, ()),
    "event": (SimulatedGpu._new_event, ("flag",)),
    "launch": (SimulatedGpu._launch, ("stream",)),
    "move": (SimulatedGpu._move, ("stream", "amount")),
    "spin": (SimulatedGpu._spin, ("stream", "amount")),
    "record": (SimulatedGpu._record, ("event", "stream")),
    "wait": (SimulatedGpu._wait, ("stream", "event")),
    "wait_stream": (SimulatedGpu._wait_stream, ("stream", "stream")),
    "synchronize": (SimulatedGpu._synchronize, ()),
    "stream_synchronize": (lambda gpu, stream: gpu._until(stream.busy_until), ("stream",)),
    "event_synchronize": (lambda gpu, event: gpu._until(event.stamp or 0.0), ("event",)),
    "stream_done": (lambda gpu, stream: gpu._done(stream.busy_until), ("stream",)),
    "event_done": (lambda gpu, event: event.stamp is None or gpu._done(event.stamp), ("event",)),
    "elapsed_time": (SimulatedGpu._elapsed_time, ("event", "event")),
    "clock": (SimulatedGpu._clock, ()),
    "sleep": (SimulatedGpu._sleep, ("amount",)),
}


@dataclass(frozen=True)
class Trace:
    """What one run returned, and what the simulated GPU saw of it: calls of `fn`, times read from events, host clock reads."""

    value: Any
    calls: int
    measured: tuple[float, ...]
    clock_reads: int


def time_on_simulated_gpu(function: Proxy, script: Script, *args: object, **kwargs: object) -> Trace:
    """Run `function(fn, *args, **kwargs)` on a simulated GPU with `script`; what it raises comes through."""
    gpu = SimulatedGpu(script)
    value = function.probe("simulated", gpu, *args, **kwargs)
    return Trace(value, gpu.calls, tuple(gpu.measured), gpu.clock_reads)


def wrong_statistics(script: Script) -> dict[str, float]:
    """Return what other ways of making one number of the calls give, by name."""
    warmup, reps = script.warmup, script.reps
    everything, ordered, n = warmup + reps, sorted(reps), len(reps)
    inner = ordered[1:-1] or ordered
    return {
        "mean": fmean(reps),
        "total": sum(reps),
        "fastest": ordered[0],
        "slowest": ordered[-1],
        "with_warmup": median(everything),
        "mean_with_warmup": fmean(everything),
        "total_with_warmup": sum(everything),
        "mistaken_count": sum(everything) / n,
        "mistaken_share": sum(reps) / len(everything),
        "unsorted": reps[n // 2],
        "first": reps[0],
        "last": reps[-1],
        "first_call": everything[0],
        "without_first": median(reps[1:] or reps),
        "trimmed": fmean(inner),
        "geometric": geometric_mean(reps),
        "midrange": (ordered[0] + ordered[-1]) / 2,
        "lower_quartile": quantiles(reps, n=4, method="inclusive")[0],
        "upper_quartile": quantiles(reps, n=4, method="inclusive")[2],
        "below_middle": ordered[max((n - 1) // 2 - 1, 0)],
        "above_middle": ordered[min(n // 2 + 1, n - 1)],
        "divided_again": median(reps) / n,
        "accumulated": median(accumulate(reps)),
        "doubled": 2 * median(reps),
    }


def asleep_ms(cycles: Sequence[int], warmup: int) -> float:
    """Return the median milliseconds of `torch.cuda._sleep(n)` over `cycles`, the first `warmup` left out, by this process's events."""
    cuda: Any = torch.cuda  # torch leaves much of it without types
    pairs = [(cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)) for _ in cycles]
    cuda._sleep(sum(cycles))  # so that the clock rate has risen
    cuda.synchronize()
    for (start, end), n in zip(pairs, cycles, strict=True):
        start.record()
        cuda._sleep(n)
        end.record()
    cuda.synchronize()
    return float(median(start.elapsed_time(end) for start, end in pairs[warmup:]))
