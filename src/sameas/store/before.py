"""Rows from before there were stamps: a database with the seeds' tables, made by something else.

It decides what is taken over. The old tables stay as they are, under another name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Any

import sqlalchemy as sa

from sameas.store.schema import (
    SEEDED,
    entries,
    entry_identities,
    entry_sources,
    feeds,
    metadata,
)
from sameas.store.text import short_key, storable
from sameas.store.writing import Rows

BEFORE = "_before"
"""What the names of the old tables end in afterwards."""

_BATCH = 1000
_WORDS = ("guid", "link", "canonical_url", "title", "author", "published", "updated", "summary")
_FEED = ("feed_id", "feed_url", "added_at", "title", "etag", "last_modified", "last_checked_at")
_ENTRY = ("entry_id", "feed_id", "first_seen_at", "last_seen_at", "dedupe_key", "match_confidence")

_KINDS = frozenset(("guid", "url", "hash"))

Row = Mapping[str, Any]


def take_over(
    connection: sa.Connection,
    rows: Rows,
    make_tables: Callable[[sa.Connection], None],
    now: datetime,
) -> dict[str, int]:
    """Tells how many rows of which table were taken over."""
    old = _put_aside(connection)
    make_tables(connection)
    feed_ids = _feeds(connection, rows, old.get("feeds"), now)
    entry_ids = _entries(connection, rows, old.get("entries"), feed_ids, now)
    return {
        "feeds": len(set(feed_ids.values())),
        "entries": len(entry_ids),
        "entry_identities": _identities(connection, rows, old.get("entry_identities"), entry_ids),
    }


def _put_aside(connection: sa.Connection) -> dict[str, sa.Table]:
    inspector = sa.inspect(connection)
    ours = {index.name for table in metadata.tables.values() for index in table.indexes}
    names = set(inspector.get_table_names()) & {table.name for table in SEEDED}
    quoted = connection.dialect.identifier_preparer.quote
    for name in sorted(names):
        for index in inspector.get_indexes(name):
            if index["name"] in ours:
                connection.exec_driver_sql(f"DROP INDEX {quoted(str(index['name']))}")
        connection.exec_driver_sql(f"ALTER TABLE {name} RENAME TO {name}{BEFORE}")
    found = sa.MetaData()
    found.reflect(connection, only=[f"{name}{BEFORE}" for name in names], resolve_fks=False)
    return {name: found.tables[f"{name}{BEFORE}"] for name in names}


def _read(connection: sa.Connection, table: sa.Table | None) -> Iterator[Row]:
    """Every row as text and numbers: an old column may hold what its type does not say."""
    if table is None:
        return
    query = sa.select(*(sa.type_coerce(column, sa.types.NullType()) for column in table.columns))
    for row in connection.execute(query):
        yield dict(zip(table.columns.keys(), row, strict=True))


def _feeds(
    connection: sa.Connection, rows: Rows, table: sa.Table | None, now: datetime
) -> dict[Any, int]:
    """The new number of each feed, by its address and by its old number."""
    numbers: dict[Any, int] = {}
    made: list[tuple[Any, ...]] = []
    for row in _read(connection, table):
        url = _word(row, "feed_url") or _word(row, "url")
        if not url or url in numbers:
            continue
        numbers[url] = len(made) + 1
        old = row.get("feed_id", row.get("id"))
        if old is not None:
            numbers[old] = numbers[url]
        added = _moment(row.get("added_at")) or now
        validators = (_word(row, "etag") or None, _word(row, "last_modified") or None)
        checked = _moment(row.get("last_checked_at"))
        words = (url, rows.moment(added), _word(row, "title"), *validators, rows.moment(checked))
        made.append((numbers[url], *words))
    if made:
        rows.insert(feeds, made, _FEED)
        _count_on(connection, feeds)
    return numbers


def _entries(
    connection: sa.Connection,
    rows: Rows,
    table: sa.Table | None,
    feed_ids: Mapping[Any, int],
    now: datetime,
) -> dict[Any, int]:
    """The new number of each entry, by its old one."""
    urls = {number: url for url, number in feed_ids.items() if isinstance(url, str)}
    numbers: dict[Any, int] = {}
    for batch in _batched(_read(connection, table)):
        made, copies = [], []
        for row in batch:
            number = len(numbers) + 1
            numbers[row.get("entry_id", row.get("id", f"row {number}"))] = number
            feed_id = feed_ids.get(row.get("feed_id")) or feed_ids.get(row.get("feed_url"))
            words = {name: _word(row, name) for name in _WORDS}
            said = _word(row, "dedupe_key")
            words["guid"] = words["guid"] or _guid(said, urls.get(feed_id or 0))
            snapshot = _shortened(said)
            last = _moment(row.get("last_seen_at")) or now
            first = _moment(row.get("first_seen_at")) or last
            sure = _word(row, "match_confidence") or _confidence(snapshot)
            seen = (rows.moment(first), rows.moment(last))
            made.append((number, feed_id, *seen, snapshot, sure, *words.values()))
            if feed_id is not None:
                copies.append((number, feed_id, words["guid"], True))
        rows.add(entries, made, (*_ENTRY, *_WORDS))
        if copies:
            rows.insert(entry_sources, copies, ("entry_id", "feed_id", "guid", "in_last"))
    if numbers:
        _count_on(connection, entries)
    return numbers


def _identities(
    connection: sa.Connection, rows: Rows, table: sa.Table | None, entry_ids: Mapping[Any, int]
) -> int:
    taken = 0
    for batch in _batched(_read(connection, table)):
        made = [
            (
                _word(row, "key_type"),
                _shortened(_word(row, "key_value")),
                entry_ids[row["entry_id"]],
            )
            for row in batch
            if row["entry_id"] in entry_ids and row["key_type"] and row["key_value"]
        ]
        if made:
            taken += rows.insert(entry_identities, made, ("key_type", "key_value", "entry_id"))
    return taken


def _count_on(connection: sa.Connection, table: sa.Table) -> None:
    """A server numbers its rows by a sequence, which has not seen the ones that came numbered."""
    if connection.dialect.name == "postgresql":
        (key,) = table.primary_key
        sequence = sa.func.pg_get_serial_sequence(table.name, key.name)
        highest = sa.select(sa.func.max(key)).scalar_subquery()
        connection.execute(sa.select(sa.func.setval(sequence, highest)))


def _batched(rows: Iterator[Row]) -> Iterator[Sequence[Row]]:
    while batch := list(islice(rows, _BATCH)):
        yield batch


def _word(row: Row, name: str) -> str:
    value = row.get(name)
    return "" if value is None else storable(str(value))


def _guid(snapshot: str, feed_url: str | None) -> str:
    start = f"guid:{feed_url}:"
    return snapshot.removeprefix(start) if feed_url and snapshot.startswith(start) else ""


def _shortened(key: str) -> str:
    """What is too long for an index, as it is shortened today: a word in front of it stays."""
    kind, colon, value = key.partition(":")
    return f"{kind}:{short_key(value)}" if colon and kind in _KINDS else short_key(key)


def _confidence(snapshot: str) -> str:
    return "low" if snapshot.startswith("hash:") else "high"


def _moment(value: Any) -> datetime | None:
    """A moment as databases keep them: a date, ISO text or seconds. What is unreadable is none."""
    try:
        if isinstance(value, int | float):
            value = datetime.fromtimestamp(value, UTC)
        elif isinstance(value, str):
            value = datetime.fromisoformat(value)
    except (ValueError, OverflowError, OSError):
        return None
    if not isinstance(value, datetime):
        return None
    return value if value.tzinfo else value.replace(tzinfo=UTC)
