"""`courselib release`: what students and platforms are given, each made from the three trees."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from courselib import bundle, stubs
from courselib.checks import CheckFile, load_checks
from courselib.course import Course, Exercise
from courselib.quiz import handing, shelf
from courselib.text import LANGUAGES, say
from courselib.trouble import Trouble

PARTS = ("student", "notebooks", "otter", "quizzes", "lms")
BUNDLE = "student.zip"
# One process for all of them, since importing Otter costs seconds; not ours, since Otter loaded makes `check` speak to it.
GENERATE = "import sys; from otter.generate import main; [main(tests_dir=n, output_path=n + '.zip') for n in sys.argv[1:]]"
README = say(
    """\
- `exercises/`: প্রতিটি exercise-এর stub। `...` আর `raise NotImplementedError`-এর জায়গায় তোমার উত্তর লেখো; নামগুলো বদলাবে না।
- `notebooks/bn/`: একই exercise, notebook হিসেবে। Stub বা notebook, যেকোনো একটিতে কাজ করলেই হয়।
- `autograder/`: খোলা check-গুলো। এগুলো বদলানোর দরকার নেই।
- `quizzes/`: quiz-গুলো; `.html` ফাইলটি browser-এ খোলো, internet লাগে না।

লাগবে Python 3.11 বা তার পরের কোনো সংস্করণ, আর `courselib` (কোথা থেকে install করবে, শিক্ষক বলে দেবেন)। GPU লাগে না। নিজের কাজ যাচাই
করো এই ফোল্ডারে বসে:

    courselib check
    courselib check notebooks/bn/{name}.ipynb

`courselib` পাওয়া না গেলে: `python -m courselib check`। কিছু check জমা দেওয়ার পরে চলে, আর কিছু চলে শুধু GPU-ওয়ালা মেশিনে।

জমা দাও তোমার উত্তরের ফাইলগুলো (`.py` বা `.ipynb`), প্রতি exercise-এ একটি করে, নাম না বদলে; একাধিক হলে একটি zip-এ।
""",
    """\
- `exercises/`: the stub of each exercise. Write your answer in place of `...` and `raise NotImplementedError`; change no names.
- `notebooks/en/`: the same exercises as notebooks. Work in the stub or in the notebook, whichever you like.
- `autograder/`: the public checks. They need no change.
- `quizzes/`: the quizzes; open the `.html` file in a browser, offline.

You need Python 3.11 or later, and `courselib` (your teacher tells you where to install it from). No GPU is needed. Check your own
work from this folder:

    courselib check
    courselib check notebooks/en/{name}.ipynb

Where `courselib` is not found: `python -m courselib check`. Some checks run after you hand in, and some only on a machine with a GPU.

Hand in your answer files (`.py` or `.ipynb`), one per exercise, under the names they have; several of them in one zip.
""",
)


@dataclass(frozen=True)
class Handout:
    """What a student is given of one exercise."""

    exercise: Exercise
    stub: str
    checks: CheckFile


def release(course: Course, out: Path) -> int:
    """Write under `out` what is handed out.

    `student/` is the bundle (and its zip), `notebooks/` has one folder per language, `otter/` the autograder zips, `quizzes/`
    the quizzes' pages, `lms/` the quizzes as each LMS takes them, with a list of what it cannot carry.
    """
    handouts = [handout(course, e) for e in course.exercises.values()]
    _clear(out)
    quizzes = {name: shelf.built(course, name) for name in shelf.names(course)}
    pages = handing.pages(course, quizzes)
    _student(course, handouts, pages, out / "student")
    _pack(_files(out / "student"), out / BUNDLE)
    for lang in LANGUAGES:
        _notebooks(handouts, lang, out / "notebooks" / lang)
        _checks(handouts, out / "notebooks" / lang / "autograder")
    otter_zips(course, list(course.exercises), out / "otter")
    _pages(pages, out / "quizzes")
    losses = list(handing.for_lms(course, quizzes, out / "lms"))
    for lang in LANGUAGES if quizzes else ():
        _write(out / "lms" / f"losses.{lang}.txt", "".join(f"{line.read(lang)}\n" for line in losses))
    print(say("লেখা হয়েছে: {o}", "written: {o}", o=out).read())
    return 0


def handout(course: Course, exercise: Exercise) -> Handout:
    """Return what a student is given of `exercise`; raise `Trouble` if an answer or a hidden check is in it."""
    file, solution = load_checks(course.tree.checks(exercise.id)), course.tree.solution(exercise.id)
    stub, answers = stubs.stub_of(solution), stubs.answers_of(solution)
    for leak in (leak for text in (stub, bundle.public_checks(file)) for leak in bundle.leaks(text, answers, file)):
        raise Trouble(
            say(
                "{e}: শিক্ষার্থী উত্তর বা গোপন check দেখে ফেলত ({x}); SOLUTION marker আর check-গুলো দেখো।",
                "{e}: a student would see an answer or a hidden check ({x}); look at the SOLUTION markers and the checks.",
                e=exercise.id,
                x=leak,
            )
        )
    return Handout(exercise, stub, file)


def _clear(out: Path) -> None:
    """Remove what an earlier release left, and nothing else."""
    old = [out / part for part in PARTS if (out / part).exists()]
    if old and not (out / BUNDLE).is_file():
        raise Trouble(
            say(
                "{p} আগে থেকেই আছে, আর release তা বানায়নি; --out-এ অন্য ফোল্ডার দাও।",
                "{p} is there already, and no release made it; give --out another folder.",
                p=old[0],
            )
        )
    for part in old:
        shutil.rmtree(part)


def _pages(pages: dict[str, str], out: Path) -> None:
    for name, whole in pages.items():
        _write(out / f"{name}.html", whole)


def _student(course: Course, handouts: list[Handout], pages: dict[str, str], out: Path) -> None:
    """Write the bundle: stubs, notebooks, public checks, quizzes, the manifest, and how to go on from there."""
    _pages(pages, out / "quizzes")
    for name, source in handing.sources(course).items():
        _write(out / "quizzes" / f"{name}.yaml", source)
    for given in handouts:
        _write(out / "exercises" / f"{given.exercise.id}.py", given.stub)
    for lang in LANGUAGES:
        _notebooks(handouts, lang, out / "notebooks" / lang, checks="../../autograder")
    _checks(handouts, out / "autograder")
    _write(out / course.tree.manifest.name, course.tree.manifest.read_text(encoding="utf-8"))
    title, text = course.manifest.title.text, README.fill(name=handouts[0].exercise.name)
    _write(out / "README.md", "\n".join(f"# {title.read(lang)}\n\n{text.read(lang)}" for lang in LANGUAGES))


def _checks(handouts: list[Handout], out: Path) -> None:
    for given in handouts:
        bundle.write_public(given.checks, out / f"{given.exercise.id}.py")
        for part in stubs.marked(given.stub):
            bundle.write_public(given.checks, out / given.exercise.id / f"{part}.py", part)


def _notebooks(handouts: list[Handout], lang: str, out: Path, checks: str = "autograder") -> None:
    for given in handouts:
        book = stubs.notebook_of(given.stub, given.exercise, lang, checks)
        _write(out / f"{given.exercise.name}.ipynb", json.dumps(book, ensure_ascii=False, indent=1) + "\n")


def otter_zips(course: Course, exercises: list[str], out: Path) -> None:
    """Write the zips that `otter run` takes: each a whole check file, packed by Otter's own `generate`."""
    with tempfile.TemporaryDirectory() as folder:
        for path in map(course.tree.checks, exercises):
            _write(Path(folder, path.stem, path.name), bundle.in_ascii(path.read_text(encoding="utf-8"), path.name))
        names = [e.split("/")[1] for e in exercises]
        done = subprocess.run([sys.executable, "-c", GENERATE, *names], cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Trouble(say("otter generate: {e}", "otter generate: {e}", e=done.stderr.strip()[-500:]))
        for name in names:
            with zipfile.ZipFile(Path(folder, f"{name}.zip")) as made:
                _pack(((m, made.read(m)) for m in made.namelist()), out / f"{name}.zip")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="\n")


def _files(folder: Path) -> Iterable[tuple[str, bytes]]:
    return ((p.relative_to(folder).as_posix(), p.read_bytes()) for p in folder.rglob("*") if p.is_file())


def _pack(members: Iterable[tuple[str, bytes]], path: Path) -> None:
    """Write a zip; the same members give the same bytes on any day, so that a release can be compared with the last one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in sorted(members):
            info = zipfile.ZipInfo(name)
            info.external_attr = 0o644 << 16
            archive.writestr(info, data, zipfile.ZIP_DEFLATED)
