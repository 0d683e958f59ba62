"""Signs that a submission reached for the grader: evidence for the instructor to look at, never a mark.

The source is read as tokens, so that comments and other people's strings say nothing, and so that no
nesting, however deep, can hurt the process that reads it. What is not found here is stopped all the same.
"""

from __future__ import annotations

import re
import tokenize
from collections.abc import Iterator
from itertools import islice, pairwise
from token import NAME, NEWLINE, OP, STRING

from courselib.record import Sentence, Sign
from courselib.text import Text, clean, say
from courselib.worker.cell import Cell

MOST, LONGEST = 10, 200_000  # signs in one record; characters of a cell that are read
FSTRING = getattr(tokenize, "FSTRING_MIDDLE", -1)  # Python 3.12 and later
WORDS = {NAME, OP, STRING, NEWLINE, FSTRING}

C = say("Python এড়িয়ে সরাসরি C ডাকে", "calls C directly, past Python")
PROCESSES = say("process-এ signal পাঠায়, process শেষ বা শুরু করে", "signals, ends or starts processes")
DESCRIPTORS = say("file descriptor-এ নম্বর ধরে কাজ করে", "works on file descriptors by number")
FRAMES = say("যে কোড একে ডাকে, তার frame বা object দেখে", "looks into the frames or objects of the code that calls it")
GRADER = say("grader-এর নিজের module-এর নাম নেয়", "names the grader's own modules")
SYSTEM = say("process বা grader-এর জায়গার path ধরে", "names a path where processes or a grader's files lie")
REPLACES = say("library-র একটি নাম বদলে দেয়", "replaces a name of a library")

ATTRIBUTES = frozenset({"f_back", "f_locals", "f_globals", "tb_frame", "__subclasses__"})
NAMES = {
    **dict.fromkeys(ATTRIBUTES, FRAMES),
    **dict.fromkeys(("ctypes", "_ctypes", "cffi"), C),
    **dict.fromkeys(("os.kill", "os.killpg", "os._exit", "os.abort", "os.fork", "os.forkpty", "os.setsid", "pty"), PROCESSES),
    **dict.fromkeys(("signal.pthread_kill", "signal.pidfd_send_signal"), PROCESSES),
    **dict.fromkeys(("os.write", "os.dup2", "os.closerange", "os.memfd_create", "socket.fromfd"), DESCRIPTORS),
    **dict.fromkeys(("sys._getframe", "sys._current_frames", "sys.settrace", "sys.setprofile", "sys.monitoring", "sys.meta_path"), FRAMES),
    **dict.fromkeys(("gc.get_objects", "gc.get_referrers", "gc.get_referents", "gc.callbacks", "inspect.stack"), FRAMES),
    **dict.fromkeys(("inspect.currentframe", "os.register_at_fork"), FRAMES),
    "courselib": GRADER,
}
REPLACED = ("builtins", "time", "math", "statistics", "torch.allclose", "torch.equal", "torch.isclose", "torch.testing", "torch.cuda")
STRINGS = (
    (re.compile(r"\bcourselib(\.\w+)+"), GRADER),
    (re.compile(r"/proc/?(?=[\"'{]|$)|/proc/(\d+|self|thread-self)/(fd|mem|maps|environ|root|cwd|cmdline)|/autograder/"), SYSTEM),
    (re.compile(r"(?<=^[\"'])(_?ctypes|cffi)(?=[\"']$)"), C),
)
NAMED = {re.escape(n.rsplit(".", 1)[-1]) for n in NAMES} | {"/proc", "/autograder"}
HINT = re.compile("|".join(NAMED) + r"|\.\w+[ \t]*=(?!=)")  # without one of these there is nothing to find

Token = tuple[int, str, int]  # kind, text, line


def signs(cells: list[Cell]) -> list[Sign]:
    """Return the signs in a submission's source, each once, in the order of its lines."""
    if not any(HINT.search(c["source"]) for c in cells):
        return []
    modules: dict[str, str] = {}  # what each imported name stands for, from the first cell on
    found = (sign(f"{c['name']}:{line}", what) for c in cells for line, what in _in_cell(c["source"][:LONGEST], modules))
    return list(islice(dict.fromkeys(found), MOST))


def sign(where: str, what: Text) -> Sign:
    """Make a sign."""
    return Sign(where=clean(where), what=Sentence(bn=clean(what.bn), en=clean(what.en)))


def _in_cell(source: str, modules: dict[str, str]) -> Iterator[tuple[int, Text]]:
    for statement in _statements(source):
        at = next((i for i, (_, text, _) in enumerate(statement) if text == "import"), None)
        names = _used(statement, modules) if at is None else _imported(statement, at, modules)
        for line, name in names:
            rule = next((r for r in NAMES if name == r or name.startswith(f"{r}.")), None)
            if rule:
                yield line, _told(name, NAMES[rule])
        yield from _replaced(statement, modules)
        yield from _in_strings(statement)


def _told(name: str, why: Text) -> Text:
    return say("{name}: {why}", "{name}: {why}", name=name[:80], why=why)


def _statements(source: str) -> Iterator[list[Token]]:
    """Yield the tokens of each statement, up to where Python can read them; lines of a shell or a magic are passed over."""
    lines = ["\n" if line.lstrip()[:1] in ("%", "!") else line for line in source.splitlines(keepends=True)]
    statement: list[Token] = []
    try:
        for token in tokenize.generate_tokens(iter([*lines, ""]).__next__):
            if token.type == NEWLINE or token.string == ";":
                yield statement
                statement = []
            elif token.type in WORDS:
                statement.append((token.type, token.string, token.start[0]))
    except (tokenize.TokenError, SyntaxError, StopIteration):
        pass
    yield statement


def _chains(statement: list[Token]) -> Iterator[tuple[int, int, str]]:
    """Yield where each dotted name ends, its line, and the name."""
    at = 0
    while at < len(statement):
        kind, name, line = statement[at]
        if kind == NAME:
            while at + 2 < len(statement) and statement[at + 1][1] == "." and statement[at + 2][0] == NAME:
                at += 2
                name = f"{name}.{statement[at][1]}"
            yield at, line, name
        at += 1


def _used(statement: list[Token], modules: dict[str, str]) -> Iterator[tuple[int, str]]:
    """Yield each name that a statement uses, as its module calls it; a telling attribute stands for itself."""
    for _, line, name in _chains(statement):
        yield line, _whole(name, modules)
    for (_, dot, _), (_, text, line) in pairwise(statement):
        if dot == "." and text in ATTRIBUTES:
            yield line, text


def _whole(name: str, modules: dict[str, str]) -> str:
    first, _, rest = name.partition(".")
    module = modules.get(first, f"?{first}")  # a name that was never imported is the student's own
    return f"{module}.{rest}" if rest else module


def _imported(statement: list[Token], at: int, modules: dict[str, str]) -> Iterator[tuple[int, str]]:
    """Enter what a statement imports into `modules`, and yield it."""
    before = [text for _, text, _ in statement[:at]]
    source = "".join(before[before.index("from") + 1 :]) if "from" in before else ""
    line = statement[at][2]
    for part in " ".join(text for _, text, _ in statement[at + 1 :] if text not in "()").replace(" . ", ".").split(" , "):
        name, _, other = part.strip(" ,").partition(" as ")
        whole = f"{source}.{name}" if source else name
        modules[other or name.split(".")[0]] = whole if source or other else name.split(".")[0]
        yield line, whole


def _replaced(statement: list[Token], modules: dict[str, str]) -> Iterator[tuple[int, Text]]:
    for at, line, name in _chains(statement):
        whole = _whole(name, modules)
        is_set = [text for _, text, _ in statement[at + 1 : at + 2]] == ["="] and "." in name
        if is_set and any(whole == r or whole.startswith(f"{r}.") for r in REPLACED):
            yield line, _told(whole, REPLACES)


def _in_strings(statement: list[Token]) -> Iterator[tuple[int, Text]]:
    for kind, text, line in statement:
        if kind in (STRING, FSTRING):
            yield from ((line, _told(m.group(), why)) for pattern, why in STRINGS if (m := pattern.search(text)))
