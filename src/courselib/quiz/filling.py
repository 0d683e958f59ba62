"""Numbers put into a text: Bangla digits with lakh commas in Bangla prose, Latin ones in English, in code and in maths."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from courselib.text import say
from courselib.trouble import Trouble

if TYPE_CHECKING:
    from courselib.quiz.questions import Value

PLACE = re.compile(r"\{\{ *([a-z_][a-z0-9_]*) *\}\}")
VERBATIM = re.compile(r"(```.*?```|`[^`]*`|\$[^$]*\$)", re.DOTALL)
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?\Z")
BANGLA = str.maketrans("0123456789", "০১২৩৪৫৬৭৮৯")


def fill(text: dict[str, str], given: Mapping[str, Value]) -> dict[str, str]:
    """Put `given` into the places `{{name}}` of a text; raise `Trouble` for a name that is not given."""
    return {lang: "".join(_part(part, lang, given) for part in VERBATIM.split(sentence)) for lang, sentence in text.items()}


def _part(part: str, lang: str, given: Mapping[str, Value]) -> str:
    verbatim = part[:1] in ("`", "$")

    def put(place: re.Match[str]) -> str:
        name = place[1]
        if name not in given:
            raise Trouble(say("{{{{{n}}}}} দেওয়া নেই", "{{{{{n}}}}} is not among the given numbers", n=name))
        return str(given[name]) if verbatim else written(str(given[name]), lang)

    return PLACE.sub(put, part)


def written(number: str, lang: str) -> str:
    """Return a number as prose writes it: ১,২৩,৪৫৬ in Bangla, 123,456 in English; other text as it stands."""
    if not NUMBER.match(number):
        return number
    whole, dot, places = number.lstrip("-").partition(".")
    grouped = re.sub(r"(?<=\d)(?=(\d\d)*\d{3}$)" if lang == "bn" else r"(?<=\d)(?=(\d{3})+$)", ",", whole) if len(whole) > 3 else whole
    out = ("-" if number.startswith("-") else "") + grouped + dot + places
    return out.translate(BANGLA) if lang == "bn" else out
