from __future__ import annotations

import base64
import hashlib
import re
import unicodedata
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_records import EXERCISES, HOSTILE, MACHINE, nothing, record, verdict, write

from courselib.page import number, page_name, shown, write_all
from courselib.record import Record
from courselib.text import in_language


class Page(HTMLParser):
    """What a browser would make of a page: its elements, and its text without style and script."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.source = path.read_text(encoding="utf-8")
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[str] = []
        self.raw: dict[str, str] = {"style": "", "script": ""}
        self.text = ""
        self.feed(self.source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.inside.append(tag)

    def handle_data(self, data: str) -> None:
        tag = self.inside[-1] if self.inside else ""
        if tag in self.raw:
            self.raw[tag] += data
        else:
            self.text += data

    def handle_endtag(self, tag: str) -> None:
        while self.inside and self.inside.pop() != tag:
            pass


def made(folder: Path, *records: Record) -> Page:
    write_all(write(folder, records), EXERCISES)
    return Page(folder / "report.html")


def student(folder: Path, *records: Record) -> Page:
    made(folder, *records)
    return Page(folder / "students" / page_name(records[0].student))


@given(st.lists(st.text(max_size=60), unique=True, max_size=8))
def test_no_two_students_share_a_page_on_any_file_system(names: list[str]) -> None:
    files = {unicodedata.normalize("NFD", page_name(n)).casefold() for n in names}
    assert len(files) == len(names)


@given(st.text(max_size=300))
def test_a_page_has_a_name_that_every_file_system_takes(name: str) -> None:
    file = page_name(name)
    assert not set(file) & set('/\\:*?"<>|\0 \n%#')
    assert len(file.encode()) < 255
    assert not file.startswith((".", "-"))
    assert file.endswith(".html")


@pytest.mark.parametrize("name", ["anika_rahman", "0042", "রহিম", "রুমানা_ইসলাম"])
def test_a_plain_name_stays_as_it_is(name: str) -> None:
    assert page_name(name) == f"{name}.html"


def test_names_alike_but_for_case_or_made_to_look_like_a_hash_are_kept_apart() -> None:
    tricky = [
        "anika",
        "Anika",
        "ANIKA",
        page_name("Anika").removesuffix(".html"),
        "con",
        "x/y",
        "x_y",
        "",
        "student",
        "../x",
        "..",
        "x" * 90,
        "x" * 91,
    ]
    assert len({page_name(n).casefold() for n in tricky}) == len(tricky)
    assert page_name("con") != "con.html"
    assert "/" not in page_name("../../etc/passwd")


@pytest.mark.parametrize("text", HOSTILE)
def test_text_of_a_student_is_text_on_both_pages(tmp_path: Path, text: str) -> None:
    plain = record("s", verdict("a", "failed"), file="f.py"), nothing("s", "u/two")
    ours = [(t, sorted(a)) for t, a in student(tmp_path / "plain", *plain).elements]
    attack = (
        record(text, verdict("a", "failed", message=text, name=text, part=text), file=text, message=text),
        nothing(text, "u/two"),
    )
    page = student(tmp_path / "attack", *attack)
    added = [(t, a) for t, a in page.elements if t not in ("p", "bdi")]
    assert [(t, sorted(a)) for t, a in added] == [e for e in ours if e[0] not in ("p", "bdi")]
    assert page.text.count(shown(text)) >= 5
    report = Page(tmp_path / "attack" / "report.html")
    assert {t for t, _ in report.elements} == {t for t, _ in Page(tmp_path / "plain" / "report.html").elements}
    assert report.text.count(shown(text)) >= 4
    for p in (page, report):
        assert not [a for _, attrs in p.elements for a in attrs if a.startswith("on")]


def test_control_characters_and_endless_texts_are_kept_off_a_page() -> None:
    assert shown("a\x1b[0m\x00\ud800\r\n\tb\u200d") == "a\ufffd[0m\ufffd\ufffd\ufffd\n\tb\u200d"
    assert shown("x" * 5000) == "x" * 1999 + "…"


def test_a_lone_surrogate_in_a_name_stops_no_page(tmp_path: Path) -> None:
    page = student(tmp_path, record("a?b", verdict()), record("a?b", verdict(message="\ud800"), exercise="u/two"))
    assert "a?b" in page.text


@pytest.mark.parametrize("name", ["report.html", "students/s.html"])
def test_a_page_asks_the_network_for_nothing_and_lets_only_our_script_run(tmp_path: Path, name: str) -> None:
    made(tmp_path, record("s", verdict("a", "failed", message="see https://example.com/x.png")))
    page = Page(tmp_path / name)
    for tag, attrs in page.elements:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base", "form")
        assert not {"src", "srcset", "style", "background"} & set(attrs)
        assert "//" not in (attrs.get("href") or "")
    assert not re.search(r"url\(|@import", page.raw["style"])
    policy = next(a["content"] for _, a in page.elements if a.get("http-equiv") == "Content-Security-Policy") or ""
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for kind, raw in page.raw.items():
        known = f"{kind}-src 'sha256-{base64.b64encode(hashlib.sha256(raw.encode()).digest()).decode()}'"
        assert (known if raw else f"{kind}-src 'none'") in policy
    assert bool(page.raw["script"]) == (name == "report.html")


def hidden_work() -> Record:
    return record(
        "s",
        verdict("open", "failed", 1, message="the open message"),
        verdict("secret_id", "failed", 2, name="the secret name", part="secret_part", message="the secret message: 41.5", hidden=True),
        verdict("secret_two", "passed", 3, name="another secret", hidden=True),
        verdict("secret_gpu", "deferred", 0.5, name="a secret for a GPU", hidden=True, requires="cuda", message="waits, in secret"),
    )


def test_of_hidden_checks_a_student_sees_that_there_are_some_and_the_points(tmp_path: Path) -> None:
    page = student(tmp_path, hidden_work())
    assert "the open message" in page.text
    assert "secret" not in page.source
    assert "41.5" not in page.source
    assert "There are 3 further checks that are not shown here: 3 of 5.5 points." in page.text
    assert "আরও 3টি check আছে" in page.text
    assert "0.5 of these points wait for a GPU." in page.text
    report = Page(tmp_path / "report.html")
    assert "the secret name" in report.text
    assert "the secret message: #" in report.text


def test_a_student_reads_nothing_of_a_fault_of_ours_but_that_it_is_ours(tmp_path: Path) -> None:
    broken = record("s", verdict("a", "fault", message="KeyError: 'answer 42'"), verdict("b"), status="fault", message="note 42")
    lost = record("s", verdict("a", "not_run"), status="fault", message="ValueError: expected 42", exercise="u/two")
    page = student(tmp_path, broken, lost)
    assert "42" not in page.text
    assert page.text.count("This is our fault, not yours; a person will look at it.") == 2
    assert "KeyError: 'answer 42'" in Page(tmp_path / "report.html").text


def test_deferred_points_wait_and_are_no_zero(tmp_path: Path) -> None:
    page = student(tmp_path, record("s", verdict("a"), verdict("g", "deferred", 2, requires="cuda", message="later")))
    assert "100% of what could be earned so far." in page.text
    assert "2 points wait for a machine with a GPU" in page.text
    assert "waits for a GPU" in page.text
    assert "… / 2" in page.text
    assert "0 / 2" not in page.text
    assert "points wait" not in student(tmp_path / "none", record("s", verdict("a"))).text


@pytest.mark.parametrize(("status", "word"), [("unreadable", "unreadable"), ("refused", "refused")])
def test_work_that_did_not_run_shows_why_and_no_list_of_checks(tmp_path: Path, status: str, word: str) -> None:
    page = student(tmp_path, record("s", verdict("a", "not_run"), status=status, message="cut off at 17"), nothing("s", "u/two"))
    assert "cut off at 17" in page.text
    assert word in page.text
    assert "name of a" not in page.text
    assert "nothing handed in" in page.text


def test_a_student_sees_nobody_else(tmp_path: Path) -> None:
    page = student(tmp_path, record("s", verdict("a")), record("other", verdict("a", "failed", message="of another")))
    assert "other" not in page.text
    assert "of another" not in page.text


def test_the_report_tells_the_figures_who_needs_a_person_and_where_it_was_made(tmp_path: Path) -> None:
    weak = MACHINE.model_copy(update={"isolation": "process"})
    page = made(
        tmp_path,
        *(record(f"s{i}", verdict("a", "passed" if i else "failed", message="" if i else "got 7")) for i in range(4)),
        record("t", verdict("a", "not_run"), status="unreadable", message="cut off", machine=weak),
        nothing("u"),
    )
    assert "75%" in page.text
    assert "got #" in page.text
    assert re.search(r"t\s*one\s*পড়া যায়নিunreadable cut off", page.text)
    assert "process limits only; bubblewrap was not in use, a weaker wall" in page.text
    assert "bubblewrap and kernel namespaces" in page.text
    assert "mind this" in page.text
    links = [a["href"] for t, a in page.elements if t == "a" and (a["href"] or "").startswith("students/")]
    assert links == [f"students/{n}.html" for n in ("s0", "s1", "s2", "s3", "t", "u")]
    assert all((tmp_path / str(link)).is_file() for link in links)


def test_the_word_for_difficulty_agrees_with_the_rate_as_shown(tmp_path: Path) -> None:
    marks = {"a": 796, "b": 794, "c": 296, "d": 294}
    checks = ([verdict(k, "passed" if i < n else "failed") for k, n in marks.items()] for i in range(1000))
    page = made(tmp_path, *(record("s", *c) for c in checks))
    found = re.findall(r"name of (\w)onep1(\d+)%.*?(easy|medium|hard)", page.text.split("Every check")[1], re.S)
    assert found[:4] == [("a", "80", "easy"), ("b", "79", "medium"), ("c", "30", "medium"), ("d", "29", "hard")]


def test_every_label_is_there_in_both_languages_and_the_run_chooses_the_first(tmp_path: Path) -> None:
    english = made(tmp_path, hidden_work())
    with in_language("bn"):
        bangla = made(tmp_path, hidden_work())
    for page, lang in ((english, "en"), (bangla, "bn")):
        assert ("html", {"lang": lang, "data-language": lang}) in page.elements
        spans = Counter(a["class"] for t, a in page.elements if t == "span" and a.get("lang"))
        assert spans["bn"] == spans["en"] > 40
        assert [a["id"] for t, a in page.elements if t == "input" and "checked" in a] == [f"in-{lang}"]
        assert "ক্লাসের ফলাফলClass report" in page.text


def test_a_page_of_a_student_who_is_gone_goes_too_and_a_file_of_someone_elses_stays(tmp_path: Path) -> None:
    made(tmp_path, record("a", verdict()), record("b", verdict()))
    (tmp_path / "students" / "mine.html").write_text("<p>mine</p>")
    made(tmp_path, record("a", verdict("a", "failed")))
    assert sorted(p.name for p in (tmp_path / "students").iterdir()) == ["a.html", "mine.html"]
    assert "0 / 1" in Page(tmp_path / "students" / "a.html").text
    assert sorted(p.name for p in tmp_path.iterdir()) == ["checks.csv", "grades.csv", "report.html", "results.jsonl", "students"]


def test_the_same_records_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        made(tmp_path / name, hidden_work(), nothing("t"))
    for page in ("report.html", "students/s.html", "students/t.html"):
        assert (tmp_path / "one" / page).read_bytes() == (tmp_path / "two" / page).read_bytes()


@pytest.mark.parametrize("records", [(), (nothing("a"),), (record("a", verdict("x", "passed", 0)),), (record("a"),)])
def test_a_class_with_nothing_to_add_up_has_a_report_all_the_same(tmp_path: Path, records: tuple[Record, ...]) -> None:
    page = made(tmp_path, *records)
    assert "Class report" in page.text
    assert "nan" not in page.text.lower().replace("বাংলা", "")


@pytest.mark.parametrize(
    ("value", "text"), [(8, "8"), (8.0, "8"), (13.5, "13.5"), (70.588, "70.59"), (0.0, "0"), (-0.0, "0"), (-0.5, "-0.5"), (100, "100")]
)
def test_numbers_read_as_people_write_them(value: float, text: str) -> None:
    assert number(value) == text
