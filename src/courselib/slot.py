"""One slot of the grader: it asks the zygote for workers and talks to one worker at a time.

Everything that comes from a worker is hostile until it has been checked here: a worker can lie, babble,
hang or die, and each of these is an outcome of the check that it hit, never more.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import Any

from courselib.proxy import Proxy, StudentError
from courselib.sandbox import CPU_SECONDS, MEMORY
from courselib.text import Text, say
from courselib.worker.mishap import Mishap
from courselib.worker.plain import WireError
from courselib.worker.shell import Cell
from courselib.worker.wire import Channel, Closed

STARTUP_SECONDS = 120
SIGNALS = {-4: "SIGILL", -6: "SIGABRT", -7: "SIGBUS", -8: "SIGFPE", -9: "SIGKILL", -11: "SIGSEGV", -24: "SIGXCPU"}
CPU_SPENT, OVERFED = -24, -1000
# Modules that cost a second to import, and what in a submission brings them in: the zygote imports them at the first sign.
SLOW_IMPORTS = {"torch._dynamo": ("optim", "compile", "nn.init", "dynamo")}


class Broken(Exception):
    """The worker did not give an answer; `outcome` is what that means for the check at hand."""

    outcome = "error"

    def __init__(self, sentence: Text) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class TimedOut(Broken):
    """No answer came within the limit."""

    outcome = "timed_out"

    def __init__(self, seconds: float) -> None:
        super().__init__(
            say(
                "{s:g} সেকেন্ডেও শেষ হয়নি, তাই থামানো হয়েছে। অসীম loop আছে কি না দেখো।",
                "stopped after {s:g} seconds without an answer; look for an endless loop.",
                s=seconds,
            )
        )


class OutOfMemory(Broken):
    """The worker held more memory than it may."""

    outcome = "out_of_memory"

    def __init__(self) -> None:
        super().__init__(say("{m} MB-এর বেশি memory লেগেছে।", "it took more than {m} MB of memory.", m=MEMORY >> 20))


class Slot:
    """A control socket to the zygote."""

    def __init__(self, control: socket.socket, core: int | None = None) -> None:
        self.control, self.core = control, core
        control.settimeout(STARTUP_SECONDS)  # the first answer waits for the zygote's imports

    def spawn(self, warm: Sequence[str] = ()) -> Worker:
        """Fork a fresh worker, once the zygote has imported the modules `warm`."""
        ours, theirs = socket.socketpair()
        socket.send_fds(self.control, [json.dumps({"spawn": self.core, "warm": list(warm)}).encode()], [theirs.fileno()])
        theirs.close()
        return Worker(self, Channel(ours), self._await("pid")["pid"])

    def kill(self, pid: int) -> None:
        """Have a worker and all it started killed."""
        self.control.sendall(json.dumps({"kill": pid}).encode())

    def ended(self, pid: int) -> int:
        """Wait until a worker has ended; return how (negative: the signal; `OVERFED`: it held too much memory)."""
        while True:
            told = self._await("dead")
            if told["dead"] == pid:
                return OVERFED if told.get("memory") else int(told["status"])

    def _await(self, word: str) -> dict[str, Any]:
        """Return the zygote's next message that has `word`."""
        while data := self.control.recv(4096):
            told: dict[str, Any] = json.loads(data)
            if word in told:
                return told
        raise RuntimeError("the zygote has gone")


class Worker:
    """A living worker of a slot."""

    def __init__(self, slot: Slot, channel: Channel, pid: int) -> None:
        self.slot, self.channel, self.pid = slot, channel, pid
        self.cell = 0
        self.living = True

    def ask(self, message: dict[str, Any], seconds: float) -> Any:
        """Send one message and return the plain value that answers it, serving callbacks meanwhile."""
        deadline = monotonic() + seconds
        handles: list[Callable[..., object]] = []
        try:
            self.channel.send(message, handles, deadline)
            while True:
                reply = self.channel.receive(deadline)
                if not isinstance(reply, dict):
                    raise WireError("not a message")
                if "value" in reply:
                    return reply["value"]
                if "mishap" in reply:
                    raise StudentError(_mishap(reply["mishap"]), _shown(message))
                self._serve(reply, handles, deadline)
        except TimeoutError:
            raise TimedOut(seconds) from None
        except Closed:
            raise self._death() from None
        except WireError as fault:
            raise _babble(fault) from None

    def _serve(self, reply: dict[str, Any], handles: Sequence[Callable[..., object]], deadline: float) -> None:
        """Answer a callback of the worker, or note which cell it has come to."""
        if "cell" in reply:
            self.cell = reply["cell"] if isinstance(reply["cell"], int) else 0
            return
        try:
            function = handles[reply["callback"]]
            answer = {"value": function(*reply["args"], **reply["kwargs"])}
        except (ArithmeticError, LookupError, TypeError, ValueError, RuntimeError) as error:
            answer = {"raise": (type(error).__name__, str(error))}
        self.channel.send(answer, deadline=deadline)

    def _death(self) -> Broken:
        status = self._status()
        if status == CPU_SPENT:
            return TimedOut(CPU_SECONDS)
        if status == OVERFED:
            return OutOfMemory()
        how = SIGNALS.get(status, f"exit {status}")
        return Broken(
            say(
                "তোমার কোড process-টিই শেষ করে দিয়েছে ({how})। exit, os._exit, kill বা crash আছে কি না দেখো।",
                "your code ended its process ({how}); look for exit, os._exit, kill or a crash.",
                how=how,
            )
        )

    def end(self) -> None:
        """End the worker and everything it started, if it has not ended yet, without waiting for it."""
        if self.living:
            self.living = False
            self.channel.close()
            self.slot.kill(self.pid)

    def _status(self) -> int:
        """Return how the worker has ended (negative: the signal)."""
        self.end()
        return self.slot.ended(self.pid)


def _mishap(value: Any) -> Mishap:
    """Take a mishap as the worker tells it, trusting none of its types."""
    told = value if isinstance(value, dict) else {}
    kinds = told.get("kinds")
    kinds = [k[:100] for k in kinds if isinstance(k, str)][:20] if isinstance(kinds, list) else []
    line = told.get("line")
    return Mishap(
        kind=str(told.get("kind", "Exception"))[:100],
        kinds=kinds,
        text=str(told.get("text", ""))[:500],
        where=str(told.get("where", ""))[:200],
        line=line if isinstance(line, int) and 0 <= line < 10**7 else 0,
    )


def _babble(fault: WireError) -> Broken:
    return Broken(say("তোমার কোড grader-এর সংযোগ নষ্ট করেছে ({f})।", "your code broke the link to the grader ({f}).", f=fault))


def _shown(message: dict[str, Any]) -> str:
    if message["do"] == "call":
        return Proxy(message["name"]).shown(tuple(message["args"]), message["kwargs"])
    return str(message.get("name", ""))


class Session:
    """One submission in front of a slot: loaded once, and again in a fresh worker after each break."""

    def __init__(self, slot: Slot, cells: list[Cell], wanted: list[str], seconds: float) -> None:
        self.slot, self.cells, self.wanted, self.seconds = slot, cells, wanted, seconds
        self.warm = [module for module, words in SLOW_IMPORTS.items() if any(w in c["source"] for c in cells for w in words)]
        self.skip: set[int] = set()
        self.worker: Worker | None = None
        self.check = ""
        self.cell = 0
        self.skipped: list[Text] = []
        self.told: dict[str, Any] = {}

    def load(self) -> dict[str, Any]:
        """Run the submission's cells in a fresh worker; return the names that checks may hold."""
        self.told = self.ask({"do": "load", "cells": self.cells, "wanted": self.wanted, "skip": sorted(self.skip)})
        held = self.told.get("held") if isinstance(self.told, dict) else None
        if not isinstance(held, dict):
            raise Broken(say("ফাইলটি চালানো গেল না।", "the file could not be run."))
        left = self.told.get("left")
        others = {str(n): None for n in left} if isinstance(left, list) else {}  # known to be there, for a did-you-mean
        return others | {str(n): Remote(str(n), self) if isinstance(v, dict) and "function" in v else _value(v) for n, v in held.items()}

    def ask(self, message: dict[str, Any]) -> Any:
        """Ask the worker, a fresh one if the last one broke; a worker that breaks is ended."""
        if self.worker is None:
            self.worker = self.slot.spawn(self.warm)
            if message["do"] != "load":
                self.load()
        try:
            return self.worker.ask({**message, "check": self.check}, self.seconds)
        except Broken:
            self.cell = self.worker.cell
            self.close()
            raise

    def mishaps(self) -> list[Text]:
        """Return what the submission's own cells raised, as sentences."""
        told = self.told.get("mishaps") if isinstance(self.told, dict) else None
        return [StudentError(_mishap(m)).sentence for m in told if isinstance(m, dict)] if isinstance(told, list) else []

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
                raise StudentError(_mishap((answer or {}).get("mishap") if isinstance(answer, dict) else None), self.shown(args, {}))
            yield answer["value"]

    def probe(self, probe: str, *args: object, **kwargs: object) -> Any:
        """Run the probe beside the function, in its worker."""
        return self.session.ask({"do": "probe", "probe": probe, "name": self.name, "args": list(args), "kwargs": kwargs})
