"""Probes that run beside a student's timing function: on a simulated GPU, or on a real one that sleeps.

The simulated GPU's clock and script are in the checker (`courselib.oracles.gpu`); here every operation of
`torch.cuda`, `torch.accelerator`, `torch.Event`, `torch.Stream` and `time` becomes a command to it. What
needs no answer waits in a queue and travels with the next question, so a repetition costs one round trip.
"""

from __future__ import annotations

import time
import timeit
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import get_ident
from types import SimpleNamespace
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from courselib.worker.switch import Switches

BATCH = 200  # commands; the queue is sent when it is this long
SMALL = 2**20  # bytes; of larger tensors on "cuda" only the shape is kept
PROPERTIES = SimpleNamespace(
    name="Simulated GPU", major=9, minor=0, total_memory=16 * 2**30, multi_processor_count=64, L2_cache_size=50 * 2**20, warp_size=32
)

Gpu = Callable[[list[list[object]]], Any]
_cuda: Any = torch.cuda  # torch leaves much of it without types


class Device:
    """The worker's end of the simulated GPU: it numbers streams and events, and sends commands in batches."""

    def __init__(self, gpu: Gpu) -> None:
        self.gpu, self.thread = gpu, get_ident()
        self.queue: list[list[object]] = []
        self.entered = {"event": 0, "stream": 0}
        self.default = self.current = Stream()
        self.may_raise = bool(self.ask("open"))

    def tell(self, *command: object) -> None:
        """Queue a command that has no answer."""
        self.queue.append(list(command))
        if len(self.queue) >= BATCH:
            self.flush()

    def ask(self, *command: object) -> Any:
        """Send the queue with this command at its end; return its answer, or raise what it raises."""
        self.queue.append(list(command))
        return self.flush()

    def flush(self) -> Any:
        """Send what is queued."""
        commands, self.queue = self.queue, []
        return self.gpu(commands) if commands else None

    def launch(self) -> None:
        """Start the scripted work; only a script that may raise is waited for."""
        (self.ask if self.may_raise else self.tell)("launch", _stream())

    def number(self, thing: Any, kind: str, *details: object) -> int:
        """Return the number of a stream or event, entering one that this GPU does not know yet."""
        if vars(thing).get("_device") is not self:
            thing._device, thing._number = self, self.entered[kind]
            self.entered[kind] += 1
            self.tell(kind, *details)
        return int(thing._number)


_devices: list[Device] = []


def _gpu() -> Device:
    if not _devices:
        raise RuntimeError("this object belongs to a simulated GPU, which is gone")
    return _devices[-1]


def _event(event: Any) -> int:
    if not isinstance(event, (Event, torch.cuda.Event)):
        raise TypeError(f"expected a torch.cuda.Event, but got {type(event).__name__}")
    return _gpu().number(event, "event", getattr(event, "_timing", True))


def _stream(stream: Any = None) -> int:
    stream = _gpu().current if stream is None else stream
    if not isinstance(stream, (Stream, torch.cuda.Stream)):
        raise TypeError(f"expected a torch.cuda.Stream, but got {type(stream).__name__}")
    return _gpu().number(stream, "stream")


class Event:
    """Stand in for `torch.Event`; its methods serve `torch.cuda.Event`, too."""

    def __init__(self, device: object = None, *, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False) -> None:
        self._timing = bool(enable_timing)

    def record(self, stream: Any = None) -> None:
        """Stamp the event when the stream gets there."""
        _gpu().tell("record", _event(self), _stream(stream))

    def wait(self, stream: Any = None) -> None:
        """Let the stream wait for the event."""
        _gpu().tell("wait", _stream(stream), _event(self))

    def query(self) -> bool:
        """Tell whether the event has happened."""
        return bool(_gpu().ask("event_done", _event(self)))

    def synchronize(self) -> None:
        """Let the host wait for the event."""
        _gpu().tell("event_synchronize", _event(self))

    def elapsed_time(self, end_event: Any) -> float:
        """Return the milliseconds from this event to `end_event`."""
        return float(_gpu().ask("elapsed_time", _event(self), _event(end_event)))


def _new_event(cls: Any, enable_timing: bool = False, blocking: bool = False, interprocess: bool = False, external: bool = False) -> Any:
    try:
        event = object.__new__(cls)
    except TypeError:  # a CUDA build, whose base is of C; it calls no driver before the event is recorded
        event = torch._C._CudaEventBase.__new__(cls)
    event._timing = bool(enable_timing)
    return event


def _no_init(self: object, *args: object, **kwargs: object) -> None:
    """Take any arguments: `__new__` has seen to them."""


class Stream:
    """Stand in for `torch.cuda.Stream` and `torch.Stream`."""

    device = torch.device("cuda", 0)
    device_index = priority = cuda_stream = stream_id = 0

    def __init__(self, device: object = None, priority: int = 0, **_: object) -> None:
        self._outer: list[Any] = []

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return torch.cuda.Stream

    def record_event(self, event: Any = None) -> Any:
        """Record an event on this stream; one made here does not measure time."""
        event = _cuda.Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event: Any) -> None:
        """Let this stream wait for an event."""
        event.wait(self)

    def wait_stream(self, stream: Any) -> None:
        """Let this stream wait for what another has been given so far."""
        _gpu().tell("wait_stream", _stream(self), _stream(stream))

    def query(self) -> bool:
        """Tell whether all work of this stream is done."""
        return bool(_gpu().ask("stream_done", _stream(self)))

    def synchronize(self) -> None:
        """Let the host wait for this stream."""
        _gpu().tell("stream_synchronize", _stream(self))

    def __enter__(self) -> Any:
        self._outer.append(_gpu().current)
        _set_stream(self)
        return self

    def __exit__(self, *_: object) -> None:
        _set_stream(self._outer.pop())


def _set_stream(stream: Any) -> None:
    if stream is not None:
        _stream(stream)
        _gpu().current = stream


class StreamContext:
    """Lend its methods to `torch.cuda.StreamContext`, which `torch.cuda.stream` returns."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream

    def __enter__(self) -> None:
        self.outer = _gpu().current
        _set_stream(self.stream)

    def __exit__(self, *_: object) -> None:
        _set_stream(self.outer)


class DeviceContext:
    """Lend its methods to `torch.cuda.device` and the like: there is one GPU, and it stays the current one."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None


class CudaTensors(TorchFunctionMode):
    """Keep tensors asked for on "cuda" here, and count the work done on them as work of the GPU."""

    WAITS = frozenset({"item", "tolist", "cpu", "numpy", "__bool__", "__float__", "__int__", "__repr__"})

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Do one operation of torch."""
        kwargs = kwargs or {}
        asked = func is torch.Tensor.cuda or (func is not torch.device and any(map(_is_cuda, (*args, *kwargs.values()))))
        result = _placed(func, args, kwargs) if asked else func(*args, **kwargs)
        if asked or any(getattr(a, "_on_gpu", False) for a in (*args, *kwargs.values())):
            if getattr(func, "__name__", "") in self.WAITS:
                _gpu().tell("stream_synchronize", _stream())
            elif isinstance(result, torch.Tensor):
                result._on_gpu = True  # type: ignore[attr-defined]
                _gpu().tell("move", _stream(), result.nbytes)
        return result


def _is_cuda(value: object) -> bool:
    return (isinstance(value, torch.device) and value.type == "cuda") or (isinstance(value, str) and value.split(":")[0] == "cuda")


def _placed(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Make a tensor on the CPU if it is small, else as a shape without data."""
    if func is torch.Tensor.cuda:
        return args[0].clone()

    def on(device: str) -> Any:
        return func(*(device if _is_cuda(a) else a for a in args), **{k: device if _is_cuda(v) else v for k, v in kwargs.items()})

    shape = on("meta")
    return on("cpu") if not isinstance(shape, torch.Tensor) or shape.nbytes <= SMALL else shape


def _clock(real: Callable[[], float], nanoseconds: bool) -> Callable[[], float]:
    def clock() -> float:
        if not _devices or get_ident() != _devices[-1].thread:  # other threads live in real time
            return real()
        milliseconds = float(_devices[-1].ask("clock"))
        return int(milliseconds * 1e6) if nanoseconds else milliseconds / 1e3

    return clock


def _sleeper(real: Callable[[float], None]) -> Callable[[float], None]:
    def sleep(seconds: float, /) -> None:
        if not _devices or get_ident() != _devices[-1].thread or not seconds >= 0:
            return real(seconds)
        return _devices[-1].tell("sleep", float(seconds) * 1e3)

    return sleep


def _always(value: object) -> Callable[..., object]:
    return lambda *args, **kwargs: value


_SHARED: dict[str, Callable[..., object]] = {
    "is_available": _always(True),
    "device_count": _always(1),
    "synchronize": lambda *device, **_: _gpu().tell("synchronize"),
    "current_stream": lambda *device, **_: _gpu().current,
    "set_stream": _set_stream,
    **dict.fromkeys(("empty_cache", "reset_peak_memory_stats"), _always(None)),
    **dict.fromkeys(("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved"), _always(0)),
}
_CUDA: dict[str, Callable[..., object]] = _SHARED | {
    "current_device": _always(0),
    "default_stream": lambda *device, **_: _gpu().default,
    "get_device_properties": _always(PROPERTIES),
    "_sleep": lambda cycles: _gpu().tell("spin", _stream(), cycles),
    **dict.fromkeys(("set_device", "init", "ipc_collect"), _always(None)),
}
_ACCELERATOR: dict[str, Callable[..., object]] = _SHARED | {
    "current_accelerator": _always(torch.device("cuda")),
    **dict.fromkeys(("current_device_index", "current_device_idx"), _always(0)),
    **dict.fromkeys(("set_device_index", "set_device_idx"), _always(None)),
}
_NVTX = dict.fromkeys(("range_push", "range_pop", "range_start", "range_end", "mark"), _always(0))
_CLOCKS = ("time", "perf_counter", "monotonic", "process_time", "thread_time")


@contextmanager
def simulation(gpu: Gpu, function: object) -> Iterator[Callable[[], None]]:
    """Run the block on the simulated GPU; yield the `fn` to be timed. `function` is the code that will use it."""
    device = Device(gpu)

    def fn() -> None:
        device.launch()

    fn.__qualname__ = "fn"  # Python names it so where it is called with an argument
    _devices.append(device)
    try:
        with Switches() as switches:
            for switch in (_switch_modules, _switch_classes, _switch_clocks):
                switch(switches)
            switches.reachable_from(function)
            with CudaTensors():
                yield fn
    finally:
        _devices.pop()
        device.flush()


def _switch_modules(switches: Switches) -> None:
    for module, stand_ins in ((torch.cuda, _CUDA), (torch.accelerator, _ACCELERATOR), (torch.cuda.nvtx, _NVTX)):
        for name, stand_in in stand_ins.items():
            switches.function(module, name, stand_in)
    switches.function(torch, "get_device_module", _always(torch.cuda))


def _switch_classes(switches: Switches) -> None:
    event, stream = torch.cuda.Event, torch.cuda.Stream
    switches.attribute(event, "__new__", staticmethod(_new_event))
    switches.attribute(event, "__init__", _no_init)
    switches.attribute(event, "__repr__", object.__repr__)
    switches.methods(event, Event, "record", "wait", "query", "synchronize", "elapsed_time")
    switches.attribute(stream, "__new__", staticmethod(lambda cls, *args, **kwargs: Stream(*args, **kwargs)))
    switches.methods(stream, Stream, "record_event", "wait_event", "wait_stream", "query", "synchronize")
    switches.methods(torch.cuda.StreamContext, StreamContext, "__init__", "__enter__", "__exit__")
    for context in (torch.cuda.device, getattr(torch.accelerator, "device_index", None)):
        if context:
            switches.methods(context, DeviceContext, "__enter__", "__exit__")
    switches.attribute(torch, "Event", Event)
    switches.attribute(torch, "Stream", Stream)


def _switch_clocks(switches: Switches) -> None:
    for name in (n + suffix for n in _CLOCKS for suffix in ("", "_ns")):
        if hasattr(time, name):  # some systems lack the clock of a thread
            switches.attribute(time, name, _clock(getattr(time, name), name.endswith("_ns")))
    switches.attribute(timeit, "default_timer", time.perf_counter)
    switches.attribute(time, "sleep", _sleeper(time.sleep))


def simulated(function: Callable[..., object], gpu: Gpu, *args: object, **kwargs: object) -> object:
    """Call `function(fn, *args, **kwargs)` on the simulated GPU and return its value."""
    with simulation(gpu, function) as fn:
        return function(fn, *args, **kwargs)


def sleeping(function: Callable[..., object], cycles: Sequence[int], *args: object, **kwargs: object) -> dict[str, object]:
    """Call `function(fn, *args, **kwargs)` on the real GPU, where call i of fn keeps it asleep for `cycles[i]`.

    The GPU is busy for a while before, so that its clock rate has risen. The value and the number of calls come back.
    """
    calls = 0

    def fn() -> None:
        nonlocal calls
        _cuda._sleep(cycles[min(calls, len(cycles) - 1)])
        calls += 1

    _cuda._sleep(sum(cycles))
    torch.cuda.synchronize()
    value = function(fn, *args, **kwargs)
    return {"value": value, "calls": calls}


PROBES: dict[str, Callable[..., object]] = {"simulated": simulated, "sleeping": sleeping}
