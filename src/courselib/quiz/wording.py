"""What speaks against the wording of a quiz: a language that is missing, marks that no page takes, maths that cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterator

from courselib.course import Both
from courselib.quiz import markup
from courselib.quiz.filling import PLACE
from courselib.strict_yaml import Strict
from courselib.text import Text, say
from courselib.trouble import Trouble

BANGLA = re.compile("[\u0980-\u09ff]")
WORDS = re.compile(r"[A-Za-z]{3,}")
TERMS = 3  # English words that may stand alone in a Bangla text: more are a sentence
CODE = re.compile(r"```.*?```|`[^`]*`|\$[^$]*\$", re.DOTALL)
OPEN = re.compile(r"`|\$")  # left over where all that is closed is taken away
FORBIDDEN = re.compile(r"<[A-Za-z/!]|!\[|\]\(")  # raw HTML, images, links


def every_text(value: object, where: str = "") -> Iterator[Text]:
    """Look at every text of a question, however deep it lies."""
    if isinstance(value, Both):
        yield from texts(where, value)
    elif isinstance(value, Strict):
        for name in type(value).model_fields:
            yield from every_text(getattr(value, name), name)
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from every_text(item, where)


def texts(where: str, text: Both) -> Iterator[Text]:
    """Find a language that is missing, and marks that no page or LMS takes."""
    bn, en = CODE.sub("", text.bn), CODE.sub("", text.en)
    if BANGLA.search(en):
        yield say("{w}: ইংরেজি লেখায় বাংলা আছে", "{w}: Bangla in the English text", w=where)
    if text.bn != text.en and not BANGLA.search(bn) and len(WORDS.findall(bn)) >= TERMS:
        yield say("{w}: বাংলা লেখাটি বাংলা নয়", "{w}: the Bangla text has no Bangla", w=where)
    if text.bn == text.en and len(WORDS.findall(en)) > TERMS:
        yield say("{w}: দুই ভাষায় একই লেখা", "{w}: one text for both languages", w=where)
    for lang in (text.bn, text.en):
        if OPEN.search(CODE.sub("", lang)) or FORBIDDEN.search(CODE.sub("", lang)):
            yield say("{w}: HTML, ছবি, link বা বন্ধ না হওয়া ``` ` $ আছে", "{w}: HTML, an image, a link or an open ``` ` $", w=where)
        yield from _maths(where, lang)


def _maths(where: str, text: str) -> Iterator[Text]:
    """Find maths that no page could show; numbers that are still to be put in stand as one."""
    try:
        markup.html(PLACE.sub("1", text))
    except Trouble as trouble:
        yield say("{w}: {t}", "{w}: {t}", w=where, t=trouble.sentence)
