"""Submissions per second on the same answers: `courselib grade`, here and on a cluster, `otter run`, nbgrader, and a bare floor.

The rows are taken in turn, round by round, and each verdict of each row is looked at. README.md beside this
file says what each row times and how to read the table. Exit code 1: a verdict of ours was wrong.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import fmean, median
from time import perf_counter
from typing import Any

import machine
import nbgrader_row

from courselib.checks import load_checks

ROOT = Path(__file__).resolve().parents[2]
HERE, BIN = Path(__file__).resolve().parent, Path(sys.executable).parent
sys.path.append(str(HERE.parent))

from made_cluster import Cluster  # noqa: E402  (it lies one folder up)

EXERCISE = "memory/memory_arithmetic"
NAME = EXERCISE.split("/")[1]
MARKS = 8.0  # of 10: two checks wait for a GPU, and Otter's file leaves them out
SMALL = 18  # every answer once; what a class of this size takes, less the answers, is the start
WORKERS = (1, 2)  # of a cluster
LIGHT = {"WORKER__PROFILE__ENABLED": "False", "ADMIN__TICK__INTERVAL": "1s"}  # as docs/cluster.md advises where cores are few
EVERY = 0.5  # seconds from one look at the memory to the next
TIMEOUT = 3600
USUAL = {"rounds": 3, "size": 300, "otter": 8, "workers": 1000, "memory": [300, 5000]}
QUICK = {"rounds": 1, "size": 100, "otter": 2, "workers": 100, "memory": [100, 400]}
TWO, ONE, START, OTTER, FLOOR = "courselib --jobs 2", "courselib --jobs 1", "courselib --jobs 1, small", "otter run", "floor"
NBGRADER = "nbgrader autograde"
PEERS = (OTTER, NBGRADER)  # whose wrong verdicts the table tells, but which are not ours to mend


@dataclass
class Run:
    """One timed run: its wall time, how many it graded, every verdict that was not right, and more numbers by name."""

    seconds: float
    count: int
    wrong: list[str]
    more: dict[str, Any] = field(default_factory=dict)


@dataclass
class Place:
    """A temporary folder: the classes, Otter's zip, and where results go."""

    folder: Path
    zip: Path

    @property
    def environment(self) -> dict[str, str]:
        """Return this environment with an empty home, in English, and without a GPU, so that all rows put the same checks."""
        dask = {f"DASK_DISTRIBUTED__{name}": value for name, value in LIGHT.items()}
        return os.environ | dask | {"HOME": str(self.folder), "COURSELIB_LANG": "en", "CUDA_VISIBLE_DEVICES": ""}

    def submissions(self, size: int) -> list[Path]:
        """Return the files of a class of `size`, made at first use: the reference and the right ways, again and again."""
        files = [self.folder / f"class_{size}" / f"student_{n:04d}" / f"{NAME}.py" for n in range(1, size + 1)]
        if not files[0].is_file():
            for n, file in enumerate(files):
                file.parent.mkdir(parents=True)
                shutil.copy(answers()[n % len(answers())], file)
        return files

    def start(self, *command: object) -> subprocess.Popen[bytes]:
        """Start a command whose output nobody needs."""
        words = [str(word) for word in command]
        null = subprocess.DEVNULL
        return subprocess.Popen(words, cwd=ROOT, env=self.environment, stdin=null, stdout=null, stderr=null)


def ended(process: subprocess.Popen[bytes]) -> int:
    """Wait for a process; return its exit code, or kill it after an hour."""
    try:
        return process.wait(TIMEOUT)
    except BaseException:
        process.kill()
        raise


def answers() -> list[Path]:
    """Return the reference solution and every right way kept for the exercise."""
    return [ROOT / "solutions" / f"{EXERCISE}.py", *sorted((ROOT / "tests" / "submissions" / NAME / "right").glob("*.py"))]


def courselib(place: Place, size: int, jobs: int, every: float = 0) -> Run:
    """Grade a class of `size`, the whole process; with `every`, watch its memory."""
    files, out = place.submissions(size), place.folder / "out"
    began = perf_counter()
    process = place.start(BIN / "courselib", "grade", files[0].parents[1], "--out", out, "--jobs", jobs, "--exercise", NAME)
    more: dict[str, Any] = {}
    if every:
        with machine.Watch(process.pid, every) as peak:
            ended(process)
        more |= peak.plain()
    code, seconds = ended(process), perf_counter() - began
    rows = _records(out)
    shutil.rmtree(out, ignore_errors=True)
    return Run(seconds, size, _code(code) + _graded(files, rows), more | _told(rows))


def _records(out: Path) -> list[dict[str, Any]]:
    path = out / "results.jsonl"
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []


def _told(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return what the records themselves say: the walls, and the mean seconds of those after the first of each answer."""
    if not rows:
        return {"isolation": "?", "own_s": 0.0}
    later = [r["seconds"] for r in rows[SMALL:] or rows]  # the first ones wait for the start and for what is imported late
    return {"isolation": rows[0]["machine"]["isolation"], "own_s": fmean(later)}


def _code(code: int) -> list[str]:
    return [f"exit code {code}"] if code else []


def _graded(files: Sequence[Path], rows: Sequence[dict[str, Any]]) -> list[str]:
    """Return the complaints about a class: one record per student, graded, with full marks and no check left out."""
    found = {r["student"]: r for r in rows}
    return [*_count(len(files), len(rows)), *(w for f in files for w in _record(f.parent.name, found.get(f.parent.name)))]


def _count(wanted: int, came: int) -> list[str]:
    return [f"{came} records for {wanted} submissions"] if came != wanted else []


def _record(student: str, row: dict[str, Any] | None) -> list[str]:
    if row is None:
        return [f"{student}: no record"]
    outcomes = {c["outcome"] for c in row["checks"]}
    right = row["status"] == "graded" and row["score"] == MARKS and outcomes <= {"passed", "deferred"}
    return [] if right else [f"{student}: {row['status']}, {row['score']:g} of {MARKS:g}"]


def otter(place: Place, sample: Iterator[list[Path]]) -> Run:
    """Run Otter on the next sample, two at a time, a process each, as a script over a class would."""
    files = next(sample)
    began = perf_counter()
    with ThreadPoolExecutor(2) as pool:
        wrong = list(pool.map(partial(_otter_one, place), files))
    return Run(perf_counter() - began, len(files), [w for w in wrong if w])


def _otter_one(place: Place, file: Path) -> str:
    with tempfile.TemporaryDirectory(dir=place.folder) as out:
        process = place.start(BIN / "otter", "run", file, "-a", place.zip, "-o", out, "--no-logo")
        code, told = ended(process), Path(out, "results.json")
        tests = json.loads(told.read_text(encoding="utf-8"))["tests"] if told.is_file() else []
    score = sum(t.get("score", 0) for t in tests)
    return "" if code == 0 and score == MARKS else f"{file.parent.name}: exit code {code}, {score:g} of {MARKS:g}"


def samples(files: Sequence[Path], size: int) -> Iterator[list[Path]]:
    """Yield `size` files at a time, going on where the last sample ended, so that the rounds see all answers."""
    at = 0
    while True:
        yield [files[(at + n) % len(files)] for n in range(size)]
        at += size


def floor(place: Place, size: int) -> Run:
    """Run floor.py on a class of `size`; its loop is the time, its start is told apart."""
    files, out = place.submissions(size), place.folder / "floor.json"
    out.unlink(missing_ok=True)
    began = perf_counter()
    process = place.start(sys.executable, HERE / "floor.py", ROOT / "autograder" / f"{EXERCISE}.py", answers()[0], out, *files)
    code, whole = ended(process), perf_counter() - began
    told: dict[str, Any] = json.loads(out.read_text(encoding="utf-8")) if out.is_file() else {"loop_s": whole, "marks": {}}
    sums = {f: sum(told["marks"].get(str(f), {}).values()) for f in files}
    wrong = [f"{f.parent.name}: {marks:g} of {MARKS:g}" for f, marks in sums.items() if marks != MARKS]
    return Run(told["loop_s"], size, _code(code) + wrong, {"whole_s": whole, "start_s": whole - told["loop_s"]})


def cluster(place: Place, size: int, workers: int) -> Run:
    """Run far.py with so many local Dask workers of one slot each; its loop is the time, for all that is started stands before it."""
    files, out = place.submissions(size), place.folder / "far.json"
    out.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(dir=place.folder) as folder, closing(Cluster(Path(folder), place.environment)) as dask:
        for _ in range(workers):
            dask.worker()
        dask.wait(workers)
        began = perf_counter()
        code = ended(place.start(sys.executable, HERE / "far.py", dask.address, EXERCISE, out, files[0].parents[1]))
        whole = perf_counter() - began
    told: dict[str, Any] = json.loads(out.read_text(encoding="utf-8")) if out.is_file() else {"loop_s": whole, "marks": {}}
    return Run(told["loop_s"], size, _code(code) + _missed(files, told["marks"]), {"start_s": whole - told["loop_s"]})


def _missed(files: Sequence[Path], marks: dict[str, float]) -> list[str]:
    """Return the complaints about marks by student."""
    found = {f.parent.name: marks.get(f.parent.name, 0.0) for f in files}
    return [f"{student}: {mark:g} of {MARKS:g}" for student, mark in found.items() if mark != MARKS]


def nbgrader(place: Place, sample: Iterator[list[Path]], peer: nbgrader_row.Autograde) -> Run:
    """Run nbgrader on the next sample, the whole of it in one command."""
    files = next(sample)
    seconds, marks, code = peer.grade(files)
    return Run(seconds, len(files), _code(code) + _missed(files, marks))


def peer(place: Place, venv: Path) -> nbgrader_row.Autograde | None:
    """Return nbgrader with our checks but those that wait for a GPU, or say why there is none."""
    if why := nbgrader_row.installed(venv):
        print(f"{NBGRADER}: not measured; nbgrader is not installed here: {why}", file=sys.stderr)
        return None
    path = ROOT / "autograder" / f"{EXERCISE}.py"
    points = {n: float(c.points) for n, c in enumerate(load_checks(path).checks) if not c.requires}
    return nbgrader_row.Autograde(venv, place.folder / "nbgrader", path, points, place.environment)


def measure(options: argparse.Namespace, place: Place) -> dict[str, list[Run]]:
    """Take all rows in turn, as many times as there are rounds; then watch the memory, once for each size."""
    sample = samples(place.submissions(options.size)[:SMALL], options.otter)
    rows: dict[str, Callable[[], Run]] = {
        TWO: partial(courselib, place, options.size, 2),
        OTTER: partial(otter, place, sample),
        ONE: partial(courselib, place, options.size, 1),
        FLOOR: partial(floor, place, options.size),
        START: partial(courselib, place, SMALL, 1),
    }
    if autograde := peer(place, options.nbgrader):
        rows[NBGRADER] = partial(nbgrader, place, samples(place.submissions(options.size)[:SMALL], options.otter), autograde)
    for workers in WORKERS if options.workers else ():
        rows[_dask(workers)] = partial(cluster, place, options.workers, workers)
    turns = [(f"round {n}", name, row) for n in range(1, options.rounds + 1) for name, row in rows.items()]
    turns += [("memory", _watched(size), partial(courselib, place, size, 2, EVERY)) for size in options.memory]
    runs: dict[str, list[Run]] = {}
    for turn, name, row in turns:
        runs.setdefault(name, []).append(_one(turn, name, row))
    return runs


def _dask(workers: int) -> str:
    return f"courselib --cluster, local Dask workers: {workers}"


def _watched(size: int) -> str:
    return f"{TWO}, watched, {size}"


def _one(turn: str, name: str, row: Callable[[], Run]) -> Run:
    """Make one run and tell of it, with the share of processor time that the machine's host took meanwhile."""
    stolen, ticks = machine.stolen()
    run = row()
    more_stolen, more_ticks = machine.stolen()
    run.more["steal_percent"] = round(100 * (more_stolen - stolen) / max(1, more_ticks - ticks), 1)
    told = f"[{turn}] {name}: {run.count} in {run.seconds:.2f} s, steal {run.more['steal_percent']} %"
    print(told, *run.wrong[:3], sep="; ", file=sys.stderr, flush=True)
    return run


def apart(runs: dict[str, list[Run]]) -> list[float]:
    """Return, round by round, what `courselib --jobs 1` takes per submission, the start apart."""
    pairs = zip(runs[ONE], runs[START], strict=True)
    return [(whole.seconds - start.seconds) / (whole.count - start.count) for whole, start in pairs]


def own(runs: dict[str, list[Run]]) -> list[float]:
    """Return the same by the records' own clock, which a start now quick, now slow does not touch."""
    return [run.more["own_s"] for run in runs[ONE]]


def each(runs: Sequence[Run]) -> list[float]:
    """Return the seconds per submission of each run."""
    return [run.seconds / run.count for run in runs]


def ratios(runs: dict[str, list[Run]], memory: Sequence[int]) -> dict[str, float]:
    """Return what the bench is for: medians against medians."""
    low = median(each(runs[FLOOR]))
    found = {
        "otter run, two at a time / courselib --jobs 2 (aim: at least 120)": median(each(runs[OTTER])) / median(each(runs[TWO])),
        "courselib --jobs 1, start apart / floor (aim: at most 1.5)": median(apart(runs)) / low,
        "courselib --jobs 1, the records' own seconds / floor": median(own(runs)) / low,
    }
    if NBGRADER in runs:
        found["nbgrader autograde / courselib --jobs 2 (aim: at least 120)"] = median(each(runs[NBGRADER])) / median(each(runs[TWO]))
    if _dask(1) in runs:
        found["two local Dask workers / one (aim: at least 1.7)"] = median(each(runs[_dask(1)])) / median(each(runs[_dask(2)]))
    if len(memory) < 2:
        return found
    few, many = (runs[_watched(size)][0] for size in (memory[0], memory[-1]))
    sizes = f"{many.count} / {few.count} submissions"
    more = {word: many.more[word] / few.more[word] for word in ("pss", "rss") if few.more[word]}
    return found | {f"memory ({w.upper()}), {sizes}": r for w, r in more.items()} | {f"time, {sizes}": many.seconds / few.seconds}


def table(runs: dict[str, list[Run]]) -> str:
    """Return all rows as one Markdown table."""
    size = runs[ONE][0].count
    known = {
        TWO: "whole process, start included",
        ONE: "whole process, start included",
        START: "whole process: the start and each answer once",
    }
    lines = [_line(f"`courselib grade`{n.removeprefix('courselib')}: {what}", runs[n]) for n, what in known.items()]
    lines.insert(2, _numbers("`courselib grade` --jobs 1: start apart", size - SMALL, apart(runs), runs[ONE] + runs[START]))
    lines.insert(3, _numbers("`courselib grade` --jobs 1: the records' own seconds", size - SMALL, own(runs), runs[ONE]))
    lines.append(_line(f"`otter run`, two at a time ({size} would take {median(each(runs[OTTER])) * size:.0f} s)", runs[OTTER]))
    lines.append(_line(f"floor: the loop alone (start: {median(r.more['start_s'] for r in runs[FLOOR]):.2f} s)", runs[FLOOR]))
    lines.append(_numbers("floor: start included", size, [r.more["whole_s"] / size for r in runs[FLOOR]], runs[FLOOR]))
    if NBGRADER in runs:
        lines.append(
            _line(
                f"`nbgrader autograde`, the class in one run ({size} would take {median(each(runs[NBGRADER])) * size:.0f} s)",
                runs[NBGRADER],
            )
        )
    for name in (_dask(n) for n in WORKERS if _dask(n) in runs):
        lines.append(
            _line(f"`{name.replace('courselib', 'courselib grade').replace(',', '`,')}: from open desks to the last record", runs[name])
        )
    lines += [_line(f"`courselib grade` --jobs 2, watched: {_memory(run)}", [run]) for n in runs if "watched" in n for run in runs[n]]
    head = ["| row | submissions | s (median; min-max) | ms each | each s | verdicts |", "| --- | --: | --- | --: | --: | --- |"]
    return "\n".join(head + lines)


def _memory(run: Run) -> str:
    more = run.more
    return f"peak PSS {more['pss']:.0f} MB, RSS {more['rss']:.0f} MB, {more['processes']} processes"


def _line(name: str, runs: Sequence[Run]) -> str:
    return _numbers(name, runs[0].count, each(runs), runs)


def _numbers(name: str, count: int, took: Sequence[float], runs: Sequence[Run]) -> str:
    """Return one line: all times are those of `count` submissions, then per submission, then per second."""
    whole, low, high = (f"{pick(took) * count:.2f}" for pick in (median, min, max))
    wrong = sorted({w for run in runs for w in run.wrong})
    verdicts = f"WRONG: {'; '.join(wrong[:5])}" if wrong else "all right"
    return f"| {name} | {count} | {whole}; {low}-{high} | {median(took) * 1000:.1f} | {_rate(median(took))} | {verdicts} |"


def _rate(seconds: float) -> str:
    return f"{1 / seconds:.2f}" if seconds > 0 else "-"


def report(options: argparse.Namespace, runs: dict[str, list[Run]], here: dict[str, str]) -> None:
    """Print the machine, the table and the ratios; write the same and every single run as JSON."""
    found = ratios(runs, options.memory)
    print("\n".join(f"- {name}: {value}" for name, value in here.items()), table(runs), sep="\n\n", end="\n\n")
    print("\n".join(f"- {name}: {value:.2f}" for name, value in found.items()))
    if options.json:
        plain = {name: [vars(run) for run in row] for name, row in runs.items()}
        whole = {
            "machine": here,
            "options": {k: v for k, v in vars(options).items() if k not in ("json", "nbgrader")},
            "ratios": found,
            "runs": plain,
        }
        options.json.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


def parse(args: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the options; --quick changes what is usual, and a number given outright goes before both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, help="rounds; the medians are over these (3)")
    parser.add_argument("--size", type=int, help=f"submissions in the class, more than {SMALL} (300)")
    parser.add_argument("--otter", type=int, help="submissions that Otter, and then nbgrader, is put to in each round (8)")
    parser.add_argument("--workers", type=int, help="submissions in the class that Dask workers grade, 0: none (1000)")
    parser.add_argument(
        "--nbgrader", type=Path, default=ROOT / "out" / "bench-nbgrader", help="nbgrader's own environment, made at first use"
    )
    parser.add_argument("--memory", type=int, nargs="*", help="class sizes to watch the memory at; no number: none (300 5000)")
    parser.add_argument("--quick", action="store_true", help="a trial: one round of 100, 2 for Otter, memory at 100 and 400")
    parser.add_argument("--json", type=Path, help="write every run to this file")
    options = parser.parse_args(args)
    for name, value in (QUICK if options.quick else USUAL).items():
        setattr(options, name, value if getattr(options, name) is None else getattr(options, name))
    if 0 < options.workers <= SMALL:
        parser.error(f"--workers must be 0 or more than {SMALL}")
    if options.size <= SMALL or options.rounds < 1 or options.otter < 1:
        parser.error(f"--size must be more than {SMALL}, --rounds and --otter at least 1")
    return options


def packed(folder: Path) -> Path:
    """Have the zip made that Otter takes, as an author has it made."""
    command = [str(BIN / "courselib"), "release", "--out", str(folder / "release")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"courselib release: {done.stderr.strip()[-500:]}")
    return folder / "release" / "otter" / f"{NAME}.zip"


def main() -> int:
    """Measure, report, and return 1 where a verdict of ours was wrong."""
    options, here = parse(), machine.describe()
    with tempfile.TemporaryDirectory(prefix="courselib-bench-") as folder:
        runs = measure(options, Place(Path(folder), packed(Path(folder))))
    here["isolation"] = runs[TWO][0].more["isolation"]
    report(options, runs, here)
    return 1 if any(run.wrong for name, row in runs.items() for run in row if name not in PEERS) else 0


if __name__ == "__main__":
    sys.exit(main())
