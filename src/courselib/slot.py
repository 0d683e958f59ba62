"""One slot of the grader: it asks the zygote for workers and talks to one worker at a time.

Everything that comes from a worker is hostile until it has been checked here: a worker can lie, babble,
hang or die, and each of these is an outcome of the check that it hit, never more.
"""

from __future__ import annotations

import json
import secrets
import socket
from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from courselib.broken import OVERFED, Broken, TimedOut, babble, death
from courselib.proxy import Proxy, StudentError
from courselib.text import say
from courselib.worker.mishap import Mishap
from courselib.worker.plain import WireError
from courselib.worker.wire import Channel, Closed

STARTUP_SECONDS = 120


class Slot:
    """A control socket to the zygote."""

    def __init__(self, control: socket.socket, core: int | None = None) -> None:
        self.control, self.core = control, core
        control.settimeout(STARTUP_SECONDS)  # the first answer waits for the zygote's imports

    def spawn(self, warm: Sequence[str] = ()) -> Worker:
        """Fork a fresh worker, once the zygote has imported the modules `warm`."""
        ours, theirs = socket.socketpair()
        ticket = secrets.randbits(32)
        order = {"spawn": ticket, "core": self.core, "warm": list(warm)}
        socket.send_fds(self.control, [json.dumps(order).encode()], [theirs.fileno()])
        theirs.close()
        while (told := self._await("pid"))["ticket"] != ticket:
            pass  # an answer to a checker that died before it could read it
        return Worker(self, Channel(ours), told["pid"])

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
        number = secrets.randbits(52)  # an answer made before the question, or sent twice, does not bear it
        try:
            self._send({**message, "number": number}, handles, deadline)
            while "value" not in (reply := self._received(number, deadline)):
                if "mishap" in reply:
                    raise StudentError(mishap(reply["mishap"]), _shown(message))
                self._serve(reply, handles, deadline)
            return reply["value"]
        except TimeoutError:
            raise TimedOut(max(0.0, seconds)) from None
        except Closed:
            raise death(self._status()) from None
        except WireError as fault:
            raise babble(fault) from None

    def _send(self, message: dict[str, Any], handles: list[Callable[..., object]] | None, deadline: float) -> None:
        try:
            self.channel.send(message, handles, deadline)
        except WireError as fault:  # ours, and no sign of anything
            raise Broken(say("এত বড় যে চালানো গেল না ({f})।", "too large to be run ({f}).", f=fault)) from None

    def _received(self, number: int, deadline: float) -> dict[str, Any]:
        """Return the next message; an answer must be one to question `number`."""
        reply = self.channel.receive(deadline, _no_handle)
        if not isinstance(reply, dict):
            raise WireError("not a message")
        theirs = reply.get("number")
        if ("value" in reply or "mishap" in reply) and not (type(theirs) is int and theirs == number):
            raise WireError("an answer to no question of ours")
        return reply

    def _serve(self, reply: dict[str, Any], handles: Sequence[Callable[..., object]], deadline: float) -> None:
        """Answer a callback of the worker, or note which cell it has come to."""
        if "cell" in reply:
            self.cell = reply["cell"] if isinstance(reply["cell"], int) else 0
            return
        try:
            function = handles[reply["callback"]]
            answer = {"value": function(*reply["args"], **reply["kwargs"])}
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RuntimeError) as error:
            answer = {"raise": (type(error).__name__, str(error))}
        self._send(answer, None, deadline)

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


def mishap(value: Any) -> Mishap:
    """Take a mishap as the worker tells it, trusting none of its types."""
    told = value if isinstance(value, dict) else {}
    kinds = told.get("kinds")
    kinds = [k[:100] for k in kinds if isinstance(k, str)][:20] if isinstance(kinds, list) else []
    line = told.get("line")
    return Mishap(
        kind=words(told.get("kind"), 100) or "Exception",
        kinds=kinds,
        text=words(told.get("text"), 500),
        where=words(told.get("where"), 200),
        line=line if type(line) is int and 0 <= line < 10**7 else 0,
    )


def words(value: Any, longest: int) -> str:
    """Return a text that a worker tells; anything else it may send in its place has no say, and is never turned into one."""
    return value[:longest] if isinstance(value, str) else ""


def _no_handle(number: int) -> object:
    raise WireError("a worker has no function to hand over")


def _shown(message: dict[str, Any]) -> str:
    if message["do"] == "call":
        return Proxy(message["name"]).shown(tuple(message["args"]), message["kwargs"])
    return str(message.get("name", ""))
