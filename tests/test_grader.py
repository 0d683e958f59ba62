from __future__ import annotations

import json
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from conftest import Grade

from courselib import judge, sandbox
from courselib.checks import CheckFile, check
from courselib.grader import Bench, Work, grade, here
from courselib.session import TOGETHER
from courselib.slot import Slot
from courselib.text import in_language
from courselib.worker import landlock


@check("part", 2, bn="যোগ করে", en="adds two numbers")
def adds(add: Any) -> None:
    judge.close(judge.function(add, "add")(1, 2), 3, "add(1, 2)")


@check("part", 1, bn="দুবার ডাকে", en="calls fn twice")
def calls(twice: Any) -> None:
    seen: list[int] = []
    judge.function(twice, "twice")(lambda: seen.append(1))
    judge.equal(len(seen), 2, "calls of fn")


@check("part", 1, bn="ভুল পার করে দেয়", en="lets an exception through")
def passes_on(twice: Any) -> None:
    def fail() -> None:
        raise ZeroDivisionError("our own text")

    error = judge.raises("ZeroDivisionError", lambda: judge.function(twice, "twice")(fail), "twice")
    judge.equal(error.text, "our own text", "text")


@check("part", 1, bn="GPU লাগে", en="needs a GPU", requires="cuda")
def on_gpu(add: Any) -> None:
    raise AssertionError


@check("part", 1, bn="আমাদের ত্রুটি", en="a check with a fault of ours")
def faulty(add: Any) -> None:
    raise KeyError("ours")


GOOD = "def add(a, b): return a + b\ndef twice(f):\n    f(); f()\n"


def outcomes(record: Any) -> dict[str, str]:
    return {v.id: v.outcome for v in record.checks}


def message(record: Any, check: str) -> str:
    return next(v.message for v in record.checks if v.id == check)


def test_a_right_answer_earns_its_points_and_the_gpu_check_waits(put: Grade) -> None:
    record = put(GOOD, adds, calls, passes_on, on_gpu)
    assert outcomes(record) == {"adds": "passed", "calls": "passed", "passes_on": "passed", "on_gpu": "deferred"}
    assert (record.score, record.possible, record.deferred, record.status) == (4, 5, 1, "graded")


def test_a_wrong_answer_is_told_what_came(put: Grade) -> None:
    record = put("def add(a, b): return a * b\n" + GOOD.split("\n", 1)[1], adds, calls)
    assert outcomes(record) == {"adds": "failed", "calls": "passed"}
    assert message(record, "adds") == "add(1, 2): expected 3, 2 came."


def test_a_missing_name_is_a_failure_that_names_the_near_one(put: Grade) -> None:
    record = put("def ad(a, b): return a + b", adds)
    assert outcomes(record) == {"adds": "failed"}
    assert "Did you mean ad?" in message(record, "adds")


def test_an_exception_tells_its_line(put: Grade) -> None:
    record = put("def add(a, b):\n    return a.b\n", adds)
    assert outcomes(record) == {"adds": "error"}
    assert "AttributeError (x.py, line 2)" in message(record, "adds")


def test_a_syntax_error_tells_its_line(put: Grade) -> None:
    record = put(GOOD + "\ndef f(:\n", adds)
    assert "SyntaxError (x.py, line 5)" in message(record, "adds")
    assert record.status == "graded"


def test_names_made_before_a_failing_line_are_kept(put: Grade) -> None:
    record = put(GOOD + "raise RuntimeError('later')\n", adds, calls)
    assert outcomes(record) == {"adds": "passed", "calls": "passed"}
    assert "RuntimeError" in record.message


def test_a_fault_of_ours_is_not_the_students(put: Grade) -> None:
    record = put(GOOD, adds, faulty)
    assert outcomes(record) == {"adds": "passed", "faulty": "fault"}
    assert record.status == "fault"


def test_many_slow_calls_of_one_check_end_together(put: Grade) -> None:
    @check("part", 1, bn="বারবার ডাকে", en="calls often")
    def often(slow: Any) -> None:
        for _ in range(50):
            judge.function(slow, "slow")()

    put(GOOD, adds)  # the first waits for the zygote's imports
    began = monotonic()
    record = put("import time\ndef slow(): time.sleep(0.3)\ndef add(a, b): return a + b\n", often, adds, seconds=0.5)
    assert outcomes(record) == {"often": "timed_out", "adds": "passed"}
    assert monotonic() - began < TOGETHER * 0.5 + 3


ANSWERS = """
import json, os, struct
def frame(message):
    body = json.dumps([message, []]).encode()
    return struct.pack(">II", len(body), 0) + body
def add(a, b):
    os.write(3, frame({extra}))
    return {value}
"""


@pytest.mark.parametrize(
    "extra", ['{"value": 3}', '{"value": 3, "number": 1}', '{"mishap": None, "number": True}', '{"value": 3, "number": None}']
)
def test_an_answer_that_bears_no_number_of_ours_is_none(put: Grade, extra: str) -> None:
    record = put(ANSWERS.replace("{extra}", extra).replace("{value}", "0"), adds)
    assert outcomes(record) == {"adds": "error"}
    assert [s.what.en for s in record.tamper if s.where == "adds"] == ["what came over the grader's channel was no answer to a question"]


def test_what_is_sent_after_the_last_answer_is_noted_and_costs_nothing(put: Grade) -> None:
    source = """
from courselib.worker.serve import Server as server
from courselib.worker.wire import pack
def twice_over(self, reply):
    self.channel.link.sendall(pack(reply) + pack({"cell": 0}))
server._reply = twice_over
def add(a, b): return a + b
"""
    record = put(source, adds)
    assert outcomes(record) == {"adds": "passed"}
    assert "sent more over the grader's channel than it was asked for" in [s.what.en for s in record.tamper]


def test_a_check_that_breaks_the_worker_costs_no_other(put: Grade) -> None:
    record = put("import os\ndef add(a, b): os._exit(0)\n" + GOOD.split("\n", 1)[1], adds, calls)
    assert outcomes(record) == {"adds": "error", "calls": "passed"}
    assert "ended its process" in message(record, "adds")


def test_an_endless_loop_in_one_part_costs_no_other(put: Grade) -> None:
    record = put("def add(a, b):\n    while True: pass\n" + GOOD.split("\n", 1)[1], adds, calls, seconds=1)
    assert outcomes(record) == {"adds": "timed_out", "calls": "passed"}


def test_an_endless_loop_at_the_top_stops_the_file(put: Grade) -> None:
    record = put(GOOD + "while True: pass\n", adds, calls, on_gpu, seconds=1)
    assert outcomes(record) == {"adds": "timed_out", "calls": "not_run", "on_gpu": "deferred"}


def test_memory_has_a_limit(put: Grade) -> None:
    record = put(
        "import torch\ndef add(a, b): return torch.zeros(10**11)\ndef twice(f):\n    x = []\n    while True: x.append('a' * 10**7)",
        adds,
        calls,
    )
    assert outcomes(record) == {"adds": "out_of_memory", "calls": "out_of_memory"}


def test_the_record_is_one_line_of_json(put: Grade) -> None:
    line = put(GOOD, adds).line()
    told = json.loads(line)
    assert "\n" not in line
    assert told["schema"] == 1
    assert told["machine"]["isolation"] in ("namespaces", "process")
    assert len(told["submission_sha256"]) == 64


def test_sentences_are_in_the_language_of_the_run(put: Grade) -> None:
    with in_language("bn"):
        record = put("def add(a, b): return 0", adds)
    assert record.checks[0].name == "যোগ করে"
    assert "হওয়ার কথা" in record.checks[0].message


def notebook(*cells: str) -> bytes:
    return json.dumps(
        {"cells": [{"cell_type": "code", "source": c} for c in cells], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    ).encode()


def test_a_notebook_runs_cell_by_cell(put: Grade) -> None:
    record = put(
        notebook("def f(:", "1/0", GOOD, "%%time\nx = 1", "!pip install einops", "y = !ls", "%matplotlib inline", "await_ = 1"),
        adds,
        calls,
        name="n.ipynb",
    )
    assert outcomes(record) == {"adds": "passed", "calls": "passed"}
    assert "n.ipynb, cell 1" in record.message
    assert "!pip install einops" in record.message


def test_a_cell_that_kills_or_hangs_is_left_out(put: Grade) -> None:
    record = put(notebook(GOOD, "import os; os._exit(0)", "while True: pass", "exit()"), adds, calls, name="n.ipynb", seconds=2)
    assert outcomes(record) == {"adds": "passed", "calls": "passed"}
    assert "left out" in record.message


@pytest.mark.parametrize(
    "cell",
    [
        "%%time\n" + GOOD,
        "%timeit -n1 -r1 1\n" + GOOD,
        "%load_ext autoreload\n%autoreload 2\n" + GOOD,
        "import asyncio\nawait asyncio.sleep(0)\n" + GOOD,
    ],
)
def test_magics_mean_what_they_mean_in_a_notebook(put: Grade, cell: str) -> None:
    assert outcomes(put(notebook(cell), adds, calls, name="n.ipynb")) == {"adds": "passed", "calls": "passed"}


def test_a_notebook_exported_as_a_script(put: Grade) -> None:
    source = "get_ipython().system('pip install x')\nget_ipython().run_line_magic('matplotlib', 'inline')\n" + GOOD
    assert outcomes(put(source, adds, calls)) == {"adds": "passed", "calls": "passed"}


@pytest.mark.parametrize(
    "line", ["n = int(input('n? '))", "import getpass; getpass.getpass()", "import sys; sys.stdin.read(1)[0]", "breakpoint()"]
)
def test_code_that_waits_for_a_person_does_not_wait(put: Grade, line: str) -> None:
    assert outcomes(put(GOOD + line, adds, calls, seconds=5)) == {"adds": "passed", "calls": "passed"}


@pytest.mark.parametrize("line", ["torch.set_default_dtype(torch.float64)", "torch.set_grad_enabled(False)", "import os; os.chdir('/')"])
def test_library_state_is_brought_back_before_each_check(put: Grade, line: str) -> None:
    source = f"""
import torch, os
home = os.getcwd()
{line}
def add(a, b):
    x = torch.ones(1, requires_grad=True) * 3
    assert x.requires_grad and x.dtype == torch.float32 and os.getcwd() == home
    return x.item()
"""
    assert outcomes(put(source, adds)) == {"adds": "passed"}


def test_one_submission_leaves_nothing_to_the_next(put: Grade) -> None:
    traces = """
import builtins, sys, torch, os
builtins.add = lambda a, b: 3
torch.add3 = 1
sys.modules['left'] = sys
open('left.txt', 'w').write('x')
"""
    put(traces + GOOD, adds)
    record = put("import sys, torch, os\nassert 'left' not in sys.modules and not hasattr(torch, 'add3') and os.listdir('.') == []", adds)
    assert outcomes(record) == {"adds": "failed"}
    assert record.message == ""


def test_a_worker_imports_nothing_new_for_an_ordinary_answer(put: Grade) -> None:
    source = """
import sys
before = set(sys.modules)
import torch, numpy, math, statistics, fractions
torch.optim.AdamW([torch.zeros(1, requires_grad=True)])
assert not {m for m in set(sys.modules) - before if m.startswith(('torch', 'numpy', 'IPython'))}
"""
    assert put(source, adds).message == ""


@pytest.mark.parametrize(("data", "status"), [(b"", "unreadable"), (b"\xff\x00", "unreadable"), (b"x" * (21 * 2**20), "refused")])
def test_what_cannot_be_read_is_a_row_with_a_reason(put: Grade, data: bytes, status: str) -> None:
    record = put(data, adds)
    assert record.status == status
    assert outcomes(record) == {"adds": "not_run"}
    assert record.message.startswith("x.py")


def test_nothing_of_a_worker_is_left(put: Grade) -> None:
    orphan = """
import os
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv("/bin/sleep", ["orphan-x", "60"])
    os._exit(0)
"""
    put(orphan + "import time; time.sleep(0.2)\n" + GOOD, adds)
    for _ in range(50):
        left = [p for p in Path("/proc").glob("[0-9]*") if b"orphan-x" in command_line(p)]
        if not left:
            return
        sleep(0.1)
    raise AssertionError(left)


def command_line(process: Path) -> bytes:
    try:
        return (process / "cmdline").read_bytes()
    except OSError:  # it has just gone
        return b""


def test_where_addresses_cannot_be_limited_the_memory_held_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "MEMORY", 700 * 2**20)
    zygote = sandbox.start(1, resident=True)
    try:
        source = (
            b"import numpy\ndef add(a, b):\n    kept = []\n    while True: kept.append(numpy.ones(2**20))\ndef twice(f):\n    f(); f()\n"
        )
        bench = Bench(CheckFile(Path("x.py"), (adds, calls)), 20, "")
        record = grade(Work("s", "unit/x", "x.py", source), bench, Slot(zygote.controls[0]), here(zygote.isolation))
    finally:
        zygote.close()
    assert outcomes(record) == {"adds": "out_of_memory", "calls": "passed"}


LOADER = """\
from torch.utils.data import DataLoader
def add(a, b): return sum(int(batch.sum()) for batch in DataLoader([a, b], batch_size=1, num_workers=2))
"""


def test_a_loader_with_workers_runs_or_is_told_what_to_do(put: Grade) -> None:
    record = put(LOADER, adds)
    if record.machine.isolation == "namespaces" or not landlock.known():
        assert outcomes(record) == {"adds": "passed"}
    else:
        assert outcomes(record) == {"adds": "error"}
        assert message(record, "adds").startswith("add(1, 2): your code stopped with PermissionError (x.py, line 2): ")
        assert message(record, "adds").endswith("without bubblewrap no Pool and no DataLoader workers: use num_workers=0.")
