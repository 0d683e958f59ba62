"""A quiz in the terminal: feedback at once, hints, a second try, and going on where one stopped."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import made
import made_quiz
import pytest
from rich.console import Console

from courselib.quiz import terminal
from courselib.text import in_language
from courselib.trouble import Trouble


class Learner:
    """Types the given lines, then closes the terminal; keeps what was printed."""

    def __init__(self, *lines: str) -> None:
        self.lines: Iterator[str] = iter(lines)
        self.console = Console(file=io.StringIO(), width=100)

    def __call__(self, line: str) -> str:
        self.console.print(line, markup=False)
        try:
            return next(self.lines)
        except StopIteration:
            raise EOFError from None

    @property
    def saw(self) -> str:
        file = self.console.file
        assert isinstance(file, io.StringIO)
        return file.getvalue()


@pytest.fixture
def take(tmp_path: Path) -> Callable[..., tuple[int, str]]:
    def run(sources: tuple[str, ...], *lines: str, lang: str = "en") -> tuple[int, str]:
        learner = Learner(*lines)
        with in_language(lang):
            code = terminal.take(made_quiz.built(tmp_path, *sources), tmp_path / "demo.json", learner.console, learner)
        return code, learner.saw

    return run


def kept(folder: Path) -> dict[str, object]:
    return dict(json.loads((folder / "demo.json").read_text(encoding="utf-8")))


def test_all_kinds_to_the_end(take: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    lines = (
        "early",
        "weight loss",
        "৭৬২.৯",
        "move zero forward backward update",
        "half, float32, float32",
        "(8, 16, 30, 30)",
        "my view",
        "২",
    )
    code, saw = take(made_quiz.ALL, *lines)
    assert code == 0
    assert "7 of 7 points: right 6, partly 0, open 0" in saw
    assert kept(tmp_path)["answers"] == {
        "async": "early",
        "kept": ["weight", "loss"],
        "memory": "৭৬২.৯",
        "step": ["move", "zero", "forward", "backward", "update"],
        "types": {"h": "half", "loss": "float32", "layer.weight.grad": "float32"},
        "conv": "(8, 16, 30, 30)",
        "think": {"text": "my view", "rating": 2},
    }
    assert "For a reason." in saw


def test_a_wrong_answer_has_its_reason_and_a_second_try(take: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    code, saw = take((made_quiz.NUMBER,), "381.5", "nan", "762.9")
    assert code == 0
    assert saw.index("The optimizer is left out.") < saw.index("Not nan or inf") < saw.index("Right")
    assert kept(tmp_path)["attempts"] == {"memory": 2}
    assert "a number (MB, give or take 0.1 MB)> " in saw


def test_the_best_answer_stays(take: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    take((made_quiz.CHOICES,), "weight", "conv", "")
    assert kept(tmp_path)["answers"] == {"kept": ["weight"]}


def test_hints_come_one_by_one_and_the_answer_can_be_seen(take: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    code, saw = take((made_quiz.CHOICE,), "?", "?", "!")
    assert code == 1
    assert saw.index("Think of the launch.") < saw.index("There are no more hints.") < saw.index("A launch is asynchronous.")
    assert kept(tmp_path)["answers"] == {}


def test_it_goes_on_where_one_stopped(take: Callable[..., tuple[int, str]]) -> None:
    two = (made_quiz.CHOICE, made_quiz.SHAPE)
    code, saw = take(two, "early", "q")
    assert code == 1
    assert "demo.json" in saw
    code, saw = take(two, "8x16x30x30")
    assert code == 0
    assert "Why so little?" not in saw


def test_only_one_move_is_told(take: Callable[..., tuple[int, str]]) -> None:
    _, saw = take((made_quiz.ORDER,), "update backward forward zero move")
    assert saw.count("Move “") == 1


@pytest.mark.parametrize("typed", ["9", "0", "x", "1 2"])
def test_what_is_no_choice_is_asked_again(typed: str, take: Callable[..., tuple[int, str]]) -> None:
    code, saw = take((made_quiz.CHOICE,), typed, "early")
    assert code == 0
    assert "number" in saw


def test_it_speaks_bangla(take: Callable[..., tuple[int, str]]) -> None:
    _, saw = take((made_quiz.CHOICE,), "fast", lang="bn")
    assert "ঠিক হয়নি" in saw
    assert "এত দ্রুত কোনো GPU নয়।" in saw


def test_the_sheet_of_another_quiz_is_not_overwritten(take: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    made.write(tmp_path / "demo.json", '{"quiz": "speed", "answers": {}}')
    with pytest.raises(Trouble):
        take((made_quiz.CHOICE,), "early")


def test_markup_in_what_is_typed_does_nothing(take: Callable[..., tuple[int, str]]) -> None:
    _, saw = take((made_quiz.CHOICE,), "[red]x[/]", "\x1b[31m")
    assert "[red]x[/]: write a number" in saw
    assert "\x1b[31m" not in saw


def test_what_is_said_to_be_kept_is_there(take: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    _, saw = take((made_quiz.CHOICE,), "q")
    assert "Kept in" in saw
    assert kept(tmp_path) == {"quiz": "demo", "answers": {}, "variants": {}, "attempts": {}}


def test_where_nothing_can_be_kept_nobody_is_asked(tmp_path: Path) -> None:
    learner = Learner("early")
    with pytest.raises(OSError, match="nowhere"):
        terminal.take(made_quiz.built(tmp_path, made_quiz.CHOICE), tmp_path / "nowhere" / "demo.json", learner.console, learner)
    assert next(learner.lines) == "early"


def test_a_sheet_keeps_its_student(take: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    made.write(tmp_path / "demo.json", '{"quiz": "demo", "student": "s01", "answers": {}}')
    take((made_quiz.CHOICE,), "early")
    assert kept(tmp_path)["student"] == "s01"


def test_a_rating_is_asked_for_until_there_is_one(take: Callable[..., tuple[int, str]], tmp_path: Path) -> None:
    take((made_quiz.REVEAL,), "my view", "5", "", "১")
    assert kept(tmp_path)["answers"] == {"think": {"text": "my view", "rating": 1}}


@pytest.mark.parametrize("typed", [b"\xff\xfe\n2\n", "আমি\n২\n".encode()])
def test_any_bytes_may_be_typed_in_any_locale(typed: bytes, tmp_path: Path) -> None:
    made.write(
        tmp_path / "course.yaml",
        "title: {bn: ক, en: A}\nunits: {unit: {title: {bn: ক, en: A}, exercises: {one: {hint: {bn: ক, en: A}}}}}\nquizzes: {demo: {}}\n",
    )
    made.write(tmp_path / "quizzes" / "demo.yaml", made_quiz.text(made_quiz.REVEAL))
    env = {**made.ENVIRONMENT, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"}
    line = [sys.executable, "-m", "courselib", "quiz", "take", "demo"]
    done = subprocess.run(line, cwd=tmp_path, env=env, input=typed, capture_output=True, timeout=120, check=False)
    assert done.stderr == b""
    assert kept(tmp_path)["answers"] == {"think": {"text": typed.split(b"\n")[0].decode("utf-8", "replace"), "rating": 2}}
