from __future__ import annotations

from pathlib import Path

import pytest
from conftest import ROOT
from hypothesis import given, settings
from hypothesis import strategies as st
from made_records import record, verdict, write

from courselib import figures, reports, run
from courselib.page import for_student, page_name, write_all
from courselib.record import Record
from courselib.submission import Unreadable, read
from courselib.tamper import LONGEST, MOST, sign, signs
from courselib.text import say

HONEST = sorted([*ROOT.glob("tests/submissions/*/*/*.*"), *ROOT.glob("solutions/*/*.py"), *ROOT.glob("exercises/*/*.py")])
TAMPERING = {"mehedi_hasan/cuda_ms.py", "mehedi_hasan/memory_arithmetic.py", "tasnim_karim/memory_arithmetic.py"}


def seen(*sources: str) -> list[tuple[str, str]]:
    cells = [{"name": f"cell {i}" if len(sources) > 1 else "x.py", "source": s} for i, s in enumerate(sources, 1)]
    return [(s.where, s.what.en) for s in signs(cells)]  # type: ignore[arg-type]


def names(*sources: str) -> list[str]:
    return [what.split(":")[0] for _, what in seen(*sources)]


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import os\nos.kill(1, 9)", "os.kill"),
        ("import os as system, math\nif 1: system.kill(1, 9)", "os.kill"),
        ("from os import kill as stop", "os.kill"),
        ("from os import (\n    path,\n    _exit,\n)", "os._exit"),
        ("try: import ctypes.util\nexcept ImportError: pass", "ctypes.util"),
        ("x = __import__('ctypes')", "ctypes"),
        ("import gc\n[o for o in gc.get_objects()]", "gc.get_objects"),
        ("import sys\nf = sys._getframe(); f.f_back", "sys._getframe"),
        ("def f(error): return error.__traceback__.tb_frame", "tb_frame"),
        ("().__class__.__base__.__subclasses__()", "__subclasses__"),
        ("from courselib import oracles", "courselib.oracles"),
        ("import sys\nsys.modules['courselib.worker.wire']", "courselib.worker.wire"),
        ("import time\ntime.perf_counter = lambda: 0", "time.perf_counter"),
        ("import torch\ntorch.cuda.Event = None", "torch.cuda.Event"),
        ("open(f'/proc/{1}/mem')", "/proc/"),
        ("open('/proc/self/fd/3', 'wb')", "/proc/self/fd"),
        ("import os\nos.listdir('/proc')", "/proc"),
        ("open('/autograder/results/results.json', 'w')", "/autograder/"),
        ("%%time\nimport os\n!ls\nos.fork()", "os.fork"),
    ],
)  # fmt: skip
def test_a_sign_has_its_name(source: str, name: str) -> None:
    assert name.rstrip("/") in [n.rstrip("/") for n in names(source)]


def test_a_sign_has_its_line_and_its_reason() -> None:
    assert seen("import os\n\n\ndef f():\n    os.kill(1, 9)\n") == [("x.py:5", "os.kill: signals, ends or starts processes")]


def test_what_one_cell_imports_another_may_use() -> None:
    assert seen("import os", "os.fork()") == [("cell 2:1", "os.fork: signals, ends or starts processes")]


@pytest.mark.parametrize(
    "source",
    [
        "# os.kill and ctypes, sys._getframe",
        '"""Do not use os.kill, ctypes or gc.get_objects; courselib check says so."""',
        "print('courselib check, os.kill, ctypes is not needed')",
        "import os, time, math\nos.path.join('a'); t = time.time(); math.isclose(1, 1)",
        "def f(time=3, math=2): return time",
        "import time\nx.time = time.time()\nassert time.time() == 3",
        "import torch\ntorch.backends.cudnn.benchmark = True\ntorch.backends.cuda.matmul.allow_tf32 = False",
        "import torch\ntorch.set_float32_matmul_precision('high')\nx = torch.cuda.Event(enable_timing=True)",
        "class Kill:\n    def kill(self): self.kill = 1\nos = Kill(); os.kill()",
        "open('/proc/meminfo'); open('/proc/self/status'); open('/proc/cpuinfo')",
        "import gc\ngc.collect(); gc.disable()\nimport sys; sys.getsizeof(1)",
        "import subprocess\nsubprocess.run(['nvidia-smi'])\nimport multiprocessing",
        "results = 'results.json'; score = 10",
        "write = 1; fork = 2; settrace = 3; kill = 4\nprint(write, fork, settrace, kill)",
    ],
)
def test_ordinary_code_bears_none(source: str) -> None:
    assert seen(source) == []


def test_no_kept_submission_is_suspected() -> None:
    assert len(HONEST) > 300
    for path in HONEST:
        assert signs(read(path.name, path.read_bytes()).cells) == [], path


def test_of_the_example_class_only_those_who_tampered_are_named() -> None:
    found = set()
    for path in sorted(ROOT.glob("examples/class/*/*.*")):
        try:
            cells = read(path.name, path.read_bytes()).cells
        except Unreadable:
            continue
        if signs(cells):
            found.add(f"{path.parent.name}/{path.name}")
    assert found == TAMPERING


def test_signs_are_few_and_each_stands_once() -> None:
    source = "import os\n" + "os.kill(1, 9); os.kill(2, 9)\n" * 50
    assert len(seen(source)) == len(set(seen(source))) == MOST


@settings(deadline=None)
@given(st.text(max_size=80) | st.text("os.kil()\n'\"#\\{}[] import=f\t%", max_size=80))
def test_no_source_is_more_than_signs(text: str) -> None:
    for made in signs([{"name": "x.py\x1b", "source": f"import os\n{text}\nos.kill(1, 9)"}]):
        assert "\x1b" not in made.where
        assert made.what.bn


TOWERS = {
    "brackets": "(" * 100_000,
    "dots": "x" + ".a" * 100_000,
    "signs": "-" * 100_000 + "1",
    "indents": "\n".join(" " * i + "if x:" for i in range(500)),
    "quotes": "'" * LONGEST,
    "equals": "a=" * 100_000,
}


@pytest.mark.parametrize("source", TOWERS.values(), ids=TOWERS)
def test_no_tower_hurts_the_reader(source: str) -> None:
    assert isinstance(seen(f"import os; os.kill\n{source}"), list)


def suspected(**told: object) -> Record:
    shown = sign("cuda_ms.py:3<b>", say("os.kill: <script>সংকেত", "os.kill: <script>signals"))
    return record("rahim", verdict(), tamper=(shown,), **told)


def test_the_instructors_report_shows_signs_and_the_students_page_none(tmp_path: Path) -> None:
    write_all(write(tmp_path, [suspected(), record("salma", verdict())]), ["u/one"])
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Look at these" in report
    assert "<code>cuda_ms.py:3&lt;b&gt;</code>" in report
    assert "os.kill: &lt;script&gt;signals" in report
    assert "os.kill: &lt;script&gt;সংকেত" in report
    for student in ("rahim", "salma"):
        page = (tmp_path / "students" / page_name(student)).read_text(encoding="utf-8")
        assert "os.kill" not in page
        assert "Look at these" not in page


def test_a_class_without_signs_has_no_such_section(tmp_path: Path) -> None:
    write_all(write(tmp_path, [record("salma", verdict())]), ["u/one"])
    assert "Look at these" not in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_sign_changes_no_mark_and_no_export(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    records = {"a": suspected(), "b": record("rahim", verdict())}
    folders = [write(tmp_path / name, [r]) for name, r in records.items()]
    rows = [next(reports.by_student(folder)) for folder in folders]
    assert for_student(rows[0][0]) == for_student(rows[1][0])
    told = [reports.write_reports(folder, ["u/one"]) for folder in folders]
    for name in ("grades.csv", "checks.csv"):
        assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()
    assert [run.summary(folders[i], told[i], ["u/one"], say("দেয়াল", "the wall")) for i in (0, 1)] == [0, 0]
    shown = capsys.readouterr().out
    assert shown.count("1 to look at") == 1
    assert "rahim · u/one: cuda_ms.py:3<b>: os.kill: <script>signals" in shown


def test_a_terminal_gets_no_control_characters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = write(tmp_path, [record("\x1b[2J[bold]owned\r", verdict(), status="refused", message="\x1b]0;x\x07")])
    run.summary(folder, reports.write_reports(folder, ["u/one"]), ["u/one"], say("দেয়াল", "the wall"))
    shown = capsys.readouterr().out
    assert "[bold]owned" in shown
    assert not set(shown) & {"\x1b", "\x07", "\r"}


def test_a_record_of_an_older_run_has_none(tmp_path: Path) -> None:
    line = record("rahim", verdict()).line().replace(', "tamper": []', "")
    assert "tamper" not in line
    (tmp_path / "results.jsonl").write_text(line + "\n", encoding="utf-8")
    assert reports.write_reports(tmp_path, ["u/one"]).signs == []
    assert figures.gather(reports.by_student(tmp_path), ["u/one"]).tamper == []
