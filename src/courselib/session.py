"""One submission in front of a slot, and its functions as a check holds them: proxies to a worker."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from courselib.broken import Broken
from courselib.proxy import Proxy, StudentError
from courselib.slot import Slot, Worker, mishap
from courselib.text import Text, say
from courselib.worker.cell import Cell

# Modules that cost a second to import, and what in a submission brings them in: the zygote imports them at the first sign.
SLOW_IMPORTS = {"torch._dynamo": re.compile(r"\boptim\b|torch\.compile|nn\.init|skip_init|_dynamo")}


class Session:
    """One submission in front of a slot: loaded once, and again in a fresh worker after each break."""

    def __init__(
        self,
        slot: Slot,
        cells: list[Cell],
        wanted: Mapping[str, Sequence[str]],
        seconds: float,
        beside: Sequence[tuple[str, bytes]] = (),
    ) -> None:
        self.slot, self.cells, self.wanted, self.seconds = slot, cells, wanted, seconds
        self.files = [[name, np.frombuffer(data, np.uint8)] for name, data in beside]  # arrays cross as bare bytes
        self.warm = [module for module, sign in SLOW_IMPORTS.items() if any(sign.search(c["source"]) for c in cells)]
        self.skip: set[int] = set()
        self.worker: Worker | None = None
        self.check = self.part = ""
        self.cell = 0
        self.skipped: list[Text] = []
        self.told: dict[str, Any] = {}

    def load(self) -> dict[str, dict[str, Any]]:
        """Run the submission's cells in a fresh worker; return the names that each part's checks may hold."""
        self.told = self.ask({"do": "load", "cells": self.cells, "wanted": self.wanted, "skip": sorted(self.skip), "files": self.files})
        held = self.told.get("held") if isinstance(self.told, dict) else None
        if not isinstance(held, dict):
            raise Broken(say("ফাইলটি চালানো গেল না।", "the file could not be run."))
        left = self.told.get("left")
        others = {str(n): None for n in left} if isinstance(left, list) else {}  # known to be there, for a did-you-mean
        names = others | self._names(held)
        return {part: names | self._names(_dict(_dict(self.told.get("told")).get(part))) for part in self.wanted}

    def _names(self, held: dict[Any, Any]) -> dict[str, Any]:
        return {str(n): Remote(str(n), self) if isinstance(v, dict) and "function" in v else _value(v) for n, v in held.items()}

    def ask(self, message: dict[str, Any]) -> Any:
        """Ask the worker, a fresh one if the last one broke; a worker that breaks is ended."""
        if self.worker is None:
            self.worker = self.slot.spawn(self.warm)
            if message["do"] != "load":
                self.load()
        try:
            return self.worker.ask({**message, "check": self.check, "part": self.part}, self.seconds)
        except Broken:
            self.cell = self.worker.cell
            self.close()
            raise

    def moved(self, names: Sequence[str]) -> list[str]:
        """Return which of `names` a later cell has bound to something else than the part at hand is graded on."""
        told = _dict(_dict(self.told).get("moved")).get(self.part)
        words = {n for n in told if isinstance(n, str)} if isinstance(told, list) else set()
        return [n for n in names if n in words]

    def mishaps(self) -> list[Text]:
        """Return what the submission's own cells raised, as sentences."""
        told = self.told.get("mishaps") if isinstance(self.told, dict) else None
        return [StudentError(mishap(m)).sentence for m in told if isinstance(m, dict)] if isinstance(told, list) else []

    def asides(self) -> list[Text]:
        """Return notes on what was passed over: cells that broke a worker, shell lines."""
        told = self.told.get("notes") if isinstance(self.told, dict) else None
        lines = [str(n)[:200] for n in told or []][:5] if isinstance(told, list) else []
        return [
            *(say("একটি cell বাদ গেছে: {w}", "a cell was left out: {w}", w=w) for w in self.skipped),
            *(say("shell-এর লাইন চালানো হয়নি: {n}", "a shell line was not run: {n}", n=n) for n in lines),
        ]

    def close(self) -> None:
        """End the worker."""
        if self.worker is not None:
            self.worker.end()
            self.worker = None


def _dict(value: Any) -> dict[Any, Any]:
    return value if isinstance(value, dict) else {}


def _value(held: Any) -> Any:
    return held.get("value") if isinstance(held, dict) else None


class Remote(Proxy):
    """A student's function behind the wall."""

    def __init__(self, name: str, session: Session) -> None:
        super().__init__(name)
        self.session = session

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """Call the function in its worker."""
        return self.session.ask({"do": "call", "name": self.name, "args": list(args), "kwargs": kwargs})

    def each(self, calls: Sequence[tuple[object, ...]]) -> Iterator[Any]:
        """Call the function with each of `calls` in one message; the first that raises is the last that ran."""
        answers = self.session.ask({"do": "each", "name": self.name, "calls": [list(c) for c in calls]})
        answers = answers if isinstance(answers, list) else []
        for args, answer in zip(calls, [*answers, *[None] * len(calls)], strict=False):
            if not isinstance(answer, dict) or "value" not in answer:
                raise StudentError(mishap((answer or {}).get("mishap") if isinstance(answer, dict) else None), self.shown(args, {}))
            yield answer["value"]

    def probe(self, probe: str, *args: object, **kwargs: object) -> Any:
        """Run the probe beside the function, in its worker."""
        return self.session.ask({"do": "probe", "probe": probe, "name": self.name, "args": list(args), "kwargs": kwargs})
