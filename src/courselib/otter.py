"""A check as Otter's own `test_case`: the only module that knows Otter's classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from otter.test_files import test_case

if TYPE_CHECKING:
    from courselib.checks import Check
from courselib.proxy import local


class Case(test_case):  # type: ignore[misc]
    """One check for Otter; it gets what the grader would give it: plain values and proxies, never raw objects."""

    def call_func(self, global_environment: dict[str, Any]) -> None:
        """Run the check on the names of a notebook or script.

        Otter quotes the line of the third frame of whatever is raised, so that frame must be the check's own.
        """
        made: Check = self.test_func.check
        names = {n: v for n, v in global_environment.items() if not n.startswith("__")}
        missing = made.missing(names)
        if missing:
            _raise_at(made, missing)
        made.body(**{n: local(n, names[n]) for n in made.needs})


def _raise_at(made: Check, error: Exception) -> None:
    """Raise `error` from a frame that stands where the check does."""
    code = made.body.__code__
    exec(compile("\n" * (code.co_firstlineno - 1) + "raise error", code.co_filename, "exec"), {"error": error})


def case(made: Check) -> Case:
    """Return `made` as Otter knows checks."""
    points = int(made.points) if made.points.denominator == 1 else float(made.points)
    vars(made.body)["check"] = made
    return Case(name=str(made.name), points=points, hidden=made.hidden)(made.body)  # type: ignore[no-any-return]
