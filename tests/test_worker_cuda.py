from __future__ import annotations

import ast
import functools
import runpy
import sys
import textwrap
import threading
import time
import timeit
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from courselib.oracles.gpu import INCOMPLETE, Script, SimulatedGpu, time_on_simulated_gpu
from courselib.proxy import Local, StudentError
from courselib.worker import cuda
from courselib.worker.cuda import PROBES, simulation
from courselib.worker.switch import Switches

ROOT = Path(__file__).parents[1]
WORK = Script((70.3, 149.2), (4.3, 36.4, 5.4, 14.2, 2.1))
GENERIC = (torch.Event, torch.Stream)
DEVICE_CONTEXT: Any = getattr(torch.accelerator, "device_index", torch.cuda.device)  # PyTorch 2.6 has none
reference = runpy.run_path(str(ROOT / "solutions/timing/cuda_ms.py"))["cuda_ms"]

LOOP = """
def cuda_ms(fn, warmup=3, reps=20):
    for _ in range(warmup):
        fn()
    times = []
    for _ in range(reps):
        a, b = {make}, {make}
        a.record()
        fn()
        b.record()
        {wait}
        times.append(a.elapsed_time(b))
    return sorted(times)[reps // 2]
"""


def submission(source: str) -> dict[str, Any]:
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(textwrap.dedent(source), "submission.py", "exec"), space)
    return space


def timed(function: Callable[..., Any], script: Script = WORK, **kwargs: Any) -> Any:
    return time_on_simulated_gpu(Local("cuda_ms", function), script, **({"warmup": 2, "reps": 5} | kwargs))


def held(owner: Any) -> dict[str, Any]:
    return {n: (v, getattr(v, "__code__", None), getattr(v, "__kwdefaults__", None)) for n, v in vars(owner).items() if n != "__builtins__"}


def everything() -> list[dict[str, Any]]:
    owners = [torch.cuda, torch.cuda.nvtx, torch.accelerator, time, timeit, torch.cuda.Event, torch.cuda.Stream, torch.cuda.StreamContext]
    return [held(o) for o in (*owners, torch.cuda.device, DEVICE_CONTEXT)] + [dict.fromkeys(GENERIC)]


def outcome(call: Callable[[], object]) -> str:
    try:
        return repr(call())
    except Exception as error:
        return f"{type(error).__name__}: {error}"


def fails(fn: Callable[[], object]) -> None:
    fn()
    torch.cuda.Event(enable_timing=True).record()
    raise KeyError("mine")


def leaves(fn: Callable[[], object]) -> None:
    torch.cuda.set_stream(torch.cuda.Stream())
    sys.exit(3)


def meddles(fn: Callable[[], object]) -> None:
    time.perf_counter = lambda: 0.0
    torch.cuda.is_available = lambda: False
    torch.cuda.Event.record = None  # type: ignore[assignment]
    del torch.cuda.Event.__init__


@pytest.mark.parametrize("function", [lambda fn: reference(fn, 1, 3), fails, leaves, meddles])
def test_nothing_stays_changed(function: Callable[..., object]) -> None:
    before, behaviour = everything(), [outcome(torch.cuda.is_available), outcome(torch.cuda.Event), outcome(torch.cuda.device_count)]
    try:
        PROBES["simulated"](function, SimulatedGpu(WORK))
    except (KeyError, SystemExit):
        assert function in (fails, leaves)
    assert everything() == before
    assert (torch.Event, torch.Stream) == GENERIC
    assert [outcome(torch.cuda.is_available), outcome(torch.cuda.Event), outcome(torch.cuda.device_count)] == behaviour


def test_a_call_that_python_has_specialised_follows_the_switch() -> None:
    def available() -> list[bool]:
        return [torch.cuda.is_available() for _ in range(50)]

    real = available()
    with simulation(SimulatedGpu(WORK), available):
        assert all(available())
    assert available() == real


USE = "(enable_timing=True)"
KIT = "import torch\nclass Kit:\n    "
HOLDERS = {
    "name": f"from torch import Event as E\nMAKE = lambda: E{USE}",
    "partial": "import functools, torch\nMAKE = functools.partial(torch.Event, 'cuda', enable_timing=True)",
    "argument of a partial": f"import functools, torch\nMAKE = functools.partial(lambda kind: kind{USE}, torch.Event)",
    "keyword of a partial": f"import functools, torch\nMAKE = functools.partial(lambda kind: kind{USE}, kind=torch.Event)",
    "default": f"import torch\ndef MAKE(kind=torch.Event): return kind{USE}",
    "keyword default": f"import torch\ndef MAKE(*, kind=torch.Event): return kind{USE}",
    "closure": f"import torch\ndef outer(kind):\n    return lambda: kind{USE}\nMAKE = outer(torch.Event)",
    "dict": f"import torch\nTOOLS = {{'event': [torch.Event]}}\nMAKE = lambda: TOOLS['event'][0]{USE}",
    "class attribute": f"{KIT}kind = torch.Event\nMAKE = lambda: Kit.kind{USE}",
    "base class": f"{KIT}kind = torch.Event\nclass More(Kit): pass\nMAKE = lambda: More().kind{USE}",
    "instance": f"{KIT}pass\nkit = Kit()\nkit.kind = torch.Event\nMAKE = lambda: kit.kind{USE}",
    "slot": f"{KIT}__slots__ = ('kind',)\nkit = Kit()\nkit.kind = torch.Event\nMAKE = lambda: kit.kind{USE}",
    "method": f"{KIT}def make(self, kind=torch.Event): return kind{USE}\nMAKE = Kit().make",
    "static method": f"{KIT}@staticmethod\n    def make(kind=torch.Event): return kind{USE}\nMAKE = lambda: Kit.make()",
    "property": f"{KIT}@property\n    def kind(self, kind=torch.Event): return kind\nMAKE = lambda: Kit().kind{USE}",
    "cached": f"import functools, torch\n@functools.lru_cache\ndef kind(kind=torch.Event): return kind\nMAKE = lambda: kind(){USE}",
    "decorated": f"import torch\n@torch.no_grad()\ndef MAKE(kind=torch.Event): return kind{USE}",
}


@pytest.mark.parametrize("holder", HOLDERS.values(), ids=HOLDERS)
def test_a_name_bound_before_follows_wherever_it_is_held(holder: str) -> None:
    space = submission(holder + LOOP.format(make="MAKE()", wait="b.synchronize()"))
    assert timed(space["cuda_ms"]).value == pytest.approx(5.4, abs=0.02)
    assert not any(v is cuda.Event for v in space.values())
    assert torch.Event is GENERIC[0]


def test_a_helper_module_of_the_student_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    helper = types.ModuleType("my_tools")
    exec("from torch import Event\nfrom time import sleep\ndef make(): sleep(5); return Event(enable_timing=True)", vars(helper))
    monkeypatch.setitem(sys.modules, "my_tools", helper)
    space = submission("import my_tools" + LOOP.format(make="my_tools.make()", wait="b.synchronize()"))
    began = time.monotonic()
    assert timed(space["cuda_ms"]).value == pytest.approx(5.4, abs=0.02)
    assert time.monotonic() - began < 5
    assert vars(helper)["Event"] is GENERIC[0]


class Prickly:
    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError("leave me alone")


def test_objects_that_refuse_to_be_looked_at_do_no_harm() -> None:
    imports = "prickly = loop = big = None\nfrom torch import Event"
    space = submission(imports + LOOP.format(make="Event(enable_timing=True)", wait="b.synchronize()"))
    space |= {"prickly": Prickly(), "loop": space, "big": list(range(10**6))}
    assert timed(space["cuda_ms"]).value == pytest.approx(5.4, abs=0.02)


def test_a_place_that_vanishes_is_no_trouble() -> None:
    space = submission("from torch import Event\ndef cuda_ms(fn, **k):\n    global Event\n    del Event\n    return 1.0")
    assert timed(space["cuda_ms"]).value == 1.0


def test_values_and_arguments_pass_through() -> None:
    seen: list[object] = []
    PROBES["simulated"](lambda *args, **kwargs: seen.extend((args[1:], kwargs)), SimulatedGpu(WORK), 4, reps=7)
    assert seen == [(4,), {"reps": 7}]


def test_fn_looks_like_a_plain_function_that_returns_nothing() -> None:
    with simulation(SimulatedGpu(WORK), None) as fn:
        assert (fn.__name__, fn()) == ("fn", None)  # type: ignore[func-returns-value]
        with pytest.raises(TypeError, match=r"^fn\(\) takes 0"):
            fn(1)  # type: ignore[call-arg]


def test_an_error_of_fn_comes_through_and_the_next_run_is_sound() -> None:
    for at in (0, 1, 4):
        gpu = SimulatedGpu(Script(WORK.warmup, WORK.reps, at, ZeroDivisionError("fn failed")))
        with pytest.raises(StudentError) as raised:
            Local("cuda_ms", reference).probe("simulated", gpu, warmup=2, reps=5)
        assert (raised.value.kind, raised.value.text, gpu.calls) == ("ZeroDivisionError", "fn failed", at + 1)
    assert timed(reference).value == pytest.approx(5.4, abs=0.02)


def test_calls_are_counted_even_if_nothing_waits_for_them() -> None:
    assert timed(lambda fn, **k: [fn() for _ in range(9)]).calls == 9


def test_few_round_trips_are_made() -> None:
    trips, simulated = 0, SimulatedGpu(WORK)

    def gpu(commands: list[list[object]]) -> Any:
        nonlocal trips
        trips += 1
        return simulated(commands)

    PROBES["simulated"](reference, gpu, warmup=2, reps=5)
    assert trips == 1 + 5  # a greeting, and one question for each repetition


def test_a_long_queue_is_sent_before_it_grows_too_large() -> None:
    sizes: list[int] = []
    simulated = SimulatedGpu(WORK)

    def gpu(commands: list[list[object]]) -> Any:
        sizes.append(len(commands))
        return simulated(commands)

    PROBES["simulated"](lambda fn: [fn() for _ in range(1000)] and None, gpu)
    assert max(sizes) == cuda.BATCH


def test_an_unfinished_event_cannot_be_read() -> None:
    def hasty(fn: Callable[[], object], **_: object) -> float:
        a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        a.record()
        fn()
        b.record()
        return float(a.elapsed_time(b))

    with pytest.raises(StudentError) as raised:
        timed(hasty)
    assert (raised.value.kind, raised.value.text) == ("RuntimeError", INCOMPLETE)


def test_clocks_are_virtual_for_the_student_and_real_for_other_threads() -> None:
    def reads(fn: Callable[[], object], **_: object) -> list[object]:
        start, stamp = time.perf_counter(), time.time_ns()
        time.sleep(3600)
        fn()
        torch.cuda.synchronize()
        others: list[float] = []
        thread = threading.Thread(target=lambda: others.append(time.perf_counter()))
        thread.start()
        thread.join()
        return [time.perf_counter() - start, time.time_ns() - stamp, timeit.default_timer() - start, others[0]]

    began = time.perf_counter()
    virtual, nanoseconds, default, real = timed(reads).value
    assert virtual == pytest.approx(3600.0703, abs=1e-3)
    assert nanoseconds == pytest.approx(3600.0703e9, abs=1e6)
    assert default == pytest.approx(virtual, abs=1e-3)
    assert began < real < began + 60


def test_sleep_refuses_what_it_always_refused() -> None:
    with simulation(SimulatedGpu(WORK), None), pytest.raises(ValueError, match="non-negative"):
        time.sleep(-1)


def test_what_is_not_an_event_or_a_stream_is_refused() -> None:
    with simulation(SimulatedGpu(WORK), None):
        event: Any = torch.cuda.Event(enable_timing=True)
        for call in (lambda: event.record("s"), lambda: event.elapsed_time(3), lambda: event.wait(event), lambda: torch.cuda.set_stream(1)):  # type: ignore[arg-type]
            with pytest.raises(TypeError, match="expected a"):
                call()


def test_objects_kept_from_an_earlier_run_serve_again_and_are_dead_between() -> None:
    pool: list[Any] = []

    def keeps(fn: Callable[[], object], **_: object) -> float:
        if not pool:
            pool.extend([torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True), torch.cuda.Stream(), fn])
        a, b, stream, _old = pool
        with torch.cuda.stream(stream):
            a.record()
            fn()
            b.record()
        stream.synchronize()
        return float(a.elapsed_time(b))

    for _ in range(2):
        assert timed(keeps).value == pytest.approx(70.3, abs=0.02)
    for dead in (pool[2].synchronize, pool[3]):
        with pytest.raises(RuntimeError, match="gone"):
            dead()


def test_tensors_on_cuda_are_made_here_and_waited_for_by_item() -> None:
    def uses(fn: Callable[[], object], **_: object) -> list[object]:
        large = torch.empty(2**28, dtype=torch.int8, device="cuda")
        small = torch.ones(3, device=torch.device("cuda", 0)) + torch.ones(3).cuda() + torch.ones(3).to("cuda:0")
        a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        a.record()
        large.zero_()
        b.record()
        return [small.sum().item(), large.shape[0], a.elapsed_time(b)]

    total, size, elapsed = timed(uses).value
    assert (total, size) == (9.0, 2**28)
    assert elapsed > 1


def test_the_usual_questions_about_the_gpu_are_answered() -> None:
    with simulation(SimulatedGpu(WORK), None), torch.cuda.device(0), torch.cuda.nvtx.range("x"), DEVICE_CONTEXT(0):
        assert torch.cuda.is_available()
        assert torch.accelerator.current_accelerator() == torch.device("cuda")
        assert (torch.cuda.device_count(), torch.cuda.current_device(), torch.cuda.get_device_name()) == (1, 0, "Simulated GPU")
        assert torch.cuda.memory_allocated() == torch.cuda.max_memory_allocated() == 0
        assert torch.get_device_module() is torch.cuda
        assert isinstance(torch.cuda.current_stream(), torch.cuda.Stream)
        assert isinstance(torch.Stream(device="cuda"), torch.Stream)
        torch.cuda.empty_cache()
        torch.manual_seed(0)
        with torch.cuda.device("cuda"), torch.cuda.device(None), torch.cuda.device(torch.device("cuda", 0)):
            torch.cuda.synchronize("cuda:0")


def test_streams_nest_and_come_back() -> None:
    with simulation(SimulatedGpu(WORK), None):
        first, side, other = torch.cuda.current_stream(), torch.cuda.Stream(), torch.Stream(device="cuda")
        with torch.cuda.stream(side):
            with torch.cuda.stream(None), other:
                assert torch.cuda.current_stream() is other
            assert torch.cuda.current_stream() is side
        assert torch.cuda.current_stream() is first is torch.cuda.default_stream()
        assert side.record_event().query()


def test_sleeping_follows_the_list_and_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[int] = []
    monkeypatch.setattr(torch.cuda, "_sleep", slept.append)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: None)
    told = PROBES["sleeping"](lambda fn, n: [fn() for _ in range(n)] and 1.5, [10, 20, 30], 4)
    assert told == {"value": 1.5, "calls": 4}
    assert slept == [60, 10, 20, 30, 30]


def test_a_function_that_this_torch_lacks_is_passed_over() -> None:
    with Switches() as switches:
        switches.function(torch.cuda, "no_such_function", lambda: None)
        switches.function(functools, "lru_cache", lambda: 1)
        assert not hasattr(torch.cuda, "no_such_function")
        assert functools.lru_cache() == 1
    assert callable(functools.lru_cache())


@pytest.mark.parametrize("module", ["cuda", "switch"])
def test_the_worker_side_knows_nothing_of_the_checker(module: str) -> None:
    tree = ast.parse((ROOT / f"src/courselib/worker/{module}.py").read_text(encoding="utf-8"))
    names = {n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    names |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    assert all(n.partition(".")[0] in sys.stdlib_module_names | {"torch"} or n.startswith("courselib.worker.") for n in names)
