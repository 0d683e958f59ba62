"""The store: what is graded stays graded. SQLite inside the results folder, or PostgreSQL where a department shares one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import URL, Connection, delete, insert, inspect, select
from sqlalchemy.dialects import postgresql, sqlite

from courselib.keep.database import connected, shown, told
from courselib.keep.keys import Settings
from courselib.keep.tables import SCHEMA, About, Base, Kept, Mark, Standing
from courselib.text import say
from courselib.trouble import Trouble

Values = dict[str, Any]
Key = tuple[str, str]  # student, exercise
AT_A_TIME = 500
ALONE = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "SELECT pg_advisory_xact_lock(1668248946)"}  # for one who makes tables
ONE_RECORD = ("class", "key")
ONE_MARK = ("class", "student", "exercise", "check")


class Store:
    """One class's part of a store; `durable` waits for the disk at every commit, as a person's own mark deserves."""

    def __init__(self, url: URL, class_: str = "", *, durable: bool = False) -> None:
        self.class_, self.where = class_, shown(url)
        self.insert = sqlite.insert if url.drivername == "sqlite" else postgresql.insert  # both know ON CONFLICT, each its own
        self.engine = connected(url, durable=durable)
        try:
            self._make()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the store."""
        self.engine.dispose()

    @contextmanager
    def _begin(self) -> Iterator[Connection]:
        """Do all of the block in one transaction, or none of it."""
        with told(self.where), self.engine.begin() as connection:
            yield connection

    def _make(self) -> None:
        """Make the tables that are not there; refuse those of another courselib."""
        with self._begin() as connection:
            found = connection.scalar(select(About.version)) if inspect(connection).has_table(About.__tablename__) else None
        if found is None:
            with self._begin() as connection:
                connection.exec_driver_sql(ALONE[connection.dialect.name])
                Base.metadata.create_all(connection)
                connection.execute(self.insert(About).values(version=SCHEMA).on_conflict_do_nothing())
        if found not in (None, SCHEMA):
            raise Trouble(
                say(
                    "{u}: অন্য version-এর courselib এটি লিখেছে (table {n}, এখানে {m}); সেই version চালাও, নয়তো নতুন --out দাও।",
                    "{u}: written by another version of courselib (tables {n}, here {m}); use that version, or another --out.",
                    u=self.where,
                    n=found,
                    m=SCHEMA,
                )
            )

    def done(self, run: Settings) -> set[bytes]:
        """Return the keys of all that need not be graded again; what failed through a fault of ours is to be."""
        wanted = select(Kept.key, Kept.isolation, Kept.waits).where(
            Kept.class_ == self.class_, Kept.settings == run.digest, Kept.status != "fault"
        )
        with self._begin() as connection:
            return {key for key, isolation, waits in connection.execute(wanted) if not run.redoes(isolation, waits)}

    def last(self) -> dict[Key, tuple[bytes, str]]:
        """Return the key of each of the class's results, and what its deferred checks wait for."""
        wanted = select(Standing.student, Standing.exercise, Standing.key, Kept.waits)
        wanted = wanted.join(Kept, (Kept.class_ == Standing.class_) & (Kept.key == Standing.key)).where(Standing.class_ == self.class_)
        with self._begin() as connection:
            return {(student, exercise): (key, waits) for student, exercise, key, waits in connection.execute(wanted)}

    def keep(self, records: Sequence[Values]) -> None:
        """Keep some records, all or none; one of the same key gives way."""
        new = self.insert(Kept)
        changed = {c: new.excluded[c] for c in ("settings", "status", "isolation", "waits", "line")}
        rows = [{"class": self.class_, **r} for r in records]
        with self._begin() as connection:
            connection.execute(new.on_conflict_do_update(index_elements=ONE_RECORD, set_=changed), rows)

    def settle(self, order: Sequence[tuple[str, str, bytes, str]]) -> None:
        """Make these records, in this order and each with its terms, what the class's results are."""
        with self._begin() as connection:
            connection.execute(delete(Standing).where(Standing.class_ == self.class_))
            for at in range(0, len(order), AT_A_TIME):
                some = enumerate(order[at : at + AT_A_TIME], at)
                rows = [{"class": self.class_, "place": n, "student": s, "exercise": e, "key": k, "terms": t} for n, (s, e, k, t) in some]
                connection.execute(insert(Standing), rows)

    def standing(self, student: str | None = None) -> Iterator[tuple[str, str, str, str]]:
        """Yield (student, exercise, line, terms) of the class's results in their order, never many at a time."""
        wanted = select(Standing.student, Standing.exercise, Kept.line, Standing.terms).order_by(Standing.place)
        wanted = wanted.join(Kept, (Kept.class_ == Standing.class_) & (Kept.key == Standing.key))
        wanted = wanted.where(Standing.class_ == self.class_, *([] if student is None else [Standing.student == student]))
        with self._begin() as connection:
            for row in connection.execution_options(yield_per=AT_A_TIME).execute(wanted):
                yield row.student, row.exercise, row.line, row.terms

    def names(self) -> list[Key]:
        """Return the student and exercise of each of the class's results, in their order."""
        wanted = select(Standing.student, Standing.exercise).where(Standing.class_ == self.class_).order_by(Standing.place)
        with self._begin() as connection:
            return [(student, exercise) for student, exercise in connection.execute(wanted)]

    def marks(self) -> dict[Key, dict[str, Values]]:
        """Return every mark of the class, by student and exercise, and then by check."""
        wanted = select(*Mark.__table__.columns).where(Mark.class_ == self.class_).order_by(Mark.student, Mark.exercise, Mark.check)
        found: dict[Key, dict[str, Values]] = {}
        with self._begin() as connection:
            for row in connection.execute(wanted).mappings():
                found.setdefault((row["student"], row["exercise"]), {})[row["check"]] = dict(row)
        return found

    def mark(self, values: Values) -> None:
        """Keep a person's mark; an earlier one for the same work and check gives way."""
        new = self.insert(Mark).values({"class": self.class_, **values})
        changed = {c.name: c for c in new.excluded if c.name not in ONE_MARK}
        with self._begin() as connection:
            connection.execute(new.on_conflict_do_update(index_elements=ONE_MARK, set_=changed))

    def unmark(self, student: str, exercise: str, check: str) -> bool:
        """Take a mark away; tell whether there was one."""
        where = (Mark.class_ == self.class_, Mark.student == student, Mark.exercise == exercise, Mark.check == check)
        with self._begin() as connection:
            return connection.execute(delete(Mark).where(*where)).rowcount > 0
