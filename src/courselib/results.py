"""The results of a class: kept in a store as they come, and in the end written to results.jsonl in the class's order."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext, suppress
from pathlib import Path
from time import monotonic
from typing import IO, TYPE_CHECKING, Any, Self

from courselib import lateness
from courselib.keep import keys
from courselib.keep.marks import WHOLE, Marks, applied, misfits, nowhere
from courselib.lateness import Deadlines, Terms
from courselib.record import Record
from courselib.text import Text, say
from courselib.trouble import Trouble

if TYPE_CHECKING:
    from courselib.grader import Bench, Work
    from courselib.keep.store import Store

Row = dict[str, Any]
EVERY = 50  # records, or
SECONDS = 0.2  # since the last commit, whichever is sooner: what a kill can cost, and a commit's price is shared


class Results:
    """The results of one run: in a store as they come, in memory only their keys."""

    def __init__(self, folder: Path, store: str | None = None) -> None:
        from courselib.keep.folder import open_store

        folder.mkdir(parents=True, exist_ok=True)
        self.folder, self.skipped = folder, 0
        self.passed_over: Counter[str] = Counter()
        self.store = open_store(folder, store)
        self.keys: dict[tuple[str, str], bytes] = {}
        self.times: dict[tuple[str, str], tuple[str, bool]] = {}  # as the LMS tells them, where it does
        self.out: set[tuple[str, str]] = set()  # handed out and not yet back
        self.pending: list[dict[str, Any]] = []
        self.kept_at = monotonic()
        self.run = keys.Settings(b"", keys.WALLS[0])
        self.lock: IO[Any] | None = None
        self.taken: list[Text] = []

    def __enter__(self) -> Self:
        """Have the folder to oneself until the block ends."""
        from courselib.keep.folder import claim

        try:
            self.lock = claim(self.folder)
            self.taken = self._take()  # now: a slip in checks.csv is better told before a class is graded than after
        except BaseException:
            self.store.close()
            if self.lock:
                self.lock.close()
            raise
        return self

    def _take(self) -> list[Text]:
        """Keep what a person has written into checks.csv."""
        from courselib.keep.taking import take

        return take(self.folder, self.store)

    def __exit__(self, kind: object, *_: object) -> None:
        with suppress(Trouble) if kind else nullcontext():  # what went wrong first is what a person is told
            self.close()

    def unfinished(
        self, works: Iterable[Work], benches: Mapping[str, Bench], run: keys.Settings, *, fresh: bool = False, waiting: bool = False
    ) -> Iterator[Work]:
        """Yield the works that an earlier run has not finished as they now are; with `fresh`, all of them.

        With `waiting`, only those whose last record waits for something that this machine has; every other keeps its
        record as it is, and what has none stays out.
        """
        self.run = run
        done = set() if fresh else self.store.done(run)
        last = self.store.last() if waiting else {}
        if waiting and not last:
            raise Trouble(
                say(
                    "{f}-এ আগের কোনো ফল নেই; --only deferred ছাড়া চালাও।",
                    "there are no earlier results in {f}; run without --only deferred.",
                    f=self.folder,
                )
            )
        for work in works:
            name = work.student, work.exercise
            key = keys.of_work(work, benches[work.exercise], run)
            if work.submitted or work.late:
                self.times[name] = work.submitted, work.late
            if waiting and self._passed_over(name, last.get((fit(name[0]), name[1]))):
                continue
            self.keys[name] = key
            if key in done:
                self.skipped += 1
            else:
                self.out.add(name)
                yield work

    def _passed_over(self, name: tuple[str, str], last: tuple[bytes, str] | None) -> bool:
        """Tell whether a work is none of those that wait for this machine; its last record, if it has one, stays."""
        if last and self.run.able.intersection(last[1].split(",")):
            return False
        if last:
            self.keys[name] = last[0]
        self.passed_over["waits" if last and last[1] else "stays" if last else "never"] += 1
        return True

    def said(self) -> list[Text]:
        """Say what was not graded now, and why."""
        sentences = {
            "again": say("{n}টি কাজ আগেই গ্রেড করা, বদলায়নি।", "{n} were graded before and have not changed.", n=self.skipped),
            "stays": say(
                "{n}টি কাজ কিছুর অপেক্ষায় ছিল না: যেমন ছিল তেমনই আছে (--only deferred)।",
                "{n} wait for nothing and are as they were (--only deferred).",
                n=self.passed_over["stays"],
            ),
            "waits": say(
                "{n}টি কাজ যার অপেক্ষায়, এই মেশিনে তা নেই: GPU-ওয়ালা মেশিনে চালাও।",
                "{n} wait for what this machine lacks; run on a machine with a GPU.",
                n=self.passed_over["waits"],
            ),
            "never": say(
                "{n}টি কাজ কখনো গ্রেড হয়নি, ফলেও নেই: --only deferred ছাড়া চালাও।",
                "{n} were never graded and are not in the results; run without --only deferred.",
                n=self.passed_over["never"],
            ),
        }
        counts = {**self.passed_over, "again": self.skipped}
        return [sentence for why, sentence in sentences.items() if counts.get(why)]

    @property
    def settled(self) -> int:
        """Return how many works are done, now or before."""
        return len(self.keys) - len(self.out)

    def add(self, record: Record) -> None:
        """Take one record; it is in the store at once where records are slow, and within moments where they are quick."""
        self.out.discard(record.key)
        key = self.keys.setdefault(record.key, keys.of_record(record))
        self.pending.append(_values(record, key, self.run))
        if len(self.pending) >= EVERY or monotonic() - self.kept_at >= SECONDS:
            self.keep()

    def keep(self) -> None:
        """Put the records that wait into the store, all or none."""
        if self.pending:
            self.store.keep(self.pending)
            self.pending = []
        self.kept_at = monotonic()

    def finish(self, exercises: list[str], deadlines: Deadlines | None = None) -> list[Text]:
        """Write results.jsonl whole, by student and then in teaching order, in one step; return what `export` returns."""
        deadlines = deadlines or Deadlines()
        if self.out:
            student, exercise = min(self.out)
            raise Trouble(
                say(
                    "{n}টি কাজের কোনো ফল আসেনি (প্রথমটি {s} · {e}); আবার চালাও, বাকিগুলো রাখা আছে।",
                    "{n} works came to no record (the first is {s} · {e}); run again: the others are kept.",
                    n=len(self.out),
                    s=student,
                    e=exercise,
                )
            )
        self.keep()
        self.taken += self._take()
        order = {exercise: i for i, exercise in enumerate(exercises)}
        names = sorted(self.keys, key=lambda n: (n[0], order[n[1]]))
        self.store.settle([(fit(s), e, self.keys[s, e], deadlines.terms(s, e, *self.times.get((s, e), ("", False)))) for s, e in names])
        amiss = export(self.folder, self.store)
        self.store.close()
        return [*self.taken, *amiss]

    def close(self) -> None:
        """Keep what still waits, and let go of store and folder."""
        try:
            self.keep()
        finally:
            self.store.close()
            if self.lock:
                self.lock.close()


def _values(record: Record, key: bytes, run: keys.Settings) -> dict[str, Any]:
    """Return a record as the store keeps it."""
    waits = sorted({c.requires or "" for c in record.checks if c.outcome == "deferred"})
    return {
        "key": key,
        "settings": run.digest,
        "status": record.status,
        "isolation": record.machine.isolation,
        "waits": ",".join(waits),
        "line": fit(record.line()),
    }


def export(folder: Path, store: Store) -> list[Text]:
    """Write results.jsonl from the store, lateness and people's marks on top; return what is to be said of marks that do not quite fit."""
    from courselib.keep.folder import replacing

    marks = store.marks()
    seen: set[str] = set()
    amiss: list[Text] = []
    with replacing(folder / "results.jsonl") as file:
        for student, exercise, line, terms in store.standing():
            seen.add(exercise)
            mine = marks.pop((student, exercise), {})
            if mine or terms:
                row = whole(json.loads(line), mine, terms)
                amiss += misfits(row, mine) if mine else []
                line = json.dumps(row, ensure_ascii=False, allow_nan=False)
            file.write(line.encode() + b"\n")
    return amiss + [nowhere(*name) for name in marks if name[1] in seen]


def whole(row: Row, marks: Marks, terms: str) -> Row:
    """Return a record as it is told: a person's marks in it, then its lateness; a person's score for the whole work is final."""
    row = applied(row, marks) if marks else row
    final = marks.get(WHOLE, {}).get("points") is not None
    return lateness.applied(row, Terms.model_validate_json(terms), final=final) if terms else row


def fit(text: str) -> str:
    """Return `text` as UTF-8 can hold it: half a character, as a strange disk may give one, becomes a question mark."""
    return text.encode("utf-8", "replace").decode()


def read_results(folder: Path) -> Iterator[Row]:
    """Yield the records of a finished run as plain data."""
    with (folder / "results.jsonl").open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)
