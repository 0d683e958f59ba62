"""The student's names as each part of the exercise left them, brought back for that part's checks.

A part is taken down at its last `grader.check("part")`; where that never ran, after its last cell; where no
cell is marked as its own, it has the names of the end. What was missing then, or was still the stub's
placeholder, is filled in from the end, so that an answer in an unusual place is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from types import FunctionType
from typing import Any

from courselib.worker.plain import Encoder

Held = dict[str, Any]


class Views:
    """One dict of names, which every function of the student's has as its globals, and what it held at each part's point."""

    def __init__(self, names: dict[str, Any], hold: Callable[[object], Held]) -> None:
        self.names, self.hold = names, hold
        self.wanted: Mapping[str, Sequence[str]] = {}
        self.taken: dict[str, dict[str, Any]] = {}
        self.told: dict[str, dict[str, Held]] = {}
        self.checked: set[str] = set()
        self.kept: dict[str, dict[str, Any]] = {}
        self.now = ""

    def check(self, question: str) -> None:
        """Take a part down where its own check stands; the last one counts."""
        part = question.rpartition("/")[2]
        if part in self.wanted:
            self.checked.add(part)
            self._take(part)

    def passed(self, part: str) -> None:
        """Take a part down after its last cell, unless its own check has run."""
        if part in self.wanted and part not in self.checked:
            self._take(part)

    def _take(self, part: str) -> None:
        """Keep the bindings, and a copy of the plain data that the part's checks ask for: a later cell may change it in place."""
        self.taken[part] = {name: value for name, value in self.names.items() if _is_answer(value)}
        self.told[part] = {}
        for name in self.wanted[part]:
            with suppress(Exception):  # a student's object may refuse; it is asked again at the end
                if name in self.taken[part] and not isinstance(self.names[name], Iterator):  # reading would use it up
                    self.told[part][name] = self.hold(self.names[name])

    def end(self) -> dict[str, Any]:
        """Tell, when all cells have run, what the names hold; what a part has otherwise; what it had bound otherwise."""
        self.kept = {"": dict(self.names)} | {part: self.names | taken for part, taken in self.taken.items()}
        wanted = sorted({name for names in self.wanted.values() for name in names})
        held = {name: self.hold(self.names[name]) for name in wanted if name in self.names}
        moved = {part: [n for n in self.wanted[part] if n in t and t[n] is not self.names.get(n)] for part, t in self.taken.items()}
        return {"held": held, "told": {part: self._otherwise(part, moved[part], held) for part in moved}, "moved": moved}

    def _otherwise(self, part: str, moved: list[str], held: dict[str, Held]) -> dict[str, Held]:
        told = self.told[part]
        told |= {n: self.hold(self.taken[part][n]) for n in moved if n not in told}
        return {n: value for n, value in told.items() if n not in held or _on_wire(value) != _on_wire(held[n])}

    def enter(self, part: str) -> None:
        """Put the part's names in place; what its functions bind stays with the part."""
        part = part if part in self.kept else ""
        if part != self.now:
            self.kept[self.now] = dict(self.names)
            self.names.clear()
            self.names.update(self.kept[part])
            self.now = part


def _on_wire(held: Held) -> tuple[object, list[bytes]]:
    encoder = Encoder()
    return encoder.encode(held), encoder.blobs


def _is_answer(value: Any) -> bool:
    """Tell whether the stub's placeholder no longer stands: `...`, or a body that only raises NotImplementedError."""
    kind = type(value)  # `isinstance` would ask the object itself
    if kind is FunctionType:
        return bool(value.__code__.co_names != ("NotImplementedError",))
    if kind is type:
        return all(_is_answer(v) for v in vars(value).values() if type(v) is FunctionType)
    return value is not Ellipsis
