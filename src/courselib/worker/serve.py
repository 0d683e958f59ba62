"""The worker's loop: load the submission once, then answer the checker's calls with plain data."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from courselib.worker.cuda import PROBES
from courselib.worker.mishap import Mishap, describe
from courselib.worker.plain import Opaque, WireError, plain
from courselib.worker.shell import Shell, lay_out, steady
from courselib.worker.views import Views
from courselib.worker.wire import Channel, Closed

Message = dict[str, Any]


class Server:
    """One worker: one submission, one channel."""

    def __init__(self, channel: Channel, shell: Shell, folder: str) -> None:
        self.channel, self.shell, self.folder = channel, shell, folder
        self.check = ""
        self.views = Views(shell.names, self._held)
        shell.checked = self.views.check

    def run(self) -> None:
        """Answer until the checker hangs up."""
        while True:
            try:
                message = self.channel.receive(handle=self.callback)
                self._reply({"number": message["number"]} | self.answer(message))  # first: what comes after may be cut at the limits
            except Closed:
                return

    def _reply(self, reply: Message) -> None:
        """Send the reply; a value that cannot travel is the student's mishap, not the channel's."""
        try:
            self.channel.send(reply)
        except WireError as fault:
            mishap = Mishap(kind="ValueError", kinds=["ValueError"], text=str(fault), where="", line=0)
            self.channel.send({"number": reply["number"], "mishap": mishap})

    def answer(self, message: Message) -> Message:
        """Do one thing and return the reply; whatever the student's code raises is the reply."""
        if message.get("check", self.check) != self.check:
            self.check = message["check"]
            steady(self.folder)
        self.views.enter(message.get("part", ""))
        try:
            return {"value": DO[message["do"]](self, message)}
        except BaseException as error:  # SystemExit and KeyboardInterrupt of the student, too
            return {"mishap": describe(error, self.shell.files)}

    def load(self, message: Message) -> Message:
        """Run the cells, but those in `skip`; tell what each raised and what the names that each part wants hold."""
        skip, self.views.wanted = set(message["skip"]), message["wanted"]
        last = {cell.get("part", ""): i for i, cell in enumerate(message["cells"])}
        lay_out(self.folder, message["files"])
        steady(self.folder)
        mishaps: list[Mishap | None] = []
        for i, cell in enumerate(message["cells"]):
            self.channel.send({"cell": i})
            mishaps.append(None if i in skip else self.shell.run(cell))
            if (part := cell.get("part")) and i == last[part]:
                self.views.passed(part)
        return {"mishaps": mishaps, **self.views.end(), "left": self.shell.left(), "notes": self.shell.notes}

    def _held(self, value: object) -> Message:
        if callable(value) and (not isinstance(value, type) or isinstance(plain(value), Opaque)):
            return {"function": True}
        try:
            return {"value": plain(value)}
        except WireError as fault:
            return {"value": Opaque("too large", str(fault))}

    def call(self, message: Message) -> Any:
        """Call the student's function."""
        return self.shell.names[message["name"]](*message["args"], **message["kwargs"])

    def each(self, message: Message) -> list[Message]:
        """Call the student's function with one list of arguments after the other, until one raises."""
        answers: list[Message] = []
        for args in message["calls"]:
            try:
                answers.append({"value": plain(self.shell.names[message["name"]](*args))})
            except BaseException as error:  # SystemExit and KeyboardInterrupt of the student, too
                return [*answers, {"mishap": describe(error, self.shell.files)}]
        return answers

    def probe(self, message: Message) -> Any:
        """Run a probe beside the student's function."""
        return PROBES[message["probe"]](self.shell.names[message["name"]], *message["args"], **message["kwargs"])

    def callback(self, number: int) -> Callable[..., Any]:
        """Return a function that calls the checker's function `number` and gives back what it returns."""

        def call(*args: object, **kwargs: object) -> Any:
            self.channel.send({"callback": number, "args": list(args), "kwargs": kwargs})
            reply = self.channel.receive()
            if "raise" in reply:
                kind, text = reply["raise"]
                raise getattr(builtins, kind, RuntimeError)(text)
            return reply["value"]

        call.__name__ = "fn"
        return call


DO: dict[str, Callable[[Server, Message], Any]] = {"load": Server.load, "call": Server.call, "each": Server.each, "probe": Server.probe}
