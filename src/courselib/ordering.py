"""How far a submitted order is from a right one, where several orders are right.

A rule set says of each item which items must come before it. Two items of a submission conflict when they stand the other
way round. "Stands earlier but must come later" is itself a strict partial order, so (Dilworth, König) the most items without
a conflict are found by a maximum bipartite matching, in polynomial time. Where several rule sets are given, an order may
follow any one of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from graphlib import TopologicalSorter

from courselib.text import Text, say

Before = Mapping[str, Collection[str]]


class Closed(dict[str, Collection[str]]):
    """Rules that name, for each item, everything that must come before it, directly or through others."""


MOST_NAMES = 5  # a student's own text is cut, so that no message grows without end
MOST_LETTERS = 40


@dataclass(frozen=True)
class Reading:
    """A submitted order sorted out: the known items, each at its first place, and what is amiss with the rest."""

    order: list[str]
    missing: list[str]
    repeated: list[str]
    unknown: list[str]

    @property
    def complete(self) -> bool:
        """Tell whether every item is there exactly once and nothing else is."""
        return not (self.missing or self.repeated or self.unknown)

    @property
    def complaint(self) -> Text:
        """Say what is missing, repeated or unknown; empty where nothing is."""
        unknown = [self._guess(name) for name in self.unknown[:MOST_NAMES]] + ["..."] * (len(self.unknown) > MOST_NAMES)
        parts = [
            say("নেই: {names}।", "Missing: {names}.", names=", ".join(self.missing)) if self.missing else None,
            say(
                "প্রতিটি নাম একবার লেখো; একাধিকবার আছে: {names}।",
                "Write each name once; more than once: {names}.",
                names=", ".join(self.repeated),
            )
            if self.repeated
            else None,
            say("অচেনা নাম: {names}।", "Unknown: {names}.", names=", ".join(unknown)) if unknown else None,
        ]
        said = [part for part in parts if part]
        return Text(" ".join(part.bn for part in said), " ".join(part.en for part in said))

    def _guess(self, name: str) -> str:
        short = repr(name[:MOST_LETTERS])[1:-1]  # control characters and lone surrogates must not reach a report
        near = get_close_matches(short, self.missing, 1)
        return f"{short} ({near[0]}?)" if near else short


def read(submitted: Sequence[str], items: Collection[str]) -> Reading:
    """Sort out a submitted order of `items`."""
    count = Counter(submitted)
    return Reading(
        order=[item for item in count if item in items],
        missing=sorted(item for item in items if item not in count),  # in the order of `items` it would give the answer away
        repeated=[item for item in count if item in items and count[item] > 1],
        unknown=[item for item in count if item not in items],
    )


@dataclass(frozen=True)
class Move:
    """One edit of a submitted order: take `item` out and put it right above (or right below) `other`."""

    item: str
    above: bool
    other: str

    @property
    def sentence(self) -> Text:
        """Say the edit as a person would."""
        if self.above:
            return say("`{item}` সরিয়ে `{other}`-এর ঠিক উপরে নাও।", "Move `{item}` above `{other}`.", item=self.item, other=self.other)
        return say("`{item}` সরিয়ে `{other}`-এর ঠিক নিচে নাও।", "Move `{item}` below `{other}`.", item=self.item, other=self.other)


def longest_right_part(order: Sequence[str], *rules: Before) -> list[str]:
    """Return the most items of `order` that stand in an order which one of `rules` allows.

    The items of `order` are distinct; an item that no rule names is never out of place. Raises ValueError for a
    repeated item and for rules that go round in a circle.
    """
    return _closest(order, rules)[0]


def moves(order: Sequence[str], *rules: Before) -> list[Move]:
    """Return the fewest moves, to be made one after another, that turn `order` into one that `rules` allow."""
    kept, earlier = _closest(order, rules)
    line, settled, made = list(order), set(kept), []
    for item in order:
        if item not in settled:
            made.append(_move(line, item, settled, earlier))
            settled.add(item)
    return made


def _move(line: list[str], item: str, settled: set[str], earlier: Before) -> Move:
    """Move `item` within `line` just far enough past the settled items that it conflicts with."""
    at = line.index(item)
    successors = [other for other in line[:at] if other in settled and item in earlier.get(other, ())]
    predecessors = [other for other in line[at:] if other in settled and other in earlier.get(item, ())]
    move = Move(item, True, successors[0]) if successors else Move(item, False, predecessors[-1])
    line.remove(item)
    line.insert(line.index(move.other) + (not move.above), item)
    return move


def _closest(order: Sequence[str], rules: Sequence[Before]) -> tuple[list[str], Before]:
    """Return the longest right part and the rule set (with all its consequences) that it follows."""
    if len(set(order)) < len(order):
        raise ValueError("an item stands more than once in the order")
    every = [before if isinstance(before, Closed) else consequences(before) for before in rules]
    return max(((_consistent(order, earlier), earlier) for earlier in every), key=lambda found: len(found[0]))


def consequences(before: Before) -> Closed:
    """Return the rules with all that follows from them; raise ValueError where they go round in a circle."""
    earlier = Closed()
    for item in TopologicalSorter(before).static_order():
        direct = before.get(item, ())
        earlier[item] = set(direct).union(*(earlier[other] for other in direct))
    return earlier


def _consistent(order: Sequence[str], earlier: Before) -> list[str]:
    """Return the items outside a minimum vertex cover of the conflicts (König: from a maximum matching)."""
    conflicts = [[j for j in range(i + 1, len(order)) if order[j] in earlier.get(item, ())] for i, item in enumerate(order)]
    partner: dict[int, int] = {}
    for i in range(len(order)):
        _augment(i, conflicts, partner, set())
    left, right = set(range(len(order))) - set(partner.values()), set[int]()
    todo = list(left)
    while todo:
        for j in conflicts[todo.pop()]:
            if j not in right:
                right.add(j)
                left.add(partner[j])
                todo.append(partner[j])
    return [item for i, item in enumerate(order) if i in left and i not in right]


def _augment(i: int, conflicts: list[list[int]], partner: dict[int, int], seen: set[int]) -> bool:
    """Find a partner for `i`, giving others a new one where needed."""
    for j in conflicts[i]:
        if j not in seen:
            seen.add(j)
            if j not in partner or _augment(partner[j], conflicts, partner, seen):
                partner[j] = i
                return True
    return False
