"""Gradescope: a folder per student with a results.json in it, and students.csv, which says whose folder is whose.

`score` is what was earned, and the maxima of the tests add up to what could be earned now.
Gradescope knows no blank score: where nothing has a grade yet the file says so, and holds 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from courselib.exports.cells import plain, points
from courselib.exports.done import Done
from courselib.exports.folders import folders
from courselib.exports.grades import Grade, Grades
from courselib.exports.gradescope_tests import about_the_file, tests
from courselib.exports.matching import refuse_twins
from courselib.exports.results_json import Extra, ResultsJson
from courselib.exports.table import write_table
from courselib.reports import status
from courselib.text import Text, say


def export(grades: Grades, source: Path | None, out: Path, columns: dict[str, str]) -> Done:
    """Write every student's results.json under `out`; a fallback lies there before the first is made."""
    refuse_twins(grades.students)
    paths = {student: out / folder / "results.json" for student, folder in folders(grades.students).items()}
    for path in paths.values():
        if not path.exists():
            _write(path, fallback())
    written, failed = [], []
    for student, path in paths.items():
        try:
            _write(path, results_json(list(grades.students[student].values())))
            written.append(student)
        except ValueError:  # one student's damaged record must not cost the others their files
            _write(path, fallback())
            failed.append(student)
    write_table(out / "students.csv", [["student", "folder"], *([s, p.parent.name] for s, p in paths.items())])
    return Done(out, written, failed, [_damaged(failed)] if failed else [])


def _damaged(failed: list[str]) -> Text:
    return say(
        "এঁদের record-এর হিসাব মেলে না, তাই শুধু fallback লেখা হয়েছে: {w}; আবার grade করো।",
        "the records of these do not add up, so only a fallback was written: {w}; grade again.",
        w=", ".join(map(plain, failed)),
    )


def fallback() -> ResultsJson:
    """Return what a student sees where the grader did not come to its end."""
    sorry = say(
        "grader শেষ পর্যন্ত চলেনি। এটি তোমার ভুল নয়, আর এই 0 তোমার নম্বর নয়; শিক্ষককে জানাও।",
        "The grader did not come to its end. That is no fault of yours, and this 0 is not your mark; tell your instructor.",
    )
    nothing = Extra(total=0, possible=0, deferred=0, status="fault")
    return ResultsJson(score=0, output=sorry.read(), tests=(), extra_data=nothing)


def results_json(mine: list[Grade]) -> ResultsJson:
    """Return one student's results."""
    found = tuple(test for n, grade in enumerate(mine, 1) for test in tests(n, grade))
    known = [g for g in mine if g.settled]
    total = round(sum(g.ready for g in known), 6)
    extra = Extra(
        total=total,
        possible=sum(g.possible for g in mine),
        deferred=sum(g.deferred for g in mine),
        status=status([{"status": g.status} for g in mine]),
    )
    score = round(sum(g.value or 0 for g in known), 6)
    return ResultsJson(score=score, output="\n".join(_told(mine, extra)), tests=found, extra_data=extra)


def _told(mine: list[Grade], extra: Extra) -> Iterator[str]:
    """Yield what the student should know about the whole."""
    if extra.deferred:
        told = say(
            "{p} point-এর check GPU-ওয়ালা মেশিনে পরে চলবে; এখনকার নম্বরে তা নেই।",
            "Checks worth {p} points run later, on a machine with a GPU; they are not in this score.",
            p=points(extra.deferred),
        )
        yield told.read()
    for grade in mine:
        if not grade.settled:
            told = say(
                "{e}: একজন মানুষ দেখবেন, এখনো নম্বর নেই। {m}",
                "{e}: a person will look at it; no mark yet. {m}",
                e=grade.exercise,
                m=about_the_file(grade),
            )
            yield told.read().rstrip()
        if grade.lateness and grade.lateness.handed_in:
            yield f"{grade.exercise}: {grade.lateness.told().read()}"
        if comment := (grade.manual or {}).get("comment"):
            yield f"{grade.exercise}: {comment}"


def _write(path: Path, results: ResultsJson) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    whole = path.with_name(path.name + ".tmp")
    whole.write_text(results.text(), encoding="ascii")
    whole.replace(path)
