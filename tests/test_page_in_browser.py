"""Both reports in a real browser: what a person would see, click and never notice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Literal

import pytest
from browser import chromium, needs_chromium
from made_records import EXERCISES, HOSTILE, nothing, record, verdict, write
from playwright.sync_api import Browser, Page

from courselib.page import page_name, write_all

pytestmark = needs_chromium
LONG = "a_very_long_name_without_any_space_in_it" * 4
PAGES = ["report.html", f"students/{page_name(LONG)}", "students/student_4.html"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a class of ten students of every mark, twelve hostile ones, one with nothing and one with a long name."""
    records = []
    for i in range(10):
        checks = [verdict(f"c{k}", "passed" if k < i else "failed", message="" if k < i else f"got {k}", hidden=k == 8) for k in range(9)]
        records.append(record(f"student_{i}", *checks, verdict("g", "deferred", requires="cuda")))
        records.append(record(f"student_{i}", verdict("z", "passed" if i % 3 else "error"), exercise="u/two"))
    for text in HOSTILE:
        checks = [verdict("c0", "failed", message=text, name=text, part=text)]
        records.append(record(text, *checks, message=text, file=text))
        records.append(record(text, verdict("z", "not_run"), status="unreadable", message=text, exercise="u/two"))
    records += [nothing("absent"), nothing("absent", "u/two"), record(LONG, verdict("c0", "failed", message=LONG * 5, name=LONG))]
    made = tmp_path_factory.mktemp("class")
    write_all(write(made, records), EXERCISES)
    return made


class Watched:
    """Pages opened in the browser one after another, with all they asked for and complained of."""

    def __init__(self, browser: Browser, *paths: Path, scheme: str = "light", script: bool = True) -> None:
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.uris = [path.as_uri() for path in paths]
        dark: Literal["dark", "light"] = "dark" if scheme == "dark" else "light"
        self.page: Page = browser.new_page(viewport={"width": 1280, "height": 900}, color_scheme=dark, java_script_enabled=script)
        self.page.on("request", lambda r: self.asked.append(r.url))
        self.page.on("console", lambda m: self.complaints.append(m.text))
        self.page.on("pageerror", lambda e: self.complaints.append(str(e)))

    def each(self) -> Iterator[Page]:
        for uri in self.uris:
            self.page.goto(uri)
            yield self.page

    def close(self) -> None:
        self.page.close()
        assert self.asked == self.uris
        assert self.complaints == []


@pytest.fixture
def report(browser: Browser, folder: Path) -> Iterator[Page]:
    watched = Watched(browser, folder / "report.html")
    yield from watched.each()
    watched.close()


def column(page: Page, section: str, number: int) -> list[str]:
    cells: list[str] = page.locator(f"#{section} tbody tr").evaluate_all("(rows, n) => rows.map(r => r.cells[n].innerText.trim())", number)
    return cells


def heads(page: Page, section: str) -> list[str]:
    return [h.strip() for h in page.locator(f"#{section} thead button").all_inner_texts()]


def test_a_click_sorts_numbers_from_the_largest_and_again_from_the_smallest(report: Page) -> None:
    at = heads(report, "students").index("%")
    button = report.locator("#students thead button").nth(at)
    before = [float(v) for v in column(report, "students", at)]
    button.click()
    assert [float(v) for v in column(report, "students", at)] == sorted(before, reverse=True) != before
    assert report.locator("#students th[aria-sort]").get_attribute("aria-sort") == "descending"
    button.click()
    assert [float(v) for v in column(report, "students", at)] == sorted(before)
    assert column(report, "students", 0)[0] in ("student_0", "absent", *HOSTILE, LONG)


def test_words_sort_as_words_and_blanks_stay_last(report: Page) -> None:
    report.locator("#students thead button").first.click()
    names = [n for n in column(report, "students", 0) if n.startswith("student_")]
    assert names == [f"student_{i}" for i in range(10)]
    report.locator("#checks thead button").first.click()  # a blank rate is now in the first row
    at = heads(report, "checks").index("pass rate")
    assert column(report, "checks", at)[0] == "–"
    button = report.locator("#checks thead button").nth(at)
    for _ in range(2):
        button.click()
        rates = [r.split()[0] for r in column(report, "checks", at)]
        blanks = rates.count("–")
        assert blanks == 3
        assert rates[-blanks:] == ["–"] * blanks
        numbers = [float(r.rstrip("%")) for r in rates[:-blanks]]
        assert sorted(numbers, reverse=button.locator("xpath=..").get_attribute("aria-sort") == "descending") == numbers
        assert len(set(numbers)) > 3


def test_a_check_that_good_students_pass_and_weak_ones_do_not_discriminates(report: Page) -> None:
    at = heads(report, "checks").index("discrimination")
    names = column(report, "checks", 0)
    values = column(report, "checks", at)
    assert float(values[names.index("name of c4")]) > 0.5


def test_the_switch_changes_every_label_and_back(report: Page) -> None:
    assert report.locator("h1").inner_text() == "Class report"
    report.get_by_text("বাংলা").click()
    assert report.locator("h1").inner_text() == "ক্লাসের ফলাফল"
    assert not report.locator(".en").evaluate_all("es => es.some(e => e.getClientRects().length)")
    report.get_by_text("English", exact=True).click()
    assert report.locator("h1").inner_text() == "Class report"
    assert not report.locator(".bn").evaluate_all("es => es.some(e => e.getClientRects().length)")


def test_the_switch_works_by_keyboard_and_says_what_it_is(report: Page) -> None:
    report.locator("#in-en").focus()
    report.keyboard.press("ArrowLeft")
    assert report.locator("h1").inner_text() == "ক্লাসের ফলাফল"
    assert report.get_by_role("group", name="ভাষা / language").count() == 1


def test_no_text_of_a_student_runs_in_the_report(report: Page) -> None:
    assert report.evaluate("window.owned") is None
    assert report.locator("script").count() == 1
    assert report.locator("img").count() == 0
    assert report.locator("#machine").is_visible()  # nothing swallowed the end of the page


def test_links_lead_to_every_students_page(report: Page, folder: Path) -> None:
    paths = report.locator("#students a").evaluate_all("links => links.map(a => decodeURIComponent(new URL(a.href).pathname))")
    assert len(set(paths)) == len(paths) == 12 + len(HOSTILE)
    assert all(Path(p).parent == folder / "students" and Path(p).is_file() for p in paths)


def test_no_text_of_a_student_runs_in_that_students_page(browser: Browser, folder: Path) -> None:
    watched = Watched(browser, *(folder / "students" / page_name(text) for text in HOSTILE))
    for page in watched.each():
        assert page.evaluate("window.owned") is None
        assert page.locator("script, img, table").count() == 0
        assert page.locator("section").count() == 3
    watched.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_page_fits_a_phone_and_a_desk_by_day_and_by_night(browser: Browser, folder: Path, scheme: str) -> None:
    watched = Watched(browser, *(folder / name for name in PAGES), scheme=scheme)
    for page in watched.each():
        red = int(page.evaluate("getComputedStyle(document.documentElement).backgroundColor.match(/[0-9]+/)[0]"))
        assert red > 200 if scheme == "light" else red < 60
        for width, lang in product((360, 1280), ("bn", "en")):
            page.set_viewport_size({"width": width, "height": 740})
            page.locator(f"label[for=in-{lang}]").click()
            assert page.evaluate("document.documentElement.scrollWidth") == width
    watched.close()


def test_a_page_reads_in_both_languages_where_scripts_are_off(browser: Browser, folder: Path) -> None:
    watched = Watched(browser, *(folder / name for name in PAGES), script=False)
    for page in watched.each():
        words = page.locator("header .soft").first
        assert words.inner_text() in (
            "Results",
            "For the instructor only: hidden checks are in it. The pages to hand out are in the folder students/.",
        )
        page.locator("label[for=in-bn]").click()
        assert words.inner_text().startswith(("ফলাফল", "শুধু শিক্ষকের জন্য"))
    watched.close()


def test_a_student_sees_marks_what_waits_and_that_there_is_more(browser: Browser, folder: Path) -> None:
    watched = Watched(browser, folder / "students" / "student_4.html")
    next(watched.each())
    text = watched.page.locator("body").inner_text()
    assert "5 / 11" in text
    assert "One point waits for a machine with a GPU" in text
    assert "waits for a GPU" in text
    assert "There is one further check that is not shown here: 0 of 1 points." in text
    assert "got 4" in text
    assert "got 8" not in watched.page.content()
    watched.close()
