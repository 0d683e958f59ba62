from __future__ import annotations

import json
import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import perf_counter
from uuid import uuid4

import made
import postgres
import pytest
from fake import Run, grades, lasting, python, rows, works
from sqlalchemy import Connection, text

from courselib.keep import keys, marking
from courselib.keep.database import NO_ROOM, connected, in_file, parsed, shown, told
from courselib.keep.folder import FILE, NOTE, open_store, replacing
from courselib.keep.marking import Wish
from courselib.keep.store import AT_A_TIME, Store
from courselib.keep.tables import SCHEMA
from courselib.trouble import Trouble

ALL_OTHERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
RUN = keys.Settings(b"settings", "namespaces", frozenset())


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres.server() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/shared.sqlite" if request.param == "sqlite" else request.getfixturevalue("server")


@pytest.fixture
def store(url: str) -> Iterator[Store]:
    with closing(Store(parsed(url), uuid4().hex)) as opened:
        yield opened


@contextmanager
def transaction(url: str) -> Iterator[Connection]:
    engine = connected(parsed(url), durable=False)
    with engine.begin() as connection:
        yield connection
    engine.dispose()


def kept(key: bytes, line: str = "{}", status: str = "graded", isolation: str = "namespaces", waits: str = "") -> dict[str, object]:
    return {"key": key, "settings": b"settings", "status": status, "isolation": isolation, "waits": waits, "line": line}


def test_what_is_kept_is_done_and_comes_back_letter_by_letter(store: Store) -> None:
    line = json.dumps({"message": "বাংলা \0 \U0001f600 ' \" \\ \u2028"}, ensure_ascii=False)
    store.keep([kept(b"\0\xff" * 16, line), kept(b"b", "{}")])
    assert store.done(RUN) == {b"\0\xff" * 16, b"b"}
    store.settle([("রহিম", "u/x", b"b", "{1}"), ("0042", "u/x", b"\0\xff" * 16, "")])
    assert list(store.standing()) == [("রহিম", "u/x", "{}", "{1}"), ("0042", "u/x", line, "")]
    assert list(store.standing("0042")) == [("0042", "u/x", line, "")]
    assert store.names() == [("রহিম", "u/x"), ("0042", "u/x")]


def test_some_are_kept_all_or_none(store: Store) -> None:
    with pytest.raises(Trouble):
        store.keep([kept(b"a"), kept(b"b") | {"line": None}])
    assert store.done(RUN) == set()


def test_a_key_kept_again_has_its_last_record(store: Store) -> None:
    for line in ("1", "2"):
        store.keep([kept(b"a", line)])
    store.settle([("s", "e", b"a", "")])
    assert [line for _, _, line, _ in store.standing()] == ["2"]


def test_the_results_of_a_run_give_way_whole(store: Store) -> None:
    many = AT_A_TIME * 2 + 1
    store.keep([kept(str(n).encode(), str(n)) for n in range(many)])
    store.settle([(f"s{n}", "e", str(n).encode(), "") for n in reversed(range(many))])
    assert [line for _, _, line, _ in store.standing()] == [str(n) for n in reversed(range(many))]
    store.settle([("s1", "e", b"1", "")])
    assert store.names() == [("s1", "e")]


def test_classes_in_one_store_do_not_see_each_other(url: str, store: Store) -> None:
    store.keep([kept(b"a")])
    store.settle([("s", "e", b"a", "")])
    with closing(Store(parsed(url), uuid4().hex)) as other:
        assert (other.done(RUN), other.names(), other.marks()) == (set(), [], {})
        other.settle([])
    assert store.names() == [("s", "e")]


def test_several_may_open_a_new_store_at_once(server: str, tmp_path: Path) -> None:
    script = """import os, sys, time
from courselib.keep.database import parsed
from courselib.keep.store import Store
for n in range(int(sys.argv[1])):
    url, go = sys.argv[2].replace("NEW", str(n)), time.time() + 0.05
    for child in range(6):
        if not os.fork():
            time.sleep(max(0, go - time.time()))
            store = Store(parsed(url), str(child))
            store.settle([])
            store.close()
            os._exit(0)
    print([os.wait()[1] for _ in range(6)], flush=True)
"""
    for url, rounds in ((f"sqlite:///{tmp_path}/NEW.sqlite", 20), (server, 1)):
        with python(script, rounds, url) as process:
            assert process.communicate(timeout=120)[0].decode().splitlines() == [str([0] * 6)] * rounds


def test_tables_of_another_version_are_left_alone(url: str, store: Store) -> None:
    change = "UPDATE courselib_about SET version = version + :n"
    with transaction(url) as connection:
        connection.execute(text(change), {"n": 1})
    try:
        with pytest.raises(Trouble, match=rf"another version of courselib \(tables {SCHEMA + 1}, here {SCHEMA}\)"):
            Store(parsed(url), "x")
    finally:
        with transaction(url) as connection:
            connection.execute(text(change), {"n": -1})
    Store(parsed(url), "x").close()


def test_a_department_shares_a_store_and_each_class_has_its_own(url: str, tmp_path: Path) -> None:
    a, b, plain = tmp_path / "a", tmp_path / "b", tmp_path / "plain"
    assert len(Run(store=url)(a, works(3)).graded) == 6
    assert len(Run(store=url)(b, works(3)).graded) == 6
    assert Run(store=url)(a, works(3)).graded == []
    assert Run()(a, works(3)).graded == []  # the folder knows its store
    Run()(plain, works(3))
    assert lasting(a) == lasting(b) == lasting(plain)
    assert not (a / FILE).exists()
    assert marking.mark(a, Wish("s01", "late", points="4")) == 0
    assert [grades(f)["s01"]["u/late"] for f in (a, b)] == ["4", grades(plain)["s01"]["u/late"]]
    assert rows(a)["s01", "u/late"]["manual"]["points"] == 4
    Run()(a, works(3, s01=b"new"))
    assert grades(a)["s01"]["u/late"] == "4"


def test_two_folders_may_share_one_class_by_its_name(url: str, tmp_path: Path) -> None:
    named = f"{url}{'&' if '?' in url else '?'}class=cs-{uuid4().hex}"
    Run(store=named)(tmp_path / "a", works(2))
    assert Run(store=named)(tmp_path / "b", works(2)).graded == []
    assert lasting(tmp_path / "a") == lasting(tmp_path / "b")


def test_a_server_that_is_gone_is_one_sentence_and_what_waits_is_not_thrown_away(server: str, tmp_path: Path) -> None:
    url = parsed(server)
    with closing(Store(url, uuid4().hex)) as store:
        store.keep([kept(b"a")])
        with transaction(server) as connection:
            connection.execute(text(f"{ALL_OTHERS} AND backend_type = 'client backend'"))
        store.keep([kept(b"b")])  # a connection that died is made anew
        assert store.done(RUN) == {b"a", b"b"}
    gone = url.update_query_dict({"host": str(tmp_path)})
    with pytest.raises(Trouble, match=r"the store cannot be used .*run again: what is graded is kept"):
        Store(gone, "x")


@pytest.mark.parametrize(
    "wrong",
    ["", "x", "mysql://a/b", "sqlite://", "sqlite:///:memory:", "postgresql://u:secret@h:port/d", "mysql://u:secret@h/d", "mongo:secret"],
)
def test_what_is_no_store_is_told_without_its_password(wrong: str) -> None:
    with pytest.raises(Trouble, match="is no URL of a store; write postgresql://") as trouble:
        parsed(wrong)
    assert "u:secret" not in str(trouble.value)


def test_urls_are_read_as_people_write_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert {parsed(f"{d}://u@h/d").drivername for d in ("postgres", "postgresql", "postgresql+psycopg")} == {"postgresql+psycopg"}
    assert parsed("sqlite:///x.db") == in_file(tmp_path / "x.db")
    assert shown(parsed("postgresql://u:secret@h/d")) == "postgresql+psycopg://u@h/d"


def test_without_the_driver_the_way_to_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(Trouble, match=r"pip install 'courselib\[postgres\]'"):
        Store(parsed("postgresql://u@h/d"), "x")


def test_a_folder_never_keeps_a_password_and_never_changes_its_store(tmp_path: Path, server: str) -> None:
    url = parsed(server).set(password="secret").update_query_dict({"password": "secret"})
    with closing(open_store(tmp_path, url.render_as_string(hide_password=False))) as store:
        class_ = store.class_
    note = json.loads((tmp_path / NOTE).read_text())
    assert (note["class"], "secret" in (tmp_path / NOTE).read_text()) == (class_, False)
    for other in ("sqlite:///other.sqlite", url.update_query_dict({"class": "other"}).render_as_string(hide_password=False)):
        with pytest.raises(Trouble, match="leave --store out, or give another --out"):
            open_store(tmp_path, other)
    with closing(open_store(tmp_path, url.render_as_string(hide_password=False))) as store:
        assert store.class_ == class_


def test_a_folder_with_marks_in_it_is_not_led_to_another_store(tmp_path: Path) -> None:
    Run()(tmp_path, works(1))
    with pytest.raises(Trouble, match=f"the results and marks of .* are in .*{FILE}"):
        open_store(tmp_path, f"sqlite:///{tmp_path}/other.sqlite")
    assert not (tmp_path / "other.sqlite").exists()


@pytest.mark.parametrize("note", ["", "{", "[]", '{"store": "x://"}', '{"store": 1, "class": "a"}'])
def test_a_note_that_somebody_broke_is_told_and_not_written_over(tmp_path: Path, note: str) -> None:
    made.write(tmp_path / NOTE, note)
    with pytest.raises(Trouble, match=f"{NOTE}: cannot be read"):
        open_store(tmp_path)
    assert (tmp_path / NOTE).read_text() == note


@pytest.mark.parametrize("content", [b"no database at all, but long enough to look like one" * 100, None])
def test_a_damaged_file_is_told_and_not_written_over(tmp_path: Path, content: bytes | None) -> None:
    Run()(tmp_path, works(20))
    path = tmp_path / FILE
    damaged = content or path.read_bytes()[:4096] + b"\xff" * 60_000
    path.write_bytes(damaged)
    with pytest.raises(Trouble, match=r"store.sqlite: the store's file is damaged .*do not delete it"):
        Run()(tmp_path, works(20))
    assert path.read_bytes() == damaged


def test_a_file_that_cannot_be_opened_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(Trouble, match=r"the store cannot be used .*unable to open"):
        Run()(tmp_path, works(1))


def test_a_process_that_dies_costs_no_commit_and_a_mark_waits_for_the_disk(tmp_path: Path) -> None:
    for durable, level in ((False, 1), (True, 2)):
        opened = connected(in_file(tmp_path / FILE), durable=durable)
        with opened.begin() as connection:
            assert connection.execute(text("PRAGMA journal_mode")).scalar() == "wal"
            assert connection.execute(text("PRAGMA synchronous")).scalar() == level
        opened.dispose()


def test_one_writer_waits_for_another(tmp_path: Path) -> None:
    with closing(open_store(tmp_path)) as store, closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        script = "import sys; from pathlib import Path; from courselib.keep.folder import open_store\n"
        script += (
            "store = open_store(Path(sys.argv[1])); print('open', flush=True); store.settle([]); print('done', flush=True); store.close()"
        )
        with python(script, tmp_path) as second:
            assert second.stdout
            assert second.stdout.readline() == b"open\n"
            other.execute("COMMIT")
            assert second.stdout.readline() == b"done\n"
        assert store.names() == []


@pytest.mark.parametrize("number", NO_ROOM)
def test_a_full_disk_is_one_sentence_whoever_says_so(number: int) -> None:
    with pytest.raises(Trouble, match=r"here: it cannot be written .*make room and run again"), told("here"):
        raise OSError(number, os.strerror(number))


def test_another_fault_of_the_system_is_left_as_it_is() -> None:
    with pytest.raises(ConnectionError), told("here"):
        raise ConnectionError("gone")


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path) -> None:
    path = made.write(tmp_path / "a.jsonl", "old")
    with pytest.raises(TypeError), replacing(path) as file:
        file.writelines([b"half of the n", None])  # type: ignore[list-item]
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a.jsonl", "old")]
    with replacing(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_text() == "old"
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a.jsonl", "new")]


def test_a_record_costs_far_less_than_a_millisecond(tmp_path: Path) -> None:
    line = "x" * 4000
    with closing(open_store(tmp_path)) as store:
        began = perf_counter()
        for n in range(0, 2000, 50):
            store.keep([kept(str(m).encode(), line) for m in range(n, n + 50)])
        assert (perf_counter() - began) / 2000 < 0.001
