"""One submission in front of a slot, and its functions as a check holds them: proxies to a worker."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from time import monotonic
from typing import Any

import numpy as np

from courselib.broken import Broken, Tampered
from courselib.proxy import Proxy, StudentError
from courselib.slot import Slot, Worker, mishap, words
from courselib.text import Text, say
from courselib.worker.cell import Cell

# Modules that cost a second to import, and what in a submission brings them in: the zygote imports them at the first sign.
SLOW_IMPORTS = {"torch._dynamo": re.compile(r"\boptim\b|torch\.compile|nn\.init|skip_init|_dynamo")}

TOGETHER = 3  # one check's questions have that many times what one has: a check asks some fifty, and a class must end
UNASKED = say("না চাইতেই grader-এর সংযোগে আরও কিছু পাঠিয়েছে", "sent more over the grader's channel than it was asked for")


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
        self.spent = 0.0
        self.cell = 0
        self.seen: list[tuple[str, Text]] = []  # what was done that no answer does, and at which check
        self.skipped: list[Text] = []
        self.told: dict[str, Any] = {}

    def begin(self, check: str, part: str = "") -> None:
        """Say which check the next questions are for; together they have `TOGETHER` times what each has."""
        self.check, self.part, self.spent = check, part, 0.0

    def load(self) -> dict[str, dict[str, Any]]:
        """Run the submission's cells in a fresh worker; return the names that each part's checks may hold."""
        self.told = self.ask({"do": "load", "cells": self.cells, "wanted": self.wanted, "skip": sorted(self.skip), "files": self.files})
        held = self.told.get("held") if isinstance(self.told, dict) else None
        if not isinstance(held, dict):
            raise Broken(say("ফাইলটি চালানো গেল না।", "the file could not be run."))
        left = self.told.get("left")
        others = {n: None for n in left if isinstance(n, str)} if isinstance(left, list) else {}  # for a did-you-mean
        names = others | self._names(held)
        return {part: names | self._names(_dict(_dict(self.told.get("told")).get(part))) for part in self.wanted}

    def _names(self, held: dict[Any, Any]) -> dict[str, Any]:
        mine = {n: v for n, v in held.items() if isinstance(n, str)}
        return {n: Remote(n, self) if isinstance(v, dict) and "function" in v else _value(v) for n, v in mine.items()}

    def ask(self, message: dict[str, Any]) -> Any:
        """Ask the worker, a fresh one if the last one broke; a worker that breaks is ended."""
        if self.worker is None:
            self.worker = self.slot.spawn(self.warm)
            if message["do"] != "load":
                self.load()
        began = monotonic()
        try:
            most = min(self.seconds, TOGETHER * self.seconds - self.spent)
            return self.worker.ask({**message, "check": self.check, "part": self.part}, most)
        except Broken as broken:
            self._broke(broken)
            raise
        finally:
            self.spent += monotonic() - began

    def _broke(self, broken: Broken) -> None:
        assert self.worker
        self.cell = self.worker.cell
        if isinstance(broken, Tampered):
            self.seen.append((self.check, broken.sign))
        self.worker.end()
        self.worker = None

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
        lines = [n for n in (words(n, 200) for n in told) if n][:5] if isinstance(told, list) else []
        return [
            *(say("একটি cell বাদ গেছে: {w}", "a cell was left out: {w}", w=w) for w in self.skipped),
            *(say("shell-এর লাইন চালানো হয়নি: {n}", "a shell line was not run: {n}", n=n) for n in lines),
        ]

    def close(self) -> None:
        """End the worker; it has answered all that it was asked."""
        if self.worker is not None:
            if self.worker.channel.pending():
                self.seen.append((self.check, UNASKED))
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
