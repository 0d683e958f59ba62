"""The slots of one machine, as a run employs them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from courselib import grading
from courselib.checks import REQUIREMENTS
from courselib.course import Course
from courselib.crew import Crew, start
from courselib.grader import Bench, Work
from courselib.keep import keys
from courselib.record import Record
from courselib.sandbox import Zygote
from courselib.text import Text, say
from courselib.trouble import Trouble


@dataclass
class Local:
    """The slots of this machine, as a run employs them."""

    crew: Crew
    jobs: int

    @property
    def benches(self) -> dict[str, Bench]:
        """Return the checks of each exercise."""
        return self.crew.benches

    @property
    def settings(self) -> keys.Settings:
        """Return what all records of the run share."""
        return keys.settings(self.crew.zygote.isolation, [r for r, here in REQUIREMENTS.items() if here()])

    @property
    def note(self) -> Text:
        """Say behind which walls the work is run."""
        return self.crew.zygote.note

    def records(self, works: Iterable[Work]) -> Iterator[Record]:
        """Yield the records of `works` as they are done."""
        return grading.records(self.crew, works, self.jobs)

    def close(self) -> None:
        """End the crew."""
        self.crew.close()


def demand(require: str | None) -> None:
    """Refuse to go on where this machine lacks what is required of it."""
    if require and not REQUIREMENTS[require]():
        raise Trouble(
            say(
                "--require {r}: এই মেশিনে তা নেই; GPU-ওয়ালা মেশিনে চালাও, নয়তো option-টি বাদ দাও।",
                "--require {r}: this machine has none; run on a machine with a GPU, or leave the option out.",
                r=require,
            )
        )


def employ(course: Course, exercises: list[str], jobs: int, zygote: Zygote) -> Local:
    """Start the crew of this machine."""
    return Local(start(course, exercises, zygote), jobs)
