"""A learner before a quiz's page, who has a mouse, a finger or only a keyboard."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, BrowserContext, Page

from courselib.quiz.built import Built, of_variant
from courselib.quiz.right import first_order
from courselib.quiz.variants import variant_of

By = Literal["mouse", "touch", "keys"]
SIZES = {"phone": (360, 740), "desk": (1280, 900)}
BANGLA = str.maketrans("0123456789", "০১২৩৪৫৬৭৮৯")
FARTHEST = 80  # presses of Tab until the learner gives up


class Learner:
    """One visit to a page; all that it asked the network for and complained of is kept."""

    def __init__(self, browser: Browser, path: Path, by: By = "mouse", size: str = "desk", **settings: Any) -> None:
        width, height = SIZES[size]
        self.context: BrowserContext = browser.new_context(viewport={"width": width, "height": height}, has_touch=by == "touch", **settings)
        self.by, self.uri = by, path.as_uri()
        self.asked: list[str] = []
        self.complaints: list[str] = []
        self.page: Page = self.context.new_page()
        self.page.route("**/*", lambda route: route.continue_() if route.request.url == self.uri else route.abort())
        self.page.on("request", lambda r: self.asked.append(r.url))
        self.page.on("console", lambda m: self.complaints.append(m.text))
        self.page.on("pageerror", lambda e: self.complaints.append(str(e)))

    def open(self) -> Learner:
        self.page.goto(self.uri)
        self.page.wait_for_selector("#start")
        return self

    def close(self) -> None:
        self.context.close()
        assert {url for url in self.asked if not url.startswith(("data:font/woff2;", "blob:"))} == {self.uri}
        assert self.complaints == []

    def press(self, selector: str) -> None:
        """Press a button, by whatever the learner has."""
        if self.by == "mouse":
            self.page.click(selector)
        elif self.by == "touch":
            self.page.tap(selector)
        else:
            self.tab_to(selector)
            self.page.keyboard.press("Enter")

    def tab_to(self, selector: str) -> None:
        for _ in range(FARTHEST):
            if self.page.evaluate("(s) => document.activeElement.matches(s)", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{selector} cannot be reached with Tab")

    def pick(self, id: str) -> None:
        """Pick a choice: by keyboard, Tab reaches the group and an arrow or Space the choice."""
        box = f'.option[data-id="{id}"]'
        if self.by != "keys":
            return self.press(box)
        kind = self.page.get_attribute(f"{box} input", "type")
        if kind == "checkbox":
            self.tab_to(f"{box} input")
            return self.page.keyboard.press("Space")
        self.tab_to("#form .option input, .rating .option input")
        self.page.keyboard.press("Space")
        while not self.page.is_checked(f"{box} input"):
            self.page.keyboard.press("ArrowDown")
        return None

    def write(self, text: str) -> None:
        if self.by == "keys":
            self.tab_to("#entry")
        else:
            self.press("#entry")
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(text)

    def select(self, selector: str, value: str) -> None:
        if self.by == "keys":
            self.tab_to(selector)
            self.page.keyboard.type(value)
        else:
            self.page.select_option(selector, value)

    def arrange(self, question: Built) -> None:
        """Put every step in its place, one press at a time, and set the others aside."""
        for step in question["steps"]:
            if step["extra"]:
                self.press(f'[data-id="{step["id"]}"] .aside')
        for place, step in enumerate(first_order(question)):
            while self.placed().index(step) > place:
                self.press(f'[data-id="{step}"] .up')

    def placed(self) -> list[str]:
        found: list[str] = self.page.locator(".order ol > li").evaluate_all("items => items.map((i) => i.dataset.id)")
        return found

    def answer(self, question: Built, student: str = "") -> None:
        """Give the right answer to the question on the screen."""
        match question["type"]:
            case "choice" | "choices":
                for choice in question["choices"]:
                    if choice["right"]:
                        self.pick(choice["id"])
            case "number":
                self.write(self.right_number(question, student))
            case "order":
                self.arrange(question)
            case "dtypes":
                for n, name in enumerate(question["names"]):
                    self.select(f"#name-{n}", name["dtype"])
            case "shape":
                self.write(" × ".join(map(str, question["shape"])).translate(BANGLA))
            case "reveal":
                self.write("আমার কথা")

    def right_number(self, question: Built, student: str) -> str:
        variants = question["variants"]
        met = of_variant(question, variant_of("demo", question["id"], student, len(variants))) if variants else question
        return f"{float(Fraction(met['key'])):.6f}".translate(BANGLA)

    def heard(self) -> str:
        """Wait for what a screen reader is told next, and return it."""
        self.page.locator("#status:not(:empty)").wait_for(state="attached")
        return str(self.page.text_content("#status"))

    def told(self) -> str:
        return self.page.inner_text("#told")

    def sheet(self) -> dict[str, Any]:
        """Download the answer file and read it."""
        with self.page.expect_download() as waiting:
            self.press("#download")
        assert waiting.value.suggested_filename == "demo.json"
        found: dict[str, Any] = json.loads(Path(waiting.value.path()).read_text(encoding="utf-8"))
        return found

    def write_student(self, name: str) -> None:
        """Say who is answering, on a graded page's cover."""
        self.page.fill("#student", name)
        self.press("#start")
