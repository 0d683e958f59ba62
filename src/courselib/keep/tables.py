"""The tables of the store: every record under its key, what the last whole run came to, what a person marked."""

from __future__ import annotations

from sqlalchemy import Index, LargeBinary, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

SCHEMA = 2


class Base(DeclarativeBase):
    """What all the tables share."""


class About(Base):
    """The version of these tables: one row."""

    __tablename__ = "courselib_about"
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)


class Kept(Base):
    """A record, under the hash of all that it is a function of; earlier ones stay, so that going back costs nothing."""

    __tablename__ = "courselib_record"
    class_: Mapped[str] = mapped_column("class", String, primary_key=True)
    key: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    settings: Mapped[bytes] = mapped_column(LargeBinary)
    status: Mapped[str]
    isolation: Mapped[str]
    waits: Mapped[str]  # what its deferred checks require, with commas between
    line: Mapped[str] = mapped_column(Text)
    __table_args__ = (Index("courselib_record_settings", "class", "settings"),)


class Standing(Base):
    """One record of the last whole run, by its place in results.jsonl."""

    __tablename__ = "courselib_standing"
    class_: Mapped[str] = mapped_column("class", String, primary_key=True)
    place: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    student: Mapped[str]
    exercise: Mapped[str]
    key: Mapped[bytes] = mapped_column(LargeBinary)
    terms: Mapped[str] = mapped_column(Text)  # when it came in and was due, as JSON; empty where nothing was


class Mark(Base):
    """What a person gave or said; no run ever changes it."""

    __tablename__ = "courselib_mark"
    class_: Mapped[str] = mapped_column("class", String, primary_key=True)
    student: Mapped[str] = mapped_column(primary_key=True)
    exercise: Mapped[str] = mapped_column(primary_key=True)
    check: Mapped[str] = mapped_column(primary_key=True)  # or marks.WHOLE
    points: Mapped[float | None]
    comment: Mapped[str] = mapped_column(Text)
    by: Mapped[str]
    when: Mapped[str]  # ISO 8601, UTC
    submission_sha256: Mapped[str]
    checks_sha256: Mapped[str]
