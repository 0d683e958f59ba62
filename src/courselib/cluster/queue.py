"""The works that wait for a worker: read from the class only as they are wanted, those for a GPU kept apart."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from courselib.grader import Work

AHEAD = 400  # works of a kind that are read before they are wanted


class Queue:
    """`special` are the exercises that have checks for a GPU; `back` are works whose worker was lost."""

    def __init__(self, works: Iterable[Work], special: set[str]) -> None:
        self.works, self.special = iter(works), special
        self.waiting: dict[bool, deque[Work]] = {False: deque(), True: deque()}
        self.back: dict[bool, deque[Work]] = {False: deque(), True: deque()}

    def take(self, count: int, *kinds: bool) -> list[Work]:
        """Return up to `count` works of the first of `kinds` (True: for a GPU) that has any; one that came back goes alone."""
        for kind in kinds:
            if self.back[kind]:
                return [self.back[kind].popleft()]
            self._find(kind, count)
            if waiting := self.waiting[kind]:
                return [waiting.popleft() for _ in range(min(count, len(waiting)))]
        return []

    def ahead(self, count: int) -> int:
        """Return how many works wait, after `count` of them are read if there are so many and so many may be read."""
        while (waits := self._waits()) < min(count, AHEAD) and self._read():
            pass
        return waits

    def put_back(self, work: Work) -> None:
        """Have a work handed out again, before all others."""
        self.back[self.of_kind(work)].append(work)

    def of_kind(self, work: Work) -> bool:
        """Tell whether a work is one for a GPU."""
        return work.exercise in self.special

    def _waits(self) -> int:
        return sum(map(len, (*self.waiting.values(), *self.back.values())))

    def _find(self, kind: bool, count: int) -> None:
        """Read on until `count` works of a kind wait, unless too many of the other kind do."""
        if kind and not self.special:
            return
        while len(self.waiting[kind]) < count and len(self.waiting[not kind]) < AHEAD and self._read():
            pass

    def _read(self) -> bool:
        """Read one work more; tell whether there was one."""
        work = next(self.works, None)
        if work is not None:
            self.waiting[self.of_kind(work)].append(work)
        return work is not None
