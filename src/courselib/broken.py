"""What becomes of a check when its worker does not answer: too slow, too large, dead, or babbling."""

from __future__ import annotations

from courselib.limits import CPU_SECONDS, MEMORY
from courselib.text import Text, say
from courselib.worker.plain import WireError

SIGNALS = {-4: "SIGILL", -6: "SIGABRT", -7: "SIGBUS", -8: "SIGFPE", -9: "SIGKILL", -11: "SIGSEGV", -24: "SIGXCPU", -31: "SIGSYS"}
CPU_SPENT, FORBIDDEN, OVERFED = (
    -24,
    -31,
    -1000,
)  # how a worker ended: too much CPU time, a call to the kernel in a foreign way, too much memory


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


class Tampered(Broken):
    """The worker did what no answer does; `sign` says it to the instructor."""

    def __init__(self, sentence: Text, sign: Text) -> None:
        super().__init__(sentence)
        self.sign = sign


class OutOfMemory(Broken):
    """The worker held more memory than it may."""

    outcome = "out_of_memory"

    def __init__(self) -> None:
        super().__init__(say("{m} MB-এর বেশি memory লেগেছে।", "it took more than {m} MB of memory.", m=MEMORY >> 20))


def death(status: int) -> Broken:
    """Return what a worker's end means, by how it ended (negative: the signal)."""
    if status == CPU_SPENT:
        return TimedOut(CPU_SECONDS)
    if status == OVERFED:
        return OutOfMemory()
    ended = Broken(
        say(
            "তোমার কোড process-টিই শেষ করে দিয়েছে ({how})। exit, os._exit, kill বা crash আছে কি না দেখো।",
            "your code ended its process ({how}); look for exit, os._exit, kill or a crash.",
            how=SIGNALS.get(status, f"exit {status}"),
        )
    )
    return (
        Tampered(ended.sentence, say("kernel-কে নিষিদ্ধ উপায়ে ডেকেছে", "called the kernel in a forbidden way"))
        if status == FORBIDDEN
        else ended
    )


def babble(fault: WireError) -> Broken:
    """Return what it means that a worker sent no plain data."""
    return Tampered(
        say("তোমার কোড grader-এর সংযোগ নষ্ট করেছে ({f})।", "your code broke the link to the grader ({f}).", f=fault),
        say("grader-এর সংযোগে যা এসেছে, তা কোনো প্রশ্নের উত্তর নয়", "what came over the grader's channel was no answer to a question"),
    )
