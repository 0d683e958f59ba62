from __future__ import annotations

import contextlib
import itertools
import re
import runpy
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from unittest import mock

import pytest
import torch
from torch.nn import functional as F

from courselib.oracles import operations
from courselib.oracles.autocast import LISTS, cuda_policy, list_of
from courselib.oracles.operations import OPERATIONS, Row, program_dtypes, region, result_dtype, result_dtypes, rule_of
from courselib.proxy import local

ROOT = Path(__file__).parents[1]
DTYPES = ("float16", "bfloat16", "float32", "float64")
PROGRAM = {"h": "float16", "weight": "float32", "loss": "float32", "weight_grad": "float32"}
HALF = torch.ones(4, 4, dtype=torch.float16)


def grid() -> Iterator[Row]:
    for op, operation in OPERATIONS.items():
        for dtypes in itertools.product(DTYPES, repeat=len(operation.shapes)):
            for autocast in ("float16", "bfloat16", None):
                yield op, dtypes, autocast


def outcome(row: Row, device: str = "cpu") -> str | None:
    try:
        return result_dtype(*row, device)
    except RuntimeError:
        return None


@cache
def outcomes() -> dict[Row, str | None]:
    with cuda_policy():
        return {row: outcome(row) for row in grid()}


@contextlib.contextmanager
def pretended_cuda() -> Iterator[None]:
    """Fake CUDA tensors under PyTorch's own C++ kernels: forward only, for autograd would end this process."""
    fake_tensor = pytest.importorskip("torch._subclasses.fake_tensor")
    absent = mock.patch("torch.cuda.amp.common.amp_definitely_not_available", return_value=False)
    bfloat16 = mock.patch("torch.cuda.is_bf16_supported", return_value=True)
    with fake_tensor.FakeTensorMode(), torch.no_grad(), absent, bfloat16:
        yield


def listed_by_pytorch(title: str) -> list[str]:
    header = Path(torch.__file__).parent / "include/ATen/autocast_mode.h"
    if not header.exists():
        pytest.skip("this PyTorch came without its C++ headers")
    source = header.read_text(encoding="utf-8").replace("\\\n", " ")
    macro = re.search(rf"#define AT_FORALL_{title}\(_\)(.*)", source)
    assert macro, title
    return re.findall(r'"(\S+)"', macro[1]) or [".".join(e.split(", ")) for e in re.findall(r"_\(([\w, ]+)\)", macro[1])]


@pytest.mark.parametrize("title", LISTS)
def test_lists_are_those_of_the_installed_pytorch(title: str) -> None:
    ours, theirs = LISTS[title].split(), listed_by_pytorch(title)
    asked = {operation.aten or op for op, operation in OPERATIONS.items()}
    assert asked.intersection(ours) == asked.intersection(theirs)
    if torch.__version__ >= "2.13":  # older PyTorch lists a few operations less, none that the exercise asks about
        assert ours == theirs


def test_policy_agrees_with_the_real_cuda_kernels_on_every_row() -> None:
    rows = outcomes()
    with pretended_cuda():
        # Fake tensors do not look at whether the dtypes of a product go together: rows that raise are another test's.
        real = {row: outcome(row, "cuda") for row, dtype in rows.items() if dtype}
    assert {row: (rows[row], dtype) for row, dtype in real.items() if rows[row] != dtype} == {}
    assert len(real) > 900


@pytest.mark.cuda
def test_policy_agrees_with_a_gpu_on_every_row() -> None:
    rows = outcomes()
    assert {row: dtype for row, dtype in rows.items() if dtype and outcome(row, "cuda") != dtype} == {}
    assert program_dtypes("cuda") == PROGRAM


def test_disabled_region_inside_an_enabled_one_is_autocast_none() -> None:
    with cuda_policy(), region("float16", "cpu"):
        nested = {row: outcome(row) for row in grid() if row[2] is None}
    assert nested == {row: dtype for row, dtype in outcomes().items() if row[2] is None}


def test_reference_agrees_with_the_oracle_on_every_row() -> None:
    reference = runpy.run_path(str(ROOT / "solutions/precision/dtype_prediction.py"))
    predicted = {row: reference["autocast_dtype"](row[0], list(row[1]), row[2]) for row, dtype in outcomes().items() if dtype}
    assert {row: dtype for row, dtype in predicted.items() if dtype != outcomes()[row]} == {}
    assert reference["predictions"] == program_dtypes() == PROGRAM


def test_the_calls_shown_to_the_student_are_the_oracle_s() -> None:
    calls = runpy.run_path(str(ROOT / "solutions/precision/dtype_prediction.py"))["CALLS"]
    assert list(calls) == sorted(OPERATIONS)
    classes = torch.zeros(4, dtype=torch.int64)
    for op, operation in OPERATIONS.items():
        names = "abc"[: len(operation.shapes)]
        inputs = {n: torch.ones(shape) for n, shape in zip(names, operation.shapes, strict=True)}
        assert set(re.findall(r"\b[abc]\b", calls[op])) == set(names)
        shown = eval(calls[op], {"torch": torch, "F": F, "classes": classes}, inputs)
        assert op == "dropout" or torch.equal(shown, operation.run(*inputs.values()))


def test_backward_is_real_under_the_policy() -> None:
    linear, x = torch.nn.Linear(4, 2), torch.ones(3, 4)
    with cuda_policy(), torch.autocast("cpu", dtype=torch.float16):
        h = torch.softmax(linear(x), dim=-1)
        F.mse_loss(h, torch.zeros(3, 2)).backward()  # type: ignore[no-untyped-call]
    assert h.dtype == torch.float32
    assert linear.weight.grad is not None
    assert linear.weight.grad.abs().sum() > 0


def test_policy_keeps_a_dtype_that_was_asked_for_and_bans_binary_cross_entropy() -> None:
    with cuda_policy(), torch.autocast("cpu", dtype=torch.float16):
        assert torch.softmax(HALF, -1, dtype=torch.float16).dtype == torch.float16
        assert HALF.sum(dtype=torch.float16).dtype == torch.float16
        assert HALF.norm(2).dtype == torch.float32
        with pytest.raises(RuntimeError, match="unsafe to autocast"):
            F.binary_cross_entropy(HALF, HALF)


def test_policy_is_gone_after_the_block_even_after_an_error() -> None:
    with pytest.raises(ZeroDivisionError), cuda_policy():
        raise ZeroDivisionError
    with torch.autocast("cpu", dtype=torch.float16):
        assert torch.softmax(HALF, -1).dtype == torch.float16
        assert F.binary_cross_entropy(HALF, HALF).dtype == torch.float32
        assert torch.cat([HALF, HALF.float()]).dtype == torch.float32


@pytest.mark.parametrize("name", ["_ExcludeDispatchKeyGuard", "DispatchKeySet", "_dispatch_get_registrations_for_dispatch_key"])
def test_another_pytorch_without_a_private_name_is_told_in_one_sentence(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(torch._C, name)
    with pytest.raises(RuntimeError, match=rf"torch {re.escape(torch.__version__)} cannot run .*{name}"), cuda_policy():
        pass


def test_oracle_leaves_this_process_as_it_was_and_does_not_follow_its_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    program_dtypes.cache_clear()
    result_dtypes.cache_clear()
    before = torch.random.get_rng_state()
    torch.set_default_dtype(torch.float64)
    torch.set_grad_enabled(False)
    try:
        assert program_dtypes() == PROGRAM
        assert result_dtypes((("dropout", ("float16",), "float16"), ("exp", ("float16",), "float16"))) == ("float16", "float32")
    finally:
        torch.set_default_dtype(torch.float32)
        torch.set_grad_enabled(True)
    assert torch.equal(before, torch.random.get_rng_state())


def test_oracle_is_quick() -> None:
    rows = tuple(itertools.islice((row for row, dtype in outcomes().items() if dtype), 0, None, 10))
    began = time.perf_counter()
    operations.result_dtypes(rows)
    assert time.perf_counter() - began < 0.5


def test_lists_are_found_by_name() -> None:
    found = [list_of(n) for n in ("linear", "pow", "sum", "dot", "mean")]
    assert found == ["LOWER_PRECISION_FP", "FP32", "FP32_SET_OPT_DTYPE", "PROMOTE", None]


def test_rules_told_to_the_student_agree_with_the_oracle() -> None:
    for (op, dtypes, autocast), dtype in outcomes().items():
        rule = rule_of(op, dtypes, autocast)
        wanted = {"float64": "float64", "lower_precision": autocast, "float32": "float32", "own": dtypes[0]}
        assert dtype in (None, wanted.get(rule, dtype)), (op, dtypes, autocast)


def test_checks_that_need_a_gpu_run_the_same_way_on_the_cpu() -> None:
    reference = runpy.run_path(str(ROOT / "solutions/precision/dtype_prediction.py"))
    checks = runpy.run_path(str(ROOT / "autograder/precision/dtype_prediction.py"))
    assert {op for op, _, _ in checks["EVERY_OPERATION"]} == set(OPERATIONS)
    checks["compare"](local("autocast_dtype", reference["autocast_dtype"]), checks["EVERY_OPERATION"])
    for key in PROGRAM:
        checks["predict"](local("predictions", reference["predictions"]), key)
    with pytest.raises(AssertionError, match="softmax"):
        checks["compare"](local("autocast_dtype", lambda op, dtypes, autocast: "float16"), (("softmax", ("float16",), "float16"),))
