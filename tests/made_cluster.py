"""A real cluster made for the tests: a scheduler and workers, each a process of its own, as on several machines."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import made
from distributed import Client

BIN = Path(sys.executable).parent
SCHEDULER = ("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
WORKER = ("worker", "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard")


class Cluster:
    """A scheduler in `folder`, and workers as they are started."""

    def __init__(self, folder: Path, environment: dict[str, str] | None = None) -> None:
        self.folder, self.file = folder, folder / "scheduler.json"
        self.environment = (environment or made.ENVIRONMENT) | {"DASK_TEMPORARY_DIRECTORY": str(folder)}
        self.processes: list[subprocess.Popen[bytes]] = []
        self._start(*SCHEDULER, "--scheduler-file", self.file)
        while not self.file.is_file() or not self.file.read_text():
            assert self.processes[0].poll() is None, self.log(0)
            time.sleep(0.05)
        self.address = json.loads(self.file.read_text())["address"]

    def _start(self, *words: object, path: str | None = None) -> subprocess.Popen[bytes]:
        environment = self.environment | {"PATH": path or os.environ["PATH"]}
        with (self.folder / f"{len(self.processes)}.log").open("wb") as log:
            line = [BIN / "dask", *map(str, words)]
            self.processes.append(subprocess.Popen(line, cwd=self.folder, env=environment, stdout=log, stderr=log))
        return self.processes[-1]

    def worker(self, *words: str, path: str | None = None) -> subprocess.Popen[bytes]:
        """Start a worker with one slot."""
        return self._start(*WORKER, "--scheduler-file", self.file, *words, path=path)

    def wait(self, workers: int) -> None:
        """Wait until so many workers are there."""
        with Client(self.address, set_as_default=False) as client:
            client.wait_for_workers(workers, timeout=120)

    def log(self, number: int) -> str:
        """Return what a process has said."""
        return (self.folder / f"{number}.log").read_text(errors="replace")

    def close(self) -> None:
        """End all of it at once."""
        for process in self.processes:
            process.kill()
            process.wait()
