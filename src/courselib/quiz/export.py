"""`courselib quiz export`: a quiz for an LMS, and what of it that LMS's format cannot carry."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from courselib.quiz.built import Built
from courselib.quiz.exports import gift, moodle_xml, qti12, qti21
from courselib.quiz.exports.draft import Draft, Render
from courselib.quiz.exports.losses import Loss
from courselib.text import Text, say
from courselib.trouble import Trouble

FORMATS: dict[str, Callable[[Draft], bytes]] = {
    "moodle": moodle_xml.write,
    "gift": gift.write,
    "canvas": qti12.write,
    "qti21": qti21.write,
}
SUFFIXES = {"moodle": ".xml", "gift": ".txt", "canvas": ".zip", "qti21": ".zip"}
LANGS = ("bn", "en", "both")


def export(name: str, built: Built, to: str, lang: str, out: Path, *, render: Render) -> list[Loss]:
    """Write the quiz `name` to `out` in the format `to`; return what is lost. `render` makes HTML of Markdown."""
    if to not in FORMATS or lang not in LANGS:
        raise Trouble(
            say(
                "--to {t}, --lang {l} নেই; আছে {f} আর {k}।",
                "no --to {t} --lang {l}; there is {f} and {k}.",
                t=to,
                l=lang,
                f=", ".join(FORMATS),
                k=", ".join(LANGS),
            )
        )
    draft = Draft(name, built, lang, render)
    content = FORMATS[to](draft)
    refused = [loss.sentence for loss in draft.losses if loss.severity == "refused"]
    if len(refused) == len(built["questions"]):
        raise Trouble(
            say(
                "{t} এই quiz-এর একটি প্রশ্নও নিতে পারে না: {s}",
                "{t} can carry no question of this quiz: {s}",
                t=to,
                s=refused[0],
            )
        )
    out.write_bytes(content)
    return draft.losses


def grouped(losses: list[Loss]) -> list[tuple[Text, list[str]]]:
    """Return each sentence once, with the questions that it is about; none where it is about the quiz."""
    found: dict[tuple[str, str], tuple[Text, list[str]]] = {}
    for loss in losses:
        questions = found.setdefault((loss.sentence.bn, loss.sentence.en), (loss.sentence, []))[1]
        if loss.question:
            questions.append(loss.question)
    return list(found.values())
