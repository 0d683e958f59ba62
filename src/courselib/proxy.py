"""What a check holds of a student's work: plain values, and functions called at arm's length.

A check cannot tell whether the function behind a proxy runs in this process (a student's notebook,
plain Otter) or in a worker behind the wall (`courselib grade`): both give back plain data that was
built here, and both turn whatever the student's code raises into a `StudentError`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from courselib.text import Text, say
from courselib.worker.cuda import PROBES
from courselib.worker.mishap import Mishap, describe
from courselib.worker.plain import Encoder, Opaque, WireError, decode, plain

ELSEWHERE = re.compile(r"'(?:/|~|\.\./|[A-Za-z]:[\\/])")  # an absolute path, or one that leads out of the folder

AWAY = say(
    ' এই জায়গাটি শুধু তোমার মেশিনে বা Drive-এ আছে; ফাইলটি উত্তরের পাশে রেখে জমা দাও, আর খোলো নাম দিয়ে: open("data/x.csv")।',
    ' That place is only on your machine or Drive; hand the file in beside your answer and open it by name: open("data/x.csv").',
)
FENCED = say(
    " গ্রেড করার সময় program শুধু নিজের folder পায়, network পায় না; bubblewrap ছাড়া Pool বা DataLoader-এর worker-ও নয়: num_workers=0 রাখো।",
    " While grading a program has its own folder and no network; without bubblewrap no Pool and no DataLoader workers: use num_workers=0.",
)


class StudentError(Exception):
    """The student's code raised: `kind` is the exception's type name, `kinds` its whole ancestry."""

    def __init__(self, mishap: Mishap, call: str = "") -> None:
        super().__init__(mishap["kind"])
        self.kind, self.kinds, self.text = mishap["kind"], mishap["kinds"], mishap["text"]
        self.where, self.line, self.call = mishap["where"], mishap["line"], call

    def __str__(self) -> str:
        return str(self.sentence)

    @property
    def sentence(self) -> Text:
        """Say what was raised, where, and by which call."""
        return self._stub() or say(
            "{call}তোমার কোড {kind} দিয়ে থেমেছে{place}: {text}{hint}",
            "{call}your code stopped with {kind}{place}: {text}{hint}",
            call=f"{self.call}: " if self.call else "",
            kind=self.kind,
            place=self._place(),
            text=self.text or "-",
            hint=self._hint(),
        )

    def _hint(self) -> Text:
        """Say what to do where something was wanted that only the student's own machine has."""
        if "PermissionError" in self.kinds:
            return FENCED
        return AWAY if "FileNotFoundError" in self.kinds and ELSEWHERE.search(self.text) else Text("", "")

    def _stub(self) -> Text | None:
        if self.kind != "NotImplementedError" or self.text:  # PyTorch raises it too, and says what it lacks
            return None
        return say("{call} এখনো লেখা হয়নি।", "{call} is not written yet.", call=self.call or self.where or "?")

    def _place(self) -> Text:
        if not self.line:
            return Text("", "")
        return say(" ({where}, লাইন {line})", " ({where}, line {line})", where=self.where, line=self.line)


class Proxy:
    """A student's function, called with plain data and answering with plain data."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """Call the student's function; functions among the arguments are called back."""
        raise NotImplementedError

    def each(self, calls: Sequence[tuple[object, ...]]) -> Iterator[Any]:
        """Call the function with each of `calls` in turn; behind the wall they cross together."""
        return (self(*args) for args in calls)

    def probe(self, probe: str, *args: object, **kwargs: object) -> Any:
        """Run a probe of `courselib.worker` beside the student's function."""
        raise NotImplementedError

    def shown(self, args: tuple[object, ...], kwargs: dict[str, object]) -> str:
        """Return the call as a person would write it."""
        parts = [_look(a) for a in args] + [f"{k}={_look(v)}" for k, v in kwargs.items()]
        return f"{self.name}({', '.join(parts)})"


class Local(Proxy):
    """A student's function in this process: a notebook, or plain Otter."""

    def __init__(self, name: str, function: Callable[..., object]) -> None:
        super().__init__(name)
        self.function = function

    def __call__(self, *args: object, **kwargs: object) -> Any:
        """Call the function here."""
        return self._run(lambda: self.function(*_copy(args), **_copy(kwargs)), self.shown(args, kwargs))

    def probe(self, probe: str, *args: object, **kwargs: object) -> Any:
        """Run the probe here."""
        return self._run(lambda: PROBES[probe](self.function, *args, **kwargs), self.name)

    def _run(self, call: Callable[[], object], shown: str) -> Any:
        try:
            return plain(call())
        except KeyboardInterrupt:
            raise
        except WireError as fault:
            raise StudentError(_too_much(fault), shown) from None
        except BaseException as error:  # SystemExit of a student must not end Otter's run
            raise StudentError(describe(error, _files(self.function)), shown) from None


def _copy(values: Any) -> Any:
    """Return arguments as the wire would hand them over, so that no student's code changes the check's own."""
    handles: list[Callable[..., object]] = []
    encoder = Encoder(handles)
    return decode(encoder.encode(values), encoder.blobs, handles.__getitem__)


def _too_much(fault: WireError) -> Mishap:
    return Mishap(kind="ValueError", kinds=["ValueError"], text=str(fault), where="", line=0)


def _files(function: Callable[..., object]) -> set[str]:
    code = getattr(function, "__code__", None)
    return {code.co_filename} if code else set()


def _look(value: object) -> str:
    if isinstance(value, Opaque) or callable(value):
        return getattr(value, "__name__", "fn")
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


_spent: dict[int, tuple[object, Any]] = {}


def local(name: str, value: object) -> Any:
    """Return what a check may hold of a student's `value` in this process.

    An iterator is read once and remembered: the next check must find in it what the first one did.
    """
    if isinstance(value, Proxy):
        return value
    if isinstance(value, Iterator):
        return _spent.setdefault(id(value), (value, plain(value)))[1]
    known = isinstance(value, type) and not isinstance(plain(value), Opaque)
    return Local(name, value) if callable(value) and not known else plain(value)
