"""What to say of a value that does not fit its model: a sentence of ours for each kind of fault that pydantic knows."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from courselib.text import Text, both, did_you_mean, say

NAME = r"^[a-z][a-z0-9_]{1,39}$"

TEXT = say("এখানে লেখা চাই; সংখ্যা বা true হলে উদ্ধৃতিচিহ্নে দাও", "text is needed here; put a number or true in quotes")
WHOLE = say("একটি পূর্ণসংখ্যা চাই", "a whole number is needed")
NUMBER = say("একটি সংখ্যা চাই", "a number is needed")
KEYS = say("এখানে key: value চাই", "keys with values are needed here (key: value)")
SENTENCES = {
    "string_type": TEXT,
    "int_type": WHOLE,
    "int_from_float": WHOLE,
    "int_parsing": WHOLE,
    "float_type": NUMBER,
    "float_parsing": NUMBER,
    "finite_number": NUMBER,
    "bool_type": say("true বা false চাই", "true or false is needed"),
    "list_type": say("একটি তালিকা চাই", "a list is needed"),
    "dict_type": KEYS,
    "model_type": KEYS,
    "model_attributes_type": KEYS,
    "string_too_short": say("খালি রাখা যায় না", "this must not be empty"),
    "union_tag_not_found": say("type নেই; কোন ধরনের, তা লেখো", "type is missing: say which kind it is"),
}
COUNTED = {
    "too_short": say("অন্তত {min_length}টি চাই", "at least {min_length} needed"),
    "too_long": say("{max_length}টির বেশি নয়", "at most {max_length}"),
    "string_too_long": say("{max_length} অক্ষরের বেশি নয়", "at most {max_length} characters"),
    "greater_than": say("{gt}-এর বেশি হতে হবে", "must be more than {gt}"),
    "greater_than_equal": say("অন্তত {ge} হতে হবে", "must be at least {ge}"),
    "less_than": say("{lt}-এর কম হতে হবে", "must be less than {lt}"),
    "less_than_equal": say("বড়জোর {le} হতে পারে", "must be at most {le}"),
}


def sentence(fault: Mapping[str, Any]) -> Text:
    """Return what to say of one of pydantic's errors; a `ValueError` of our own may hold a sentence in both languages."""
    kind, context = str(fault["type"]), dict(fault.get("ctx", {}))
    if own := next((a for a in getattr(context.get("error"), "args", ()) if isinstance(a, Text)), None):
        return own
    if kind in SENTENCES:
        return _of_a_union(fault) or SENTENCES[kind]
    if kind == "union_tag_invalid":
        return _kind(context["tag"], context["expected_tags"])
    if kind == "string_pattern_mismatch":
        return _pattern(str(fault["input"]), context["pattern"])
    if kind == "literal_error":
        return say("এর একটি লেখো: {e}", "write one of: {e}", e=context["expected"].replace("'", "").replace("True", "true"))
    return COUNTED[kind].fill(**context) if kind in COUNTED else both(fault["msg"])


def _of_a_union(fault: Mapping[str, Any]) -> Text | None:
    """Where a number of either kind would do, do not ask for a whole one."""
    return NUMBER if fault["loc"][-1:] == ("int",) else None


def _kind(tag: str, expected: str) -> Text:
    known = [name.strip("' ") for name in expected.split(",")]
    near = get_close_matches(tag, known, 1)
    hint = did_you_mean(near[0] if near else None)
    return say("{t} নামে কোনো type নেই।{h} আছে: {k}", "there is no type {t}.{h} There are: {k}", t=tag[:40], h=hint, k=", ".join(known))


def _pattern(value: str, pattern: str) -> Text:
    if pattern == NAME:
        rule = say("ছোট হাতের a-z দিয়ে শুরু, তারপর a-z, 0-9, _; ২ থেকে ৪০টি", "a-z first, then a-z, 0-9 and _, 2 to 40 in all")
    else:
        rule = both(pattern)
    return say("“{v}” এখানে চলে না; নিয়ম: {r}", "“{v}” will not do here; the rule: {r}", v=value[:60], r=rule)
