"""The ways a shape is written, for receivers that compare text."""

from __future__ import annotations

from collections.abc import Sequence


def spellings(shape: Sequence[int]) -> list[str]:
    """Return how a shape is usually typed, the usual way first; never with a `*`, which Moodle takes for anything."""
    sizes = [str(n) for n in shape]
    rows = [", ".join(sizes), ",".join(sizes)]
    if len(sizes) == 1:
        rows = [f"{sizes[0]},", sizes[0]]
    framed = [f"{start}{row}{end}" for start, end in (("(", ")"), ("[", "]"), ("torch.Size([", "])")) for row in rows]
    bare = [joint.join(sizes) for joint in (", ", ",", "x", " x ", "×", " × ", " ")] if sizes else []
    return list(dict.fromkeys([*framed, *bare]))
