"""A quiz's page in a real browser: finished by keyboard alone and by touch alone, read aloud, kept, handed in."""

from __future__ import annotations

import base64
import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import made_quiz
import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import chromium, needs_chromium
from learner import By, Learner
from made_records import HOSTILE
from playwright.sync_api import Browser

from courselib.course import load_course
from courselib.quiz import sheets, shelf, show
from courselib.quiz.built import SECRET, Built
from courselib.quiz.page import framed, page
from courselib.trouble import Trouble

pytestmark = needs_chromium

BANGLA = re.compile("[\u0980-\u09fe]")
Visit = Callable[..., Learner]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("pages")


@pytest.fixture(scope="module")
def built(folder: Path) -> Built:
    return made_quiz.built(folder, *made_quiz.ALL)


@pytest.fixture
def visit(browser: Browser, folder: Path, built: Built) -> Iterator[Visit]:
    """Open a page of the quiz for a learner; afterwards nothing may have been asked for or complained of."""
    visits: list[Learner] = []

    def start(lang: str = "en", by: By = "mouse", *, quiz: Built = built, keys: bool = True, script: str = "", **settings: Any) -> Learner:
        path = folder / f"{lang}-{keys}-{len(visits)}.html"
        path.write_text(page(quiz, lang, keys=keys), encoding="utf-8")
        visits.append(Learner(browser, path, by, **settings))
        if script:
            visits[-1].page.add_init_script(script)
        return visits[-1].open()

    yield start
    for one in visits:
        one.close()


def at(learner: Learner, built: Built, type: str) -> Built:
    """Bring a learner who has just opened the page to the question of a type."""
    number = [q["type"] for q in built["questions"]].index(type)
    learner.press("#start")
    for _ in range(number):
        learner.press("#next")
    return dict(built["questions"][number])


def to_the_end(learner: Learner) -> None:
    while learner.page.locator("#download").count() == 0:
        learner.press("#next")


def finish(learner: Learner, built: Built) -> None:
    """Answer all questions rightly, from the cover to the end."""
    learner.press("#start")
    for question in built["questions"]:
        learner.answer(question)
        learner.press("#check")
        if question["type"] == "reveal":
            learner.pick("2")
        learner.press("#next")


@pytest.mark.parametrize(
    ("lang", "by", "size"), [("bn", "keys", "phone"), ("en", "touch", "phone"), ("en", "keys", "desk"), ("bn", "mouse", "desk")]
)
def test_a_learner_finishes_with_what_she_has(visit: Visit, built: Built, lang: str, by: By, size: str) -> None:
    learner = visit(lang, by, size=size)
    finish(learner, built)
    possible = sum(q["points"] for q in built["questions"])
    shown = learner.page.inner_text(".score").translate(str.maketrans("০১২৩৪৫৬৭৮৯", "0123456789"))
    assert re.findall("[0-9.]+", shown) == [str(possible)] * 2
    sheet = learner.sheet()
    marks = sheets.marked(built, sheets.Sheet(**sheet), sheets.as_told(sheets.Sheet(**sheet)))
    assert (marks.score, marks.notes) == (possible, [])
    assert set(sheet["attempts"].values()) == {1}
    assert sheet["answers"]["think"] == {"text": "আমার কথা", "rating": 2}


def test_every_verdict_is_heard_and_seen(visit: Visit, built: Built) -> None:
    learner = visit("en")
    at(learner, built, "choice")
    learner.press("#check")
    assert "Not answered" in learner.heard()
    assert "tries" not in learner.told()
    learner.pick("fast")
    learner.press("#check")
    learner.page.locator("#status", has_text="Not right").wait_for(state="attached")
    assert "No GPU is that fast." in learner.heard()
    assert learner.page.inner_text('[data-id="fast"] .sign') == "✗"
    assert learner.page.evaluate("document.activeElement.id") == "check"
    learner.pick("early")
    learner.press("#check")
    learner.page.locator("#status", has_text="✓ Right").wait_for(state="attached")
    assert "A launch is asynchronous." in learner.told()


HINTS = {
    "": "Not answered",
    "nan": "Not nan or inf",
    "-inf": "Not nan or inf",
    "1_000": "No _ inside a number",
    "762,9": "write a decimal point",
    "5 km": "you may write: MB, GB",
    "<img src=x onerror=window.owned=1>": "could not be read",
}


def test_what_is_no_number_is_a_hint_and_no_try(visit: Visit, built: Built) -> None:
    learner = visit("en")
    at(learner, built, "number")
    for typed, said in HINTS.items():
        learner.write(typed)
        learner.press("#check")
        assert said in learner.told()
        assert "tries" not in learner.told()
        assert learner.page.inner_text("#read") == ""
    assert learner.page.evaluate("window.owned") is None


READ_BACK = {
    "১,২৩,৪৫৬": "123456 MB",
    "−৭.৫": "−7.5 MB",
    "1.5 GB": "1536 MB",
    "1/3": "≈ 0.333333 MB",
    "1e-300": "≈ 1.00000 × 10^-300 MB",
    "1.5e-7": "≈ 1.50000 × 10^-7 MB",
    "2.5e30": "≈ 2.50000 × 10^30 MB",
    "1२": "12 MB",
}


def test_a_number_is_read_back_in_the_language_of_the_page(visit: Visit, built: Built) -> None:
    learner = visit("bn")
    at(learner, built, "number")
    for lang, start in (("bn", "তুমি লিখেছ"), ("en", "You wrote")):
        learner.page.locator(f"label[for=in-{lang}]").click()
        for typed, read in READ_BACK.items():
            learner.write(typed)
            assert learner.page.inner_text("#read") == f"{start} {typed} = {read}"


def test_hints_come_one_by_one_and_the_answer_after_two_misses(visit: Visit, built: Built) -> None:
    learner = visit("en")
    at(learner, built, "choice")
    learner.press("#hint")
    assert "Think of the launch." in learner.heard()
    assert learner.page.locator("#hint").count() == 0
    for wrong in ("fast", "cache"):
        learner.pick(wrong)
        assert learner.page.locator("#show").count() == 0
        learner.press("#check")
        learner.press("#check")  # the same answer again is no second miss
    assert "tries: 2" in learner.told()
    learner.press("#show")
    assert "The clock stopped early" in learner.page.inner_text(".told.answer")
    assert learner.page.evaluate("document.activeElement.matches('.told.answer')")
    learner.pick("early")
    learner.press("#check")
    assert "Right" in learner.told()
    to_the_end(learner)
    assert learner.page.inner_text(".score").startswith("0 of")  # a try after the answer was shown does not count
    assert "answer seen" in learner.page.inner_text("main")
    assert learner.sheet()["answers"]["async"] == "cache"


def test_the_best_try_stays_and_new_numbers_come(visit: Visit, built: Built) -> None:
    learner = visit("en")
    question = at(learner, built, "number")
    before = learner.page.inner_text("#ask")
    learner.answer(question)
    learner.press("#check")
    learner.press("#renew")
    assert learner.page.inner_text("#ask") != before
    assert learner.page.evaluate("document.activeElement.id") == "entry"
    learner.write("1")
    learner.press("#check")
    assert "best: Right" in learner.told()
    to_the_end(learner)
    sheet = sheets.Sheet(**learner.sheet())
    marks = sheets.marked(built, sheet, sheets.as_told(sheet))
    assert [v.state for q, v in marks.verdicts if q["id"] == question["id"]] == ["right"]
    assert sheet.attempts == {question["id"]: 2}


def test_an_order_says_where_a_step_went_and_can_be_undone(visit: Visit, built: Built) -> None:
    learner = visit("en", "keys")
    at(learner, built, "order")
    start = learner.placed()
    learner.press(f'[data-id="{start[1]}"] .up')
    assert learner.placed()[:2] == start[1::-1]
    assert "now 1 of 6" in learner.heard()
    assert learner.page.evaluate("document.activeElement.className") == "up"
    learner.page.keyboard.press("ArrowDown")
    learner.page.keyboard.press("ArrowDown")
    assert learner.placed().index(start[1]) == 2
    learner.press(f'[data-id="{start[0]}"] .aside')
    assert start[0] not in learner.placed()
    for _ in range(4):
        learner.press(".undo")
    assert learner.placed() == start
    label = learner.page.get_attribute('[data-id="half"] .up', "aria-label")
    assert label == "Move up: model.half()"


def test_an_untouched_order_is_no_answer_until_it_is_confirmed(visit: Visit, built: Built) -> None:
    for confirm in (False, True):
        learner = visit("en", keys=False)
        learner.write_student("s01")
        for _ in range([q["type"] for q in built["questions"]].index("order")):
            learner.press("#next")
        if confirm:
            learner.press("#check")
        to_the_end(learner)
        assert ("step" in learner.sheet()["answers"]) is confirm


def test_a_step_can_be_dragged(visit: Visit, built: Built) -> None:
    learner = visit("en")
    at(learner, built, "order")
    start = learner.placed()
    boxes = [learner.page.locator(f'[data-id="{id}"] .grip').bounding_box() for id in start]
    middles = [(b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in boxes if b]
    learner.page.mouse.move(*middles[0])
    learner.page.mouse.down()
    learner.page.mouse.move(middles[2][0], middles[2][1] + 10, steps=5)
    learner.page.mouse.up()
    assert learner.placed() == [start[1], start[2], start[0], *start[3:]]
    assert "now 3 of 6" in learner.heard()


def test_a_step_can_be_dragged_with_a_finger(visit: Visit, built: Built) -> None:
    learner = visit("en", "touch", size="phone")
    at(learner, built, "order")
    start = learner.placed()
    box = learner.page.locator(f'[data-id="{start[1]}"] .grip').bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = learner.context.new_cdp_session(learner.page)
    for kind, points in (("touchStart", [(x, y)]), *(("touchMove", [(x, y - n)]) for n in range(10, 80, 10)), ("touchEnd", [])):
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in points]})
    assert learner.placed() == [start[1], start[0], *start[2:]]


def test_the_page_speaks_one_language_at_a_time(visit: Visit, built: Built) -> None:
    learner = visit("bn")
    assert learner.page.locator("html").get_attribute("lang") == "bn"
    at(learner, built, "number")
    assert learner.page.inner_text("#check") == "মিলিয়ে দেখো"
    learner.page.locator("label[for=in-en]").click()
    assert learner.page.locator("html").get_attribute("lang") == "en"
    learner.write("5")
    learner.press("#check")
    for _ in range(6):
        body = learner.page.inner_text("body").replace("বাংলা", "")
        assert BANGLA.findall(body) == []
        if learner.page.locator("#next").is_visible():
            learner.press("#next")
    learner.page.reload()
    learner.page.locator("html[lang=en]").wait_for()  # the language is kept as well


def screens(learner: Learner, built: Built) -> Iterator[str]:
    """Go through the whole page with wrong answers, hints and answers shown, and stop at each screen."""
    learner.page.wait_for_selector("#start")
    yield "cover"
    learner.press("#start")
    for question in built["questions"]:
        for wrong in (0, 1):
            if question["type"] == "choice":
                learner.pick([c["id"] for c in question["choices"] if not c["right"]][wrong])
            elif question["type"] == "choices":
                learner.pick(question["choices"][2 + wrong]["id"])
            elif question["type"] in ("number", "shape"):
                learner.write("৭ ৮"[: 1 + 2 * wrong] if question["type"] == "shape" else f"{wrong}.5")
            elif question["type"] == "dtypes":
                learner.select("#name-0", "float64" if wrong else "bfloat16")
            elif question["type"] == "order":
                learner.press(f'[data-id="{learner.placed()[1]}"] .{"up" if wrong else "aside"}')
            if learner.page.locator("#check").is_visible():
                learner.press("#check")
        for more in ("#hint", "#show"):
            if learner.page.locator(more).count():
                learner.press(more)
        yield str(question["type"])
        learner.press("#next")
    yield "end"


@pytest.mark.parametrize(("lang", "scheme", "size"), [("bn", "light", "phone"), ("en", "dark", "desk")])
def test_axe_finds_nothing(visit: Visit, built: Built, lang: str, scheme: str, size: str) -> None:
    learner = visit(lang, size=size, color_scheme=scheme, bypass_csp=True)
    for screen in screens(learner, built):
        found = Axe().run(learner.page).response["violations"]
        assert [(screen, v["id"], v["nodes"][0]["html"][:200]) for v in found] == []


FIT = """() => {
  const targets = 'button, .option, select, input[type=text], textarea, .switch label, summary';
  const seen = [...document.querySelectorAll(targets)].filter((e) => e.getClientRects().length);
  const small = seen.filter((e) => e.offsetHeight < 44 || e.offsetWidth < 44).map((e) => e.outerHTML.slice(0, 120));
  return [document.documentElement.scrollWidth, small];
}"""
CLASHES = """() => {
  const every = [...document.querySelectorAll('#bar button, h1, .switch label, #standing > *')];
  const boxes = every.map((e) => [e.textContent, e.getBoundingClientRect()]).filter(([, box]) => box.width > 1);
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return boxes.flatMap(([p, a], n) => boxes.slice(0, n).filter(([, b]) => over(a, b)).map(([q]) => `${q} / ${p}`));
}"""


@pytest.mark.parametrize("lang", ["bn", "en"])
def test_every_screen_fits_a_narrow_phone_with_targets_for_a_finger(visit: Visit, built: Built, lang: str) -> None:
    learner = visit(lang, size="phone")
    for screen in screens(learner, built):
        for width in (320, 360):
            learner.page.set_viewport_size({"width": width, "height": 740})
            assert (screen, *learner.page.evaluate(FIT)) == (screen, width, [])
            assert (screen, learner.page.evaluate(CLASHES)) == (screen, [])


@pytest.mark.parametrize("lang", ["bn", "en"])
def test_text_twice_as_large_hides_nothing(visit: Visit, built: Built, lang: str) -> None:
    learner = visit(lang, size="phone")
    learner.page.evaluate("document.documentElement.style.fontSize = '200%'")
    for screen in screens(learner, built):
        assert (screen, learner.page.evaluate("document.documentElement.scrollWidth")) == (screen, 360)
        assert (screen, learner.page.evaluate(CLASHES)) == (screen, [])


def test_a_missing_id_is_seen_and_heard(visit: Visit) -> None:
    learner = visit("en", keys=False)
    learner.write_student(" \u200b ")
    assert learner.page.inner_text("#student-help") == "Write your student ID first."
    assert learner.heard() == "Write your student ID first."


def test_one_move_is_told_at_a_time(visit: Visit, built: Built) -> None:
    learner = visit("en")
    learner.press("#start")
    for _ in range([q["type"] for q in built["questions"]].index("order")):
        learner.press("#next")
    learner.press("#check")
    assert learner.told().count("Move ") == 1


@pytest.mark.parametrize("keys", [True, False])
def test_a_number_says_beforehand_how_near_is_near_enough(visit: Visit, built: Built, keys: bool) -> None:
    learner = visit("bn", keys=keys)
    if not keys:
        learner.page.fill("#student", "s01")
    learner.press("#start")
    for _ in range([q["type"] for q in built["questions"]].index("number")):
        learner.press("#next")
    assert learner.page.inner_text("label[for=entry]") == "তোমার উত্তর (০.১ MB কম-বেশি হলেও চলবে)"


def test_light_and_dark_follow_the_system(visit: Visit) -> None:
    for scheme in ("light", "dark"):
        learner = visit("en", color_scheme=scheme)
        red = int(learner.page.evaluate("getComputedStyle(document.documentElement).backgroundColor.match(/[0-9]+/)[0]"))
        assert red > 200 if scheme == "light" else red < 60


def test_bangla_is_set_in_the_font_of_the_page(visit: Visit) -> None:
    learner = visit("bn")
    assert learner.page.evaluate("document.fonts.ready.then(() => document.fonts.check('16px \"Quiz Bangla\"', 'ক'))")
    assert learner.page.evaluate("[...document.fonts].map((f) => f.status)") == ["loaded", "loaded"]


def test_nothing_moves_where_less_motion_is_asked_for(visit: Visit, built: Built) -> None:
    for motion, seconds in (("reduce", "0s"), ("no-preference", "0.12s")):
        learner = visit("en", reduced_motion=motion)
        at(learner, built, "order")
        assert learner.page.evaluate("getComputedStyle(document.querySelector('.step')).transitionDuration") == seconds


def test_what_was_done_is_there_after_a_reload(visit: Visit, built: Built) -> None:
    learner = visit("en")
    at(learner, built, "number")
    learner.write("7")
    learner.press("#check")
    told = learner.told()
    learner.press("#hint") if learner.page.locator("#hint").count() else None
    learner.page.reload()
    assert learner.page.input_value("#entry") == "7"
    assert learner.told() == told


def test_all_questions_are_a_press_away(visit: Visit, built: Built) -> None:
    learner = visit("en", "keys")
    at(learner, built, "number")
    learner.press("#all")
    learner.press("#back")
    assert learner.page.inner_text("#place") == "Question 3 of 7"
    learner.press("#all")
    learner.press(".shelf li:nth-child(6) .jump")
    assert learner.page.inner_text("#place") == "Question 6 of 7"
    assert learner.page.evaluate("document.activeElement.id") == "place"


@pytest.mark.parametrize(
    "script",
    [
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no') } })",
        "Storage.prototype.setItem = () => { throw new DOMException('full') }",
        "Storage.prototype.getItem = () => '{broken'",
    ],
)
def test_the_quiz_goes_on_where_nothing_can_be_kept(visit: Visit, built: Built, script: str) -> None:
    learner = visit("en", script=script)
    finish(learner, built)
    assert len(learner.sheet()["answers"]) == len(built["questions"])


def test_a_browser_without_scripts_is_told_what_is_missing(folder: Path, browser: Browser, built: Built) -> None:
    (folder / "plain.html").write_text(page(built, "bn"), encoding="utf-8")
    plain = browser.new_page(java_script_enabled=False)
    plain.goto((folder / "plain.html").as_uri())
    plain.get_by_text("This page needs JavaScript").wait_for(state="visible")
    plain.close()


def test_all_can_be_erased_after_asking_twice(visit: Visit, built: Built) -> None:
    learner = visit("en")
    finish(learner, built)
    learner.press("#anew")
    assert learner.page.locator("#download").count() == 1
    learner.press("#anew")
    assert learner.page.inner_text("#start") == "Start"
    learner.page.reload()
    learner.page.wait_for_selector("#start")
    assert learner.page.inner_text("#start") == "Start"


def test_no_text_of_an_author_runs(visit: Visit, built: Built) -> None:
    questions = []
    for n, text in enumerate(HOSTILE):
        both = {"bn": text, "en": text}
        choices = [{**c, "text": both, "why": both} for c in built["questions"][0]["choices"]]
        questions.append({**built["questions"][0], "id": f"q{n}", "ask": both, "hints": [both], "choices": choices})
    learner = visit("en", quiz={**built, "title": questions[0]["ask"], "about": questions[1]["ask"], "questions": questions})
    learner.press("#start")
    for _ in questions:
        learner.pick("fast")
        learner.press("#check")
        learner.press("#hint")
        assert learner.page.locator("main :is(script, img, svg, table, a)").count() == 0
        learner.press("#next")
    assert learner.page.evaluate("window.owned") is None
    assert learner.page.locator("script").count() == 2


def secrets(value: Any, found: set[str]) -> set[str]:
    """Collect every text that stands under a secret name."""
    for name, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        if name in SECRET:
            found |= leaves(inner)
        else:
            secrets(inner, found)
    return found


def leaves(value: Any) -> set[str]:
    if isinstance(value, dict | list):
        return set().union(*map(leaves, value.values() if isinstance(value, dict) else value))
    return {value} if isinstance(value, str) and len(value) > 4 else set()


def test_a_graded_page_holds_no_key(built: Built) -> None:
    whole = page(built, "bn", keys=False)
    packed = re.search('id="data">([^<]+)<', whole)
    assert packed is not None
    data = gzip.decompress(base64.b64decode(packed[1])).decode()
    known = secrets(built, set())
    assert {"A launch is asynchronous.", "For a reason.", "106.8", "50000000/65536"} & known
    allowed = {"float16", "float32", "forward", "backward", "layer.weight.grad"}  # what a learner chooses among
    assert [s for s in known - allowed if s in data or s in whole] == []
    assert not {name for q in json.loads(data)["questions"] for name in q} & set(SECRET)


def test_a_graded_page_asks_who_and_says_nothing_of_right_and_wrong(visit: Visit, built: Built) -> None:
    learner = visit("en", keys=False)
    learner.press("#start")
    assert learner.heard() == "Write your student ID first."
    learner.write_student("  রহিম ")
    for question in built["questions"]:
        learner.answer(question, "রহিম")
        assert learner.page.locator("#show, .option.right").count() == 0
        if question["type"] not in ("reveal", "order"):
            assert learner.told() == "● Answer noted"
        learner.press("#next")
    assert "points" not in learner.page.inner_text("main")
    sheet = sheets.Sheet(**learner.sheet())
    assert sheet.student == "রহিম"
    marks = sheets.marked(built, sheet, sheets.of_student("demo", "রহিম"))
    assert marks.score == marks.possible


def test_two_students_at_one_browser_keep_apart(visit: Visit, built: Built) -> None:
    learner = visit("en", keys=False)
    learner.write_student("s01")
    learner.pick("early")
    learner.page.reload()
    learner.page.wait_for_selector("#start")
    assert learner.page.input_value("#student") == "s01"
    learner.write_student("s02")
    assert learner.page.locator(":checked[name=option]").count() == 0
    learner.page.reload()
    learner.page.wait_for_selector("#start")
    learner.write_student("s01")
    assert learner.page.locator(":checked[name=option]").get_attribute("value") == "early"


def test_a_number_that_cannot_be_read_is_said_on_a_graded_page(visit: Visit, built: Built) -> None:
    learner = visit("en", keys=False)
    learner.write_student("s01")
    for _ in range([q["type"] for q in built["questions"]].index("number")):
        learner.press("#next")
    learner.write("762,9")
    assert "write a decimal point" in learner.told()
    to_the_end(learner)
    assert "could not be read" in learner.page.inner_text("main")
    assert learner.sheet()["answers"] == {"memory": "762,9"}


@pytest.mark.parametrize("name", shelf.names(load_course(Path(__file__).parent)))
def test_a_quiz_of_the_course_is_small_and_fits_a_phone(visit: Visit, name: str) -> None:
    quiz = shelf.built(load_course(Path(__file__).parent), name)
    assert len(page(quiz, "bn").encode()) < 300_000
    learner = visit("bn", quiz=quiz, size="phone")
    learner.press("#start")
    for question in quiz["questions"]:
        assert (question["id"], learner.page.evaluate("document.documentElement.scrollWidth")) == (question["id"], 360)
        learner.press("#next")


def test_a_page_lives_in_a_frame_of_a_notebook(browser: Browser, built: Built) -> None:
    notebook = browser.new_page()
    notebook.set_content("<h1>notebook</h1>" + framed(page(built, "en"), 'de"mo'))
    frame = notebook.frame_locator("iframe")
    frame.locator("#start").click()
    frame.locator('.option[data-id="early"]').click()
    frame.locator("#check").click()
    assert frame.locator("#told .badge").inner_text() == "✓ Right"
    notebook.close()


def test_a_cell_shows_a_quiz_of_the_course(monkeypatch: pytest.MonkeyPatch) -> None:
    import IPython.display

    shown: list[Any] = []
    monkeypatch.setattr(IPython.display, "display", shown.append)
    show("gpu_training", Path(__file__).parent)
    assert shown[0].data.startswith('<div><iframe title="gpu_training"')
    with pytest.raises(Trouble, match="no quiz called gpu_trainin"):
        show("gpu_trainin", Path(__file__).parent)
