"""Who takes part in the store's benchmark: sameas, and the bare upserts it is measured against.

Both write the same tables, a document a transaction. The bare one is told the keys and numbers
that sameas has to find out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from sameas import Policy
from sameas.feeds.apart import told_apart
from sameas.feeds.record import record_document
from sameas.feeds.types import Document, Item
from sameas.store.schema import entries, entry_identities, entry_sources
from sameas.store.sql import SqlStore
from sameas.store.sqlite import WRITING
from sameas.store.types import Content, Feed

START = datetime(2026, 1, 1, tzinfo=UTC)
POLICY = Policy.load("feed")
_INSERT: dict[str, Callable[[sa.Table], Any]] = {
    "sqlite": sqlite.insert,
    "postgresql": postgresql.insert,
}
_TEXT = "the store of a reader keeps what feeds have said about pages that came and went "


def documents(count: int, size: int, first: int = 0) -> list[Document]:
    """Documents of made-up entries, `size` each: the same in every run."""
    return [
        Document(f"Feed {number}", tuple(_item(number, n) for n in range(size)))
        for number in range(first, first + count)
    ]


def _item(feed: int, number: int) -> Item:
    turn = (feed * 31 + number * 7) % len(_TEXT)
    words = _TEXT[turn:] + _TEXT[:turn]
    link = f"https://site-{feed}.example/2026/01/{number}-{words[:40].replace(' ', '-')}"
    return Item(
        guid=f"https://site-{feed}.example/?p={number}",
        link=f"{link}?utm_source=rss&utm_medium=feed",
        title=words[:60],
        author=f"Author {feed % 17}",
        published=(START + timedelta(minutes=number)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        summary=f"{words} {words} {number}",
    )


def feeds(store: SqlStore, count: int) -> list[Feed]:
    urls = [f"https://site-{number}.example/feed" for number in range(count)]
    store.add_feeds([(url, "") for url in urls], START)
    return store.feeds(urls)


def ours(store: SqlStore, rows: Sequence[Feed], given: Sequence[Document], now: datetime) -> None:
    for row, document in zip(rows, given, strict=True):
        after = replace(row, last_checked_at=now, last_success_at=now)
        record_document(store, row, document, after, POLICY, now)


@dataclass(frozen=True)
class Prepared:
    """A document's rows, with nothing left to find out."""

    feed_id: int
    entries: list[dict[str, Any]]
    identities: list[dict[str, Any]]
    sources: list[dict[str, Any]]


def prepared(rows: Sequence[Feed], given: Sequence[Document]) -> list[Prepared]:
    return list(_prepared(rows, given))


def _prepared(rows: Sequence[Feed], given: Sequence[Document]) -> Iterator[Prepared]:
    number = 0
    for row, document in zip(rows, given, strict=True):
        made = Prepared(row.feed_id, [], [], [])
        for candidate in told_apart(document, row, POLICY).candidates:
            number += 1
            content = candidate.content._asdict()
            made.entries.append({"entry_id": number, "feed_id": row.feed_id, **content})
            for key_type, key_value in candidate.keys:
                made.identities.append(
                    {"key_type": key_type, "key_value": key_value, "entry_id": number}
                )
            made.sources.append(
                {
                    "entry_id": number,
                    "feed_id": row.feed_id,
                    "guid": candidate.content.guid,
                    "content_hash": candidate.content.content_hash,
                    "in_last": True,
                }
            )
        yield made


def bare(store: SqlStore, given: Sequence[Prepared], now: datetime) -> None:
    """SQLAlchemy's own INSERT … ON CONFLICT, many rows at a time."""
    insert = _INSERT[store.engine.dialect.name]
    into_entries = insert(entries)
    into_entries = into_entries.on_conflict_do_update(
        index_elements=["entry_id"],
        set_={name: into_entries.excluded[name] for name in ("last_seen_at", *Content._fields)},
    )
    into_sources = insert(entry_sources)
    into_sources = into_sources.on_conflict_do_update(
        index_elements=["entry_id", "feed_id"],
        set_={"in_last": into_sources.excluded.in_last},
    )
    into_identities = insert(entry_identities).on_conflict_do_nothing()
    for document in given:
        seen = [{**entry, "first_seen_at": now, "last_seen_at": now} for entry in document.entries]
        with store.engine.connect() as plain:
            connection = plain.execution_options(**{WRITING: True})
            with connection.begin():
                connection.execute(into_entries, seen)
                connection.execute(into_identities, document.identities)
                connection.execute(into_sources, document.sources)
