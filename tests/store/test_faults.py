"""A store that is locked, full, read-only or gone says so, has lost nothing, and goes on later."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from tools.postgres import own_server

from sameas.errors import StoreError
from sameas.feeds.record import record_document, record_failure
from sameas.store.opening import open_store
from sameas.store.sql import SqlStore
from tests.feeds.documents import FEED, NOW, POLICY, document, feed_of, item, recorded

MANY = [item(f"guid {number}", f"/{number}", "word " * 100) for number in range(400)]
NOBODY = 65534


@contextmanager
def _opened(target: str, patience: float = 0.2) -> Iterator[SqlStore]:
    store = open_store(target, patience=patience)
    try:
        yield store
    finally:
        store.close()


def _refused(store: SqlStore, code: str) -> StoreError:
    """Writing fails with this code, and nothing has been written."""
    with pytest.raises(StoreError) as caught:
        recorded(store, *MANY)
    assert caught.value.code == code
    assert caught.value.unavailable
    assert caught.value.place == store.place
    assert caught.value.hint
    return caught.value


def _goes_on(store: SqlStore) -> None:
    assert recorded(store, *MANY).new == len(MANY)
    assert recorded(store, *MANY).duplicates == len(MANY)


def test_a_file_that_another_program_writes_is_locked(tmp_path: Path):
    target = str(tmp_path / "store.db")
    with _opened(target) as store, closing(sqlite3.connect(target)) as other:
        feed_of(store)
        other.execute("BEGIN IMMEDIATE")
        _refused(store, "locked")
        assert list(store.entries()) == []
        other.rollback()
        _goes_on(store)


def test_a_row_that_another_program_writes_is_locked(postgres: Callable[[], str]):
    target = postgres()
    with _opened(target) as store:
        feed_of(store)
        with psycopg.connect(target) as other:
            other.execute("SELECT 1 FROM feeds FOR UPDATE")
            _refused(store, "locked")
            other.rollback()
        _goes_on(store)


def test_a_file_that_cannot_grow_is_full(tmp_path: Path):
    with _opened(str(tmp_path / "store.db")) as store:
        feed_of(store)
        with store.reading() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 30")
        _refused(store, "full")
        assert list(store.entries()) == []
        assert feed_of(store).last_checked_at is None
        with store.reading() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count = 100000")
        _goes_on(store)


def test_a_server_without_room_is_full(postgres: Callable[[], str]):
    target = postgres()
    with _opened(target) as store, psycopg.connect(target, autocommit=True) as other:
        feed_of(store)
        other.execute(
            "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$"
        )
        other.execute(
            "CREATE TRIGGER full_disk BEFORE INSERT ON entry_identities "
            "EXECUTE FUNCTION full_disk()"
        )
        assert "no room" in str(_refused(store, "full"))
        assert list(store.entries()) == []
        other.execute("DROP TRIGGER full_disk ON entry_identities")
        _goes_on(store)


def test_a_server_that_only_reads_is_read_only(postgres: Callable[[], str]):
    target = postgres()
    with _opened(target) as store:
        feed_of(store)
    with _opened(f"{target}%20-cdefault_transaction_read_only%3Don") as store:
        _refused(store, "read_only")
        assert [feed.feed_url for feed in store.feeds()] == [FEED]


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody can reach; the one that pytest gives is its user's own."""
    folder = Path(tempfile.mkdtemp(prefix="sameas-"))
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_file_nobody_may_write_is_read_only(open_folder: Path):
    """Tried by a process without rights: the one that runs the tests may be allowed everything."""
    target = open_folder / "store.db"
    with _opened(str(target)) as store:
        feed_of(store)
    before = target.read_bytes()
    target.chmod(0o444)
    open_folder.chmod(0o555)
    done = _as_nobody(target)
    assert done == "read_only\n", done
    assert target.read_bytes() == before


def _as_nobody(target: Path) -> str:
    """The rights are given up after the imports: the package may lie where nobody else may read."""
    program = f"""
import os
from tests.feeds.documents import POLICY
from tests.store.test_faults import MANY, _opened, recorded
import sqlalchemy.dialects.sqlite
from sameas.errors import StoreError
from sameas.store import before, migrate, sql, sqlite
os.chdir({str(target.parent)!r})
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid({NOBODY})
    os.setuid({NOBODY})
try:
    with _opened("store.db") as store:
        recorded(store, *MANY)
except StoreError as error:
    print(error.code)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    return done.stdout or done.stderr


def test_a_file_that_is_removed_in_the_middle_is_gone(tmp_path: Path):
    target = tmp_path / "store.db"
    with _opened(str(target)) as store:
        feed_of(store)
        for file in tmp_path.iterdir():
            file.unlink()
        assert _refused(store, "gone").reason == "the file has been removed"
    with _opened(str(target)) as store:
        _goes_on(store)


def test_a_file_that_another_one_replaced_is_gone(tmp_path: Path):
    target, other = tmp_path / "store.db", tmp_path / "other.db"
    with _opened(str(other)) as store:
        feed_of(store)
    with _opened(str(target)) as store:
        feed_of(store)
        os.replace(other, target)
        _refused(store, "gone")


def test_a_connection_that_breaks_in_the_middle_is_gone(postgres: Callable[[], str]):
    target = postgres()
    with _opened(target) as store:
        row = feed_of(store)
        after = replace(row, title="after")

        def cut() -> None:
            with store.writing() as writing:
                process = writing.connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
                writing.save_feed(after)
                with psycopg.connect(target, autocommit=True) as other:
                    other.execute("SELECT pg_terminate_backend(%s)", [process])
                writing.save_feed(after)

        with pytest.raises(StoreError) as caught:
            cut()
        assert caught.value.code == "gone"
        assert feed_of(store) == row
        _goes_on(store)


def test_a_server_that_is_stopped_is_gone():
    with own_server() as url:
        store = open_store(url)
        row = feed_of(store)
    with pytest.raises(StoreError) as caught:
        record_document(store, row, document(*MANY), row, POLICY, NOW)
    assert caught.value.code == "gone"
    with pytest.raises(StoreError) as caught:
        record_failure(store, row, row)
    assert caught.value.code == "gone"
    store.close()
