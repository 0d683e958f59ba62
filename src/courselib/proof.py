"""The proof before grading: an exercise's checks must pass on its own reference, in this trusted process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import torch

from courselib.checks import CheckFile
from courselib.proxy import local
from courselib.text import say
from courselib.trouble import Trouble

COMPILER = "torch._dynamo"


def prove(checks: CheckFile, solution: str | None) -> None:
    """Put the checks to the reference solution in this process: it must pass, and expected values are then at hand.

    Where there is no solution (a student's bundle) there is nothing to prove.
    """
    if solution is None:
        return
    with without_compiler():
        _run(checks, compile(solution, f"solutions/{checks.path.parent.name}/{checks.path.name}", "exec"))


def _run(checks: CheckFile, solution: Any) -> None:
    space: dict[str, Any] = {"__name__": "solution"}
    exec(solution, space)
    names = {n: local(n, v) for n, v in space.items() if not n.startswith("__")}
    for check in checks.checks:
        if check.deferred:
            continue
        try:
            check.run(names)
        except Exception as fault:
            raise Trouble(
                say(
                    "{p}: reference solution-ই “{c}” check-এ পাশ করে না: {f}",
                    "{p}: the reference solution itself does not pass the check “{c}”: {f}",
                    p=checks.path.name,
                    c=check.name,
                    f=fault,
                )
            ) from fault


@contextmanager
def without_compiler() -> Iterator[None]:
    """Keep PyTorch's compiler out of this process inside the block.

    An optimizer imports it at its first use, for two seconds, only to say that it is not to be compiled.
    """
    if COMPILER in sys.modules:
        yield
        return
    idle = ModuleType(COMPILER)
    vars(idle).update(disable=lambda function, *args, **kwargs: function, graph_break=lambda *args, **kwargs: None)
    sys.modules[COMPILER] = torch._dynamo = idle
    try:
        yield
    finally:
        del sys.modules[COMPILER], torch._dynamo
