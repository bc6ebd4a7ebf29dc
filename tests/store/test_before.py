"""Databases from before there were stamps: taken over, and known again by the seed's fallback."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import psycopg
import pytest
import sqlalchemy as sa

from sameas.errors import StoreError
from sameas.feeds.record import record_document
from sameas.store.migrate import migrate
from sameas.store.opening import connected, open_store
from sameas.store.sql import SqlStore
from tests.feeds.documents import (
    DAY,
    FEED,
    NOW,
    OTHER_FEED,
    POLICY,
    SITE,
    document,
    feed_of,
    item,
    new_in,
)

OLD = datetime(2026, 11, 1, 8, 0, tzinfo=UTC)

FULL = f"""
CREATE TABLE feeds (id INTEGER PRIMARY KEY, feed_url TEXT, etag TEXT, last_modified TEXT,
    last_checked_at TEXT, notes TEXT);
CREATE TABLE entries (id INTEGER PRIMARY KEY, feed_id INTEGER, title TEXT, canonical_url TEXT,
    dedupe_key TEXT, content_hash TEXT, first_seen_at TEXT, last_seen_at TEXT,
    match_confidence TEXT);
CREATE INDEX ix_entries_dedupe_key ON entries (dedupe_key);
CREATE TABLE entry_identities (key_type TEXT, key_value TEXT,
    entry_id INTEGER REFERENCES entries (id), UNIQUE (key_type, key_value));
INSERT INTO feeds VALUES (5, '{FEED}', '"e"', 'Thu', '2026-11-01 08:00:00', 'kept');
INSERT INTO feeds VALUES (6, '{FEED}', NULL, NULL, 'yesterday', NULL);
INSERT INTO feeds VALUES (7, NULL, NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (70, 5, 'one', '{SITE}/1', 'guid:{FEED}:1', 'x',
    '2026-11-01T08:00:00Z', '2026-11-01T08:00:00+00:00', 'high');
INSERT INTO entries VALUES (71, NULL, 'two', '{SITE}/2', 'url:{SITE}/2', NULL, NULL, NULL, NULL);
INSERT INTO entries VALUES (72, 99, 'three', NULL, 'hash:abc', NULL, 'never', '1793520000', NULL);
INSERT INTO entry_identities VALUES ('guid', '{FEED}:1', 70);
INSERT INTO entry_identities VALUES ('canonical_url', '{SITE}/1', 70);
INSERT INTO entry_identities VALUES ('guid', 'nobody', 4711)
"""
"""As another program could have made them: other numbers, other columns, bad rows."""

BARE = """
CREATE TABLE entries (entry_id INTEGER PRIMARY KEY, dedupe_key TEXT NOT NULL);
INSERT INTO entries VALUES (1, '{0}')
"""


def _made(target: str, script: str) -> None:
    if target.startswith("postgresql"):
        with psycopg.connect(target) as connection:
            # A server checks what SQLite does not.
            connection.execute(script.replace(" REFERENCES entries (id)", ""))
        return
    file = sqlite3.connect(target)
    file.executescript(script)
    file.close()


def _migrated(target: str) -> tuple[SqlStore, dict[str, int]]:
    store = connected(target)
    return store, migrate(store, "feed@1", POLICY.fingerprint, NOW)


def test_a_database_from_before_has_to_be_migrated_first(target: str):
    _made(target, FULL)
    with pytest.raises(StoreError) as caught:
        open_store(target)
    assert caught.value.code == "unstamped"
    assert caught.value.hint == "run `sameas store migrate` first"


def test_its_rows_are_taken_over_and_stamped(target: str):
    _made(target, FULL)
    store, taken = _migrated(target)
    assert taken == {"feeds": 1, "entries": 3, "entry_identities": 2}
    (feed,) = store.feeds()
    assert (feed.feed_url, feed.etag, feed.last_modified) == (FEED, '"e"', "Thu")
    assert (feed.last_checked_at, feed.added_at) == (OLD, NOW)
    found = {entry.title: entry for entry in store.entries()}
    one, two, three = found["one"], found["two"], found["three"]
    assert (one.feed_url, one.guid, one.match_confidence) == (FEED, "1", "high")
    assert (one.first_seen_at, one.last_seen_at) == (OLD, OLD)
    assert (two.feed_url, two.first_seen_at, two.match_confidence) == ("", NOW, "high")
    assert (three.feed_url, three.match_confidence) == ("", "low")
    assert {stamp.table_name for stamp in store.info().stamps} == {"entries", "entry_identities"}
    store.close()
    open_store(target, create=False).close()


def test_its_tables_stay_under_another_name(target: str):
    _made(target, FULL)
    store, _ = _migrated(target)
    with store.engine.connect() as connection:
        assert connection.scalar(sa.text("SELECT notes FROM feeds_before WHERE id = 5")) == "kept"
        assert connection.scalar(sa.text("SELECT count(*) FROM entries_before")) == 3
    store.close()


def test_migrating_twice_changes_nothing(target: str):
    _made(target, FULL)
    store, _ = _migrated(target)
    before = store.info()
    assert migrate(store, "news@1", "f" * 64, NOW + DAY) == {}
    assert store.info().stamps == before.stamps
    store.close()


@pytest.mark.parametrize(
    "snapshot", [f"guid:{FEED}:1", "guid:1", f"url:{SITE}/1", f"guid:{OTHER_FEED}:1"]
)
def test_a_row_that_has_a_snapshot_alone_is_known_again(target: str, snapshot: str):
    _made(target, BARE.format(snapshot))
    store, _ = _migrated(target)
    row = feed_of(store)
    row = replace(row, former=(OTHER_FEED,)) if OTHER_FEED in snapshot else row
    items = document(item("1", "/1", "a"), item("2", "/2"))
    assert new_in(record_document(store, row, items, row, POLICY, NOW)) == (1, 0, 1)
    assert new_in(record_document(store, row, items, row, POLICY, NOW)) == (0, 0, 2)
    assert [entry.title for entry in store.entries() if entry.guid == "1"] == ["a"]
    store.close()


@pytest.mark.parametrize("start", [f"guid:{FEED}:", "guid:"])
def test_a_snapshot_too_long_for_an_index_is_known_again(target: str, start: str):
    guid = "g" * 1200
    _made(target, BARE.format(start + guid))
    store, _ = _migrated(target)
    row = feed_of(store)
    items = document(item(guid, "/1", "a"))
    assert new_in(record_document(store, row, items, row, POLICY, NOW)) == (0, 0, 1)
    store.close()


def test_a_row_known_by_a_hash_is_known_again(target: str):
    empty = open_store(target)
    row = feed_of(empty)
    record_document(empty, row, document(item("", "", "a")), row, POLICY, NOW)
    (entry,) = empty.entries()
    with empty.writing() as writing:
        writing.connection.exec_driver_sql("DELETE FROM entry_identities")
    counts = record_document(empty, row, document(item("", "", "a")), row, POLICY, NOW)
    assert (entry.dedupe_key[:5], new_in(counts)) == ("hash:", (0, 0, 1))
    empty.close()


def test_rows_of_ours_without_a_stamp_are_stamped(new_target: Callable[[], str]):
    store = open_store(new_target())
    row = feed_of(store)
    record_document(store, row, document(item("1")), row, POLICY, NOW)
    with store.writing() as writing:
        writing.connection.exec_driver_sql("DELETE FROM stamps")
    with pytest.raises(StoreError, match="sameas store migrate --policy NAME"):
        record_document(store, row, document(item("1")), row, POLICY, NOW)
    migrate(store, "feed@1", POLICY.fingerprint, NOW)
    assert new_in(record_document(store, row, document(item("1")), row, POLICY, NOW)) == (0, 0, 1)
    store.close()


def test_many_rows_are_taken_over_a_batch_at_a_time(target: str):
    rows = ", ".join(f"({number}, 'guid:{number}')" for number in range(1, 2501))
    keys = ", ".join(f"('legacy_guid', 'guid:{number}', {number})" for number in range(1, 2501))
    script = (
        "CREATE TABLE entries (entry_id INTEGER PRIMARY KEY, dedupe_key TEXT);"
        f"INSERT INTO entries VALUES {rows};"
        "CREATE TABLE entry_identities (key_type TEXT, key_value TEXT, entry_id INTEGER);"
        f"INSERT INTO entry_identities VALUES {keys}, ('legacy_guid', 'guid:7', 9)"
    )
    _made(target, script)
    store, taken = _migrated(target)
    assert taken == {"feeds": 0, "entries": 2500, "entry_identities": 2500}
    assert store.info().rows["entry_identities"] == 2500
    assert [entry.dedupe_key for entry in store.entries()][6] == "guid:7"
    store.close()
