from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from courselib import sandbox
from courselib.checks import CheckFile
from courselib.grader import Bench, Work, grade, here
from courselib.record import Record
from courselib.slot import Slot
from courselib.text import use_language

Grade = Callable[..., Record]
ROOT = Path(__file__).parent.parent

settings.register_profile("patient", deadline=None)  # a busy machine is no fault
settings.load_profile("patient")


@pytest.fixture(autouse=True)
def english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSELIB_LANG", "en")
    use_language("")


@pytest.fixture(scope="session")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return what `courselib release` writes, in a process of its own: Otter loaded here would change what `check` makes."""
    out = tmp_path_factory.mktemp("released")
    subprocess.run([sys.executable, "-m", "courselib", "release", "--out", out], cwd=ROOT, check=True, capture_output=True)
    return out


@pytest.fixture(scope="session", params=["namespaces", "process"])
def zygote(request: pytest.FixtureRequest) -> Iterator[sandbox.Zygote]:
    if request.param == "namespaces" and sandbox.choose("auto")[0] != "namespaces":
        pytest.skip(f"no namespaces on this machine: {sandbox.choose('auto')[1]}")
    started = sandbox.start(1, request.param)
    yield started
    started.close()


@pytest.fixture(scope="session")
def slot(zygote: sandbox.Zygote) -> Slot:
    return Slot(zygote.controls[0])


@pytest.fixture
def put(slot: Slot, zygote: sandbox.Zygote) -> Grade:
    """Put checks to a source, behind the wall."""

    def run(source: str | bytes, *checks: object, name: str = "x.py", seconds: float = 20) -> Record:
        data = source.encode() if isinstance(source, str) else source
        bench = Bench(CheckFile(Path("x.py"), checks), seconds, "")  # type: ignore[arg-type]
        return grade(Work("s", "unit/x", name, data), bench, slot, here(zygote.isolation))

    return run
