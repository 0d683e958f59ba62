"""Short programs of an author, run by PyTorch when a quiz is built: the key of a dtype or shape question is what they leave.

They are the course's own code, as its checks are. With CUDA's policy, `torch.autocast("cuda")` casts on this CPU as it would
on a GPU.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

from courselib.oracles.autocast import cuda_policy
from courselib.text import say
from courselib.trouble import Trouble


class _OnTheCpu(ast.NodeTransformer):
    """Name the CPU wherever a program names a GPU."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        return ast.copy_location(ast.Constant("cpu"), node) if node.value in ("cuda", "cuda:0") else node


def run(program: str, policy: str | None) -> dict[str, Any]:
    """Run a program with `torch` and `F` at hand and return its names; raise `Trouble` with the line where it fails."""
    names: dict[str, Any] = {"torch": torch, "F": torch.nn.functional}
    try:
        tree = ast.fix_missing_locations(_OnTheCpu().visit(ast.parse(program)))
        with torch.random.fork_rng(devices=[]), _as_on(policy):
            torch.manual_seed(0)
            exec(compile(tree, "<program>", "exec"), names)
    except (Exception, SystemExit) as fault:
        raise Trouble(say("program চলল না: {f}", "the program fails: {f}", f=f"{type(fault).__name__}: {fault}")) from fault
    return names


@contextmanager
def _as_on(policy: str | None) -> Iterator[None]:
    """Let autocast cast as CUDA's does, float16 where no dtype is named."""
    if policy is None:
        yield
        return
    usual = torch.get_autocast_dtype("cpu")
    with cuda_policy():
        torch.set_autocast_dtype("cpu", torch.float16)
        try:
            yield
        finally:
            torch.set_autocast_dtype("cpu", usual)


def dtype(names: dict[str, Any], name: str) -> str:
    """Return the dtype of a name, such as "float16"."""
    return str(_tensor(names, name).dtype).removeprefix("torch.")


def shape(names: dict[str, Any], name: str) -> list[int]:
    """Return the shape of a name."""
    return list(_tensor(names, name).shape)


def _tensor(names: dict[str, Any], name: str) -> torch.Tensor:
    try:
        value = eval(name, names)
    except Exception:
        value = None
    if not isinstance(value, torch.Tensor):
        raise Trouble(say("program-এর শেষে {n} কোনো tensor নয়", "{n} is no tensor when the program ends", n=name))
    return value
