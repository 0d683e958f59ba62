"""A command typed wrongly, told in the reader's language: the parser has its own words in English only."""

from __future__ import annotations

import re

from courselib.text import Text, say

INVALID = r"Invalid value for '?(?P<w>.+?)'?: (?:Value error, )?"
# What the parser says, and the same in Bangla; the first that fits counts, and what fits none stays as it is.
WAYS = (
    (r"Missing (?:argument|option|parameter) '?(?P<w>.+?)'?", "{w} দেওয়া হয়নি"),
    (r"No such option: (?P<w>\S+) \(Possible options: (?P<n>.+)\)", "{w} নামে কোনো option নেই; আছে {n}"),
    (r"No such option: (?P<w>\S+)(?: Did you mean (?P<n>.+)\?)?", "{w} নামে কোনো option নেই"),
    (r"No such command '(?P<w>.+?)'.*", "{w} নামে কোনো command নেই"),
    (r"Got unexpected extra arguments?(?:\(s\))? \((?P<w>.+)\)", "বাড়তি লেখা আছে: {w}"),
    (r"Option '?(?P<w>.+?)'? requires (?:an argument|\d+ arguments)", "{w}-এর পরে একটি মান লাগে"),
    (r"Option '?(?P<w>.+?)'? does not take a value", "{w}-এর কোনো মান হয় না"),
    (INVALID + r"'(?P<v>.*)' is not one of (?P<n>.+)", "{w}-এ {v} চলে না; লেখো এর একটি: {n}"),
    (INVALID + r"Input should be greater than or equal to (?P<n>\S+)", "{w} কমপক্ষে {n} হতে হবে"),
    (INVALID + r"Input should be less than or equal to (?P<n>\S+)", "{w} বড়জোর {n} হতে পারে"),
    (INVALID + r"Input should be a valid integer.*", "{w}-এ একটি পূর্ণসংখ্যা লেখো"),
    (INVALID + r"(?P<v>.+)", "{w}-এর মান ঠিক নয় ({v})"),
)


def told(message: str) -> Text:
    """Say what the parser complains of, and where to look."""
    english = " ".join(message.split()).rstrip(".")
    return say("{w}; দেখো: courselib --help", "{w}; see courselib --help.", w=Text(_bangla(english), english))


def _bangla(english: str) -> str:
    for way, bangla in WAYS:
        if found := re.fullmatch(way, english):
            return bangla.format(**found.groupdict())
    return english
