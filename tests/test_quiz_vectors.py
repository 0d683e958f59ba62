"""Python and the page read and mark alike: thousands of made-up answers, put to both."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Callable, Iterator
from fractions import Fraction
from importlib.resources import files
from random import Random
from typing import Any

import pytest
from browser import chromium, needs_chromium
from playwright.sync_api import Page

from courselib import dtypes
from courselib.ordering import consequences
from courselib.quiz import order, typed
from courselib.quiz.built import fraction
from courselib.quiz.marking import mark, read_shape
from courselib.quiz.variants import known_as, variant_of

pytestmark = needs_chromium

ZEROS = [chr(c) for c in range(sys.maxunicode + 1) if unicodedata.decimal(chr(c), None) == 0]
UNITS = {"MB": "1/1", "GB": "1024/1", "ms": "1/1000", "Ms": "1000000/1", "μs": "1/1000000", "%": "1/100", "GB/s": "3/7", "Ω": "1/1"}
PIECES = [
    *"0123456789", *"০১২৩৯٣１𝟡", *".,, -+−–﹣＋/_eE^²½৴(xaéſK", "  ", "e-3", "e400", "×10", " × 10^", "x10^-2", "*10", "·10²", "10⁻³", "⁻¹",
    "nan", "inf", "-Infinity", "NaN",
    "MB", "gb", "GB", "ms", "MS", "Ms", "µs", "%", "GB/s", "\u09dc", "১,২৩,৪৫৬", "1,234", "1 234", "12,34,567",
    ".5", "5.", "\u200b", "\u200d", "\u00a0", "\u202f", "\t", "\u2028", "\u0085", "\x1c",
]  # fmt: skip
NASTY = [
    "", " ", "\u200b", "_", "1_000", "nan", "-inf", "+Infinity", "ınf", "762,9", "1,00,000", "1,000,00",
    "10,00", "1,2", "1,234,56", "1 234 567",
    "1 23", "0/0", "1/0", "-3/4 GB", "1/2/3", "1e401", "1e400", "1e-400",
    "-1e-400", "2e", "2e+", "10^3", "×10^3", "2×10^3", "2 × 10⁻³ ms", "2*10**3",
    "৭৬২.৯ MB", "৭৬২.৯MB", "762.9 mb", "5 MS", "5 μs", "5 µs", "5%", "5 GB/s", "1.2.3", "..", ".", "-", "+", "--5", "+-5", "- 5", "−৫",
    "1२", "১2", "𝟙𝟐",
    "9" * 64, "9" * 65, "0" * 60 + "7", "1,", ",1", ",123", "1 ,000", "0x10", "1e5e5",
    "½", "५५", "5 5 5", "5\u00a0000", "5\u2009000", "e5", "·10^3",
    "5 \u2126", "e\u0301" * 40, "10^-3 MB", "1×10^", "1×10^+5", "1X10²", "1x10⁺²", "1x10⁻", "1.5×102",
]  # fmt: skip


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    """Open a blank page that holds the pure scripts and nothing else."""
    with chromium() as browser:
        page = browser.new_page()
        for name in ("numbers", "ordering", "marking"):
            page.add_script_tag(content=(files("courselib.quiz") / "templates" / f"{name}.js").read_text(encoding="utf-8"))
        yield page


def in_page(page: Page, expression: str, *given: object) -> Any:
    """Call a function of the page; data cross as JSON, many times faster than as objects."""
    return json.loads(page.evaluate(f"(given) => JSON.stringify(({expression})(...JSON.parse(given)))", json.dumps(given)))


def pick(chance: Random, least: int, most: int) -> str:
    return "".join(chance.choices(PIECES, k=chance.randint(least, most)))


def texts(chance: Random, count: int) -> list[str]:
    letters = [c for c in map(chr, range(0x20, 0xFFFF)) if unicodedata.category(c) not in ("Cs", "Cn", "Co")]
    made = [pick(chance, 1, 6) for _ in range(count)]
    made += ["".join(chance.choices(letters, k=chance.randint(1, 5))) + chance.choice("5 ") for _ in range(count // 8)]
    return [*NASTY, *(chr(ord(z) + 7) + chr(ord(z)) + "." + chr(ord(z) + 9) for z in ZEROS), *made]


def as_plain(number: typed.Number | typed.Hint) -> dict[str, Any]:
    if isinstance(number, typed.Hint):
        return {"hint": number.code}
    return {"value": fraction(number.value), "unit": number.unit, "mixed": number.mixed}


@pytest.mark.parametrize("units", [{}, {"MB": "1/1"}, UNITS], ids=["none", "one", "many"])
def test_a_typed_number_is_read_alike(page: Page, units: dict[str, str]) -> None:
    tried = texts(Random(len(units)), 2500)
    worth = {unit: Fraction(text) for unit, text in units.items()}
    ours = [as_plain(typed.read(text, worth)) for text in tried]
    one = "(t) => { const n = readNumber(t, units); return n.hint ? n : { ...n, value: written(n.value) }; }"
    theirs = in_page(page, f"(texts, units) => texts.map({one})", tried, units)
    assert [(t, a, b) for t, a, b in zip(tried, ours, theirs, strict=True) if a != b] == []
    assert len({a.get("hint", "read") for a in ours}) >= 7  # the texts reach every hint that these units know


def test_the_digits_of_every_script_are_read(page: Page) -> None:
    digits = ["".join(chr(ord(zero) + n) for n in range(10)) for zero in ZEROS]
    assert len(digits) > 60
    assert in_page(page, "(texts) => texts.map((t) => asciiDigits(t)[0])", digits) == ["0123456789"] * len(digits)


def chance_fraction(chance: Random) -> Fraction:
    return Fraction(chance.choice([0, 1, -3, 8, 1024, 762, 10**6]), chance.choice([1, 1, 3, 10, 1024]))


def number_case(chance: Random) -> tuple[dict[str, Any], Any]:
    key, near = chance_fraction(chance), chance.choice([Fraction(0), Fraction(1, 10), Fraction(5)])
    slips = [{"id": f"s{n}", "key": fraction(chance_fraction(chance)), "within": fraction(near)} for n in range(chance.randint(0, 3))]
    units = chance.choice([{}, {"MB": "1/1", "GB": "1024/1"}])
    question = {
        "type": "number",
        "key": fraction(key),
        "within": fraction(near),
        "slips": slips,
        "unit": "MB" if units else "",
        "units": units,
    }
    factor = chance.choice([Fraction(1), Fraction(-1), Fraction(8), Fraction(1, 1024), Fraction(1000), chance_fraction(chance)])
    hit = key * factor + chance.choice([Fraction(0), near, -near, near * 2])
    written = f"{hit.numerator}/{hit.denominator}" if chance.random() < 0.5 else f"{float(hit):.6f}"
    return question, chance.choice(
        [written, written, written, written + " GB", pick(chance, 1, 4), 7, 0.25, -1e-7, 1e22, True, ["7"], {"a": 1}]
    )


def choice_case(chance: Random) -> tuple[dict[str, Any], Any]:
    ids = [f"c{n}" for n in range(chance.randint(2, 6))]
    many = chance.random() < 0.7
    right = set(chance.sample(ids, chance.randint(1, len(ids)) if many else 1))
    choices = [{"id": i, "right": i in right} for i in ids]
    question = {"type": "choices" if many else "choice", "choices": choices, "credit": chance.choice(["each", "all"])}
    some = chance.choices(ids, k=chance.randint(0, len(ids) + 1))
    return question, chance.choice(
        [some, some, some, chance.choice(ids), "  ", [*some, "zz" * 50], None, 5, {}, {"c0": 1}, [3], [None], [[]], False]
    )


def order_case(chance: Random) -> tuple[dict[str, Any], Any]:
    names = [f"s{n}" for n in range(chance.randint(3, 9))]
    hidden = chance.sample(names, len(names))
    before = {name: chance.sample(hidden[:n], chance.randint(0, min(n, 2))) for n, name in enumerate(hidden)}
    before[hidden[-1]] = [*{*before[hidden[-1]], hidden[0]}]  # at least one rule, as in every quiz
    closed = consequences(before)
    extras = [f"x{n}" for n in range(chance.randint(0, 2))]
    steps = [{"id": s, "after": sorted(closed.get(s, ())), "extra": False} for s in chance.sample(names, len(names))]
    steps += [{"id": x, "after": [], "extra": True} for x in extras]
    question = {"type": "order", "steps": steps, "width": order.width(before)}
    everything = chance.sample([*names, *extras], len(names) + len(extras))
    part = everything[: chance.randint(0, len(everything))]
    return question, chance.choice([everything, everything, part, hidden, [*part, *part[:1]], [*part, "?"], "s0", "ধাপ", 4, [7], {"s0": 1}])


def dtypes_case(chance: Random) -> tuple[dict[str, Any], Any]:
    names = ["h", "loss", "layer.weight"][: chance.randint(1, 3)]
    asked = [{"name": n, "dtype": chance.choice(["float16", "float32", "int64"])} for n in names]
    slips = [{"id": f"s{n}", "name": name, "dtype": "float32"} for n, name in enumerate(names) if chance.random() < 0.5]
    ways = [
        *dtypes.ALIASES,
        *dtypes.OFFERED,
        "torch.half",
        " Torch. FLOAT16 ",
        "BF16",
        "",
        " ",
        "\u200b",
        "float17",
        "constructor",
        "__proto__",
        5,
        None,
        ["half"],
    ]
    answer = {n: chance.choice(ways) for n in names if chance.random() < 0.9}
    return {"type": "dtypes", "names": asked, "slips": slips}, chance.choice(
        [answer, answer, answer, answer, answer | {"zz": "half"}, "half", [], ["h"]]
    )


def shape_case(chance: Random) -> tuple[dict[str, Any], Any]:
    key = [chance.choice([1, 2, 8, 16]) for _ in range(chance.randint(0, 4))]
    slips = [{"id": "s", "shape": [8, 16]}] if key != [8, 16] else []
    dims = chance.choice([key, key[:-1], [*key, 2], [chance.choice([1, 8]) for _ in key], [8, 16]])
    around = chance.choice(["({})", "[{}]", "{}", "torch.Size([{}])", "( {} ,)", "TORCH.size {}", "{}{}", "(({}", "{}x"])
    text = around.replace("{}", chance.choice([",", ", ", " ", "×", " x ", "*", ",,", "x ", "  "]).join(map(str, dims)))
    bangla = text.translate(str.maketrans("0123456789", "০১২৩৪৫৬৭৮৯"))
    return {"type": "shape", "shape": key, "slips": slips}, chance.choice(
        [text, text, text, bangla, dims, pick(chance, 1, 5), 8, -1, [-1], ["8"], True, "12345678901"]
    )


@pytest.mark.parametrize("case", [number_case, choice_case, order_case, dtypes_case, shape_case], ids=lambda c: c.__name__)
def test_an_answer_is_marked_alike(page: Page, case: Callable[[Random], tuple[dict[str, Any], Any]]) -> None:
    chance = Random(case.__name__)
    tried = [case(chance) for _ in range(2500)]
    ours = [mark(question, answer).plain for question, answer in tried]
    known = {**dtypes.ALIASES, **{name: name for name in dtypes.OFFERED}}
    theirs = in_page(page, "(cases, dtypes) => cases.map(([question, answer]) => mark(question, answer, dtypes))", tried, known)
    assert [(*t, a, b) for t, a, b in zip(tried, ours, theirs, strict=True) if a != b] == []
    assert {a["state"] for a in ours} >= {"right", "wrong", "unreadable"}


def test_any_text_is_a_shape_alike(page: Page) -> None:
    tried = texts(Random("shape"), 2500)
    assert in_page(page, "(texts) => texts.map(readShape)", tried) == [read_shape(t) for t in tried]


def test_a_student_has_the_same_variant(page: Page) -> None:
    who = ["", "s01", "রহিম", "ড়", "\u09dc", "é", "e\u0301", "😀", *(f"student_{n}" for n in range(200))]
    ours = [variant_of("speed", "adamw_mb", student, 5) for student in who]
    assert in_page(page, "(who) => who.map((s) => variantOf('speed', 'adamw_mb', s, 5))", who) == ours
    assert set(ours) == set(range(5))


def test_an_id_is_known_alike(page: Page) -> None:
    who = [" S01 ", "২১০৫০০১", "Rahim\u00a0 KARIM", "ΣΑΣ", "İ", "ß", "\u09af\u09bc", *texts(Random("ids"), 2500)]
    assert in_page(page, "(who) => who.map(knownAs)", who) == [known_as(w) for w in who]
