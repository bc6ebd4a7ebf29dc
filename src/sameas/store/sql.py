"""A store in a database: feeds and entries read, counted and forgotten.

What a run writes is in writing.py; how the two databases differ, in sqlite.py and postgres.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from sameas.errors import StoreError
from sameas.store.faults import HINTS, told
from sameas.store.history_rows import SqlHistory
from sameas.store.link_rows import SqlLinks
from sameas.store.protocol import LostRace
from sameas.store.schema import (
    REVISION,
    domains,
    entries,
    entry_identities,
    entry_sources,
    feed_addresses,
    feeds,
    links,
    reviews,
    stamps,
)
from sameas.store.sqlite import WRITING
from sameas.store.text import storable
from sameas.store.types import Entry, Feed, Info, Stamp
from sameas.store.writing import Rows, SqlWriting

_BATCH = 1000
_TRIES = 10

_OTHER = entry_sources.alias("other")


class SqlStore(SqlLinks, SqlHistory):
    """See `protocol.Store`, `link_protocol.LinkStore` and `history.HistoryStore`."""

    def __init__(
        self,
        engine: sa.Engine,
        rows: Callable[[sa.Connection], Rows],
        place: str,
        secret: str = "",
    ) -> None:
        self.engine, self._rows, self.place, self._secret = engine, rows, place, secret

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A connection for our own room, with errors told as everywhere."""
        with told(self.place, self._secret), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[SqlWriting]:
        with told(self.place, self._secret), self.engine.connect() as plain:
            connection = plain.execution_options(**{WRITING: True})
            with connection.begin():
                yield SqlWriting(connection, self._rows(connection), self.place)

    def _retried(self, write: Callable[[SqlWriting], int]) -> int:
        """A write of our own, again from the beginning where another process was quicker."""
        for _ in range(_TRIES):
            try:
                with self.writing() as writing:
                    return write(writing)
            except LostRace:
                continue
        raise StoreError("locked", self.place, "others keep writing the same rows", HINTS["locked"])

    def feeds(self, urls: Collection[str] | None = None) -> list[Feed]:
        with self.reading() as connection:
            former: dict[int, list[str]] = defaultdict(list)
            for row in connection.execute(_in_order(feed_addresses)):
                former[row.feed_id].append(row.feed_url)
            found = [
                Feed(**row, former=tuple(former[row["feed_id"]]))
                for row in connection.execute(_in_order(feeds)).mappings().all()
            ]
        if urls is None:
            return found
        wanted = {storable(url) for url in urls}
        return [feed for feed in found if not wanted.isdisjoint((feed.feed_url, *feed.former))]

    def add_feeds(self, wanted: Sequence[tuple[str, str]], now: datetime) -> list[Feed]:
        titles = {storable(url): storable(title) for url, title in reversed(wanted)}
        added = list(reversed(titles))

        def add(writing: SqlWriting) -> int:
            known = {row.feed_url for row in writing.connection.execute(_addresses())}
            added[:] = [url for url in added if url not in known]
            rows = [{"feed_url": url, "title": titles[url], "added_at": now} for url in added]
            if rows:
                writing.connection.execute(feeds.insert(), rows)
            return len(rows)

        return self.feeds(added) if self._retried(add) else []

    def remove_feed(self, feed_id: int) -> None:
        carried = (_OTHER.c.entry_id == entries.c.entry_id) & (_OTHER.c.feed_id != feed_id)
        heir = sa.select(sa.func.min(_OTHER.c.feed_id)).where(carried).scalar_subquery()
        own = entries.c.feed_id == feed_id

        def remove(writing: SqlWriting) -> int:
            writing.connection.execute(
                entries.update().where(own, sa.exists().where(carried)).values(feed_id=heir)
            )
            writing.connection.execute(entries.delete().where(own))
            return writing.connection.execute(
                feeds.delete().where(feeds.c.feed_id == feed_id)
            ).rowcount

        self._retried(remove)

    def entries(
        self, new_since: datetime | None = None, feed_id: int | None = None
    ) -> Iterator[Entry]:
        names = [column.name for column in entries.columns if column.name != "feed_id"]
        columns = [entries.c[name] for name in names if name != "content_hash"]
        query = (
            sa.select(
                *columns,
                sa.func.coalesce(entries.c.content_hash, "").label("content_hash"),
                sa.func.coalesce(feeds.c.feed_url, "").label("feed_url"),
            )
            .select_from(entries.outerjoin(feeds))
            .order_by(entries.c.first_seen_at, entries.c.entry_id)
        )
        if new_since is not None:
            query = query.where(entries.c.first_seen_at >= new_since)
        if feed_id is not None:
            carried = sa.exists().where(
                entry_sources.c.entry_id == entries.c.entry_id, entry_sources.c.feed_id == feed_id
            )
            query = query.where(carried | (entries.c.feed_id == feed_id))
        with self.reading() as connection:
            batched = connection.execution_options(yield_per=_BATCH)
            with batched.execute(query) as found:
                for row in found.mappings():
                    yield Entry(**row)

    def prune(self, older_than: datetime) -> int:
        silent = sa.or_(feeds.c.last_success_at.is_(None), feeds.c.last_success_at < older_than)
        kept = sa.exists().where(
            entry_sources.c.entry_id == entries.c.entry_id,
            entry_sources.c.feed_id == feeds.c.feed_id,
            feeds.c.status != "gone",
            (feeds.c.failures > 0) | (entry_sources.c.in_last & silent),
        )
        expired = entries.delete().where(entries.c.last_seen_at < older_than, ~kept)
        return self._retried(lambda writing: writing.connection.execute(expired).rowcount)

    def info(self) -> Info:
        with self.reading() as connection:
            tables = (feeds, entries, entry_identities, entry_sources, domains, links, reviews)
            count = sa.select(sa.func.count())
            rows = {t.name: connection.scalar(count.select_from(t)) or 0 for t in tables}
            found = connection.execute(_in_order(stamps)).mappings()
            return Info(
                self.place,
                self.engine.dialect.name,
                REVISION,
                rows,
                tuple(Stamp(**row) for row in found),
                _size(connection),
            )

    def close(self) -> None:
        self.engine.dispose()


def _in_order(table: sa.Table) -> sa.Select[Any]:
    return sa.select(table).order_by(*table.primary_key)


def _addresses() -> sa.CompoundSelect[Any]:
    return sa.union(sa.select(feeds.c.feed_url), sa.select(feed_addresses.c.feed_url))


def _size(connection: sa.Connection) -> int:
    if connection.dialect.name == "postgresql":
        return int(connection.scalar(sa.text("SELECT pg_database_size(current_database())")) or 0)
    pages, bytes_each = (
        int(connection.exec_driver_sql(f"PRAGMA {name}").scalar_one())
        for name in ("page_count", "page_size")
    )
    return pages * bytes_each
