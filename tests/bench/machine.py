"""What this machine is, and what a process and all its descendants hold in memory; read from /proc alone."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from threading import Event, Thread
from types import TracebackType

PROC = Path("/proc")
PACKAGES = ("torch", "numpy", "otter-grader", "ipykernel", "ipython", "pydantic")


def describe() -> dict[str, str]:
    """Return the machine and the versions; no name that tells whose machine it is."""
    return {
        "cpu": f"{len(os.sched_getaffinity(0))} x {_field(PROC / 'cpuinfo', 'model name')}",
        "memory": f"{int(_field(PROC / 'meminfo', 'MemTotal').split()[0]) / 2**20:.1f} GiB",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "load before": f"{os.getloadavg()[0]:.2f}",
        "python": platform.python_version(),
        **{name: version(name) for name in PACKAGES},
        "bubblewrap": _bubblewrap(),
    }


def _field(path: Path, name: str) -> str:
    """Return the first value called `name` in a file of `name: value` lines."""
    found = re.search(rf"^{name}\s*:\s*(.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return found[1].strip() if found else "0 ?"


def _bubblewrap() -> str:
    if not shutil.which("bwrap"):
        return "none"
    return subprocess.run(["bwrap", "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]


def stolen() -> tuple[int, int]:
    """Return the processor ticks that a host has taken from this machine since boot, and all ticks."""
    ticks = [int(n) for n in (PROC / "stat").read_text(encoding="ascii").split("\n", 1)[0].split()[1:9]]
    return ticks[7], sum(ticks)


def family(root: int) -> list[int]:
    """Return `root` and all its living descendants."""
    parents = {int(p.name): _parent(p) for p in PROC.iterdir() if p.name.isdigit()}
    found = [root]
    for pid in found:  # it grows while it is read
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def _parent(process: Path) -> int:
    try:
        return int((process / "stat").read_text(encoding="utf-8", errors="replace").rsplit(")", 1)[1].split()[1])
    except OSError:
        return 0


@dataclass
class Peak:
    """The most that was seen at one moment, in MB; `biggest` is the largest single process."""

    rss: float = 0.0
    pss: float = 0.0
    biggest: float = 0.0
    processes: int = 0
    samples: int = 0
    unread: int = 0  # looks at a process whose PSS this user may not read, or that had just ended

    def look(self, root: int) -> None:
        """Take one sample of the family of `root`."""
        looks = [resident(pid) for pid in family(root)]
        alive = [look for look in looks if look is not None]
        self.samples += 1
        self.unread += len(looks) - len(alive)
        self.processes = max(self.processes, len(alive))
        self.rss = max(self.rss, sum(rss for rss, _ in alive))
        self.pss = max(self.pss, sum(pss for _, pss in alive))
        self.biggest = max(self.biggest, *(rss for rss, _ in alive), 0.0)

    def plain(self) -> dict[str, float]:
        """Return the numbers by name."""
        return asdict(self)


def resident(pid: int) -> tuple[float, float] | None:
    """Return RSS and PSS of one process in MB; PSS divides shared pages among those who share them."""
    try:
        text = (PROC / str(pid) / "smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return None
    rss, pss = (re.search(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE) for name in ("Rss", "Pss"))
    return (int(rss[1]) / 1024, int(pss[1]) / 1024) if rss and pss else None


class Watch:
    """Sample the family of a process every `seconds` inside the block."""

    def __init__(self, root: int, seconds: float) -> None:
        self.root, self.seconds, self.peak, self.stop = root, seconds, Peak(), Event()
        self.thread = Thread(target=self._look)

    def _look(self) -> None:
        while not self.stop.wait(self.seconds):
            self.peak.look(self.root)

    def __enter__(self) -> Peak:
        self.thread.start()
        return self.peak

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop.set()
        self.thread.join()
