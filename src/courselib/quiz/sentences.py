"""What a note or a hint says, in both languages: one table for the terminal, the reports and the page.

{0} and {1} are the note's own words: a step's or name's text, a factor, a count.
"""

from __future__ import annotations

from courselib.quiz.built import pair
from courselib.text import Text, say

STATES = {
    "right": say("ঠিক", "Right"),
    "part": say("আংশিক ঠিক", "Partly right"),
    "wrong": say("ঠিক হয়নি", "Not right"),
    "unanswered": say("উত্তর দেওয়া হয়নি", "Not answered"),
    "unreadable": say("উত্তরটি পড়া গেল না", "The answer could not be read"),
    "self": say("নিজে মিলিয়ে দেখো", "Compare for yourself"),
}

NOTES = {
    "unknown_choice": say("{0} নামে কোনো বিকল্প নেই।", "There is no choice called {0}."),
    "unknown_step": say("{0} নামে কোনো ধাপ নেই।", "There is no step called {0}."),
    "repeated_step": say("“{0}” একবারই থাকতে পারে।", "“{0}” may stand only once."),
    "unknown_name": say("{0} নামটি জিজ্ঞাসা করা হয়নি।", "{0} is not a name that was asked for."),
    "unknown_dtype": say(
        "{0}: “{1}” কোনো dtype নয়; লেখো float16 বা torch.float16-এর মতো।", "{0}: “{1}” is no dtype; write one like float16 or torch.float16."
    ),
    "not_shape": say("একটি shape লেখো, যেমন (8, 16)।", "Write a shape, such as (8, 16)."),
    "wrong": say("সংখ্যাটি ঠিক হয়নি।", "The number is not right."),
    "mixed": say(
        "সংখ্যাটিতে দুই রকম অঙ্ক মিশে আছে; যা লিখতে চেয়েছিলে, তা-ই পড়া হয়েছে কি না দেখো।",
        "The number mixes two kinds of digits; see whether it was read as you meant it.",
    ),
    "extra": say("“{0}” এখানে লাগে না।", "“{0}” does not belong here."),
    "missing": say("“{0}” বাদ পড়েছে।", "“{0}” is missing."),
    "above": say("“{0}” সরিয়ে “{1}”-এর উপরে নাও।", "Move “{0}” above “{1}”."),
    "below": say("“{0}” সরিয়ে “{1}”-এর নিচে নাও।", "Move “{0}” below “{1}”."),
    "name_right": say("{0}: ঠিক।", "{0}: right."),
    "name_wrong": say("{0}: ঠিক হয়নি।", "{0}: not right."),
    "name_blank": say("{0}: উত্তর দেওয়া হয়নি।", "{0}: not answered."),
    "rank": say("dimension-এর সংখ্যাই মেলেনি।", "Even the number of dimensions differs."),
    "dims": say("dimension-এর সংখ্যা ঠিক; মিলেছে {0}টি।", "The number of dimensions is right; {0} of them agree."),
    "model": say("নমুনা উত্তরের সঙ্গে মিলিয়ে নিজেকে নম্বর দাও।", "Compare with the model answer and rate yourself."),
}

HINTS = {
    "empty": say("একটি সংখ্যা লেখো।", "Write a number."),
    "too_long": say("লেখাটি খুব লম্বা; শুধু সংখ্যাটি লেখো।", "That is too long; write the number only."),
    "too_big": say("ঘাতটি খুব বড়।", "The power of ten is too large."),
    "underscore": say("সংখ্যার ভেতরে _ চলে না; লেখো 1000 বা 1,000।", "No _ inside a number; write 1000 or 1,000."),
    "special": say("nan বা inf নয়, একটি সাধারণ সংখ্যা লেখো।", "Not nan or inf: write an ordinary number."),
    "comma": say(
        "কমা শুধু হাজার বা লাখ আলাদা করে; দশমিকে বিন্দু দাও, যেমন 12.5।", "A comma only groups thousands or lakhs; write a decimal point, as in 12.5."
    ),
    "unit": say("এককটি চেনা গেল না; লেখা যায়: {0}।", "That unit is not known here; you may write: {0}."),
    "not_number": say(
        "এটি সংখ্যা হিসেবে পড়া গেল না; শুধু সংখ্যাটি লেখো, যেমন 12.5।", "This could not be read as a number; write the number only, such as 12.5."
    ),
}

FACTORS = {
    "-1/1": say("চিহ্নটি উল্টো।", "The sign is the other way round."),
    "1000/1": say("তোমার উত্তর 1000 গুণ বড়; একক মেলাও।", "Your answer is 1000 times too large; check the unit."),
    "1/1000": say("তোমার উত্তর 1000 গুণ ছোট; একক মেলাও।", "Your answer is 1000 times too small; check the unit."),
    "1024/1": say("তোমার উত্তর 1024 গুণ বড়; একক মেলাও (KB, MB, GB)।", "Your answer is 1024 times too large; check the unit (KB, MB, GB)."),
    "1/1024": say("তোমার উত্তর 1024 গুণ ছোট; একক মেলাও (KB, MB, GB)।", "Your answer is 1024 times too small; check the unit (KB, MB, GB)."),
    "1000000/1": say("তোমার উত্তর দশ লাখ গুণ বড়; একক মেলাও।", "Your answer is a million times too large; check the unit."),
    "1/1000000": say("তোমার উত্তর দশ লাখ গুণ ছোট; একক মেলাও।", "Your answer is a million times too small; check the unit."),
    "1048576/1": say("তোমার উত্তর 2^20 গুণ বড়: এটি কি byte-এ?", "Your answer is 2^20 times too large: is it in bytes?"),
    "1/1048576": say("তোমার উত্তর 2^20 গুণ ছোট; একক মেলাও।", "Your answer is 2^20 times too small; check the unit."),
    "8/1": say("তোমার উত্তর 8 গুণ বড়: এটি কি bit-এ?", "Your answer is 8 times too large: is it in bits?"),
    "1/8": say("তোমার উত্তর 8 গুণ ছোট; bit আর byte মেলাও।", "Your answer is 8 times too small; bits and bytes?"),
}


def table() -> dict[str, dict[str, dict[str, str]]]:
    """Return every sentence as plain data, for the page."""
    return {
        "states": _plain(STATES),
        "notes": _plain(NOTES),
        "hints": _plain(HINTS),
        "factors": _plain(FACTORS),
    }


def _plain(sentences: dict[str, Text]) -> dict[str, dict[str, str]]:
    return {code: pair(text) for code, text in sentences.items()}
