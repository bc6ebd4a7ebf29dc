"""One transaction on a database: the reads and writes that `protocol.Writing` describes.

It decides no identity: which entry an item is has been decided by whoever made the changes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any, Protocol

import sqlalchemy as sa

from sameas.errors import StoreError
from sameas.store.protocol import LostRace
from sameas.store.schema import (
    KEYED,
    entries,
    entry_identities,
    entry_sources,
    feed_addresses,
    feeds,
    stamps,
)
from sameas.store.stamping import foreign, unstamped
from sameas.store.text import storable
from sameas.store.types import Changes, Content, Copy, Feed, Identity, Known, KnownEntry, NewEntry

CONTENT = tuple(field.name for field in fields(Content))
_ENTRY = ("entry_id", "feed_id", "first_seen_at", "last_seen_at", *CONTENT)
_IDENTITY = ("key_type", "key_value", "entry_id")
_COPY = ("entry_id", "feed_id", "guid", "content_hash", "in_last")
_OTHER = feeds.alias("other")
_FEED = tuple(column.name for column in feeds.columns if column.name != "feed_id")


class Rows(Protocol):
    """What the two databases do each in their own way."""

    def listed(self, values: Collection[Any], kind: sa.types.TypeEngine[Any]) -> Any: ...
    def ids(self, count: int) -> Sequence[int]: ...
    def insert(
        self, table: sa.Table, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]
    ) -> int: ...
    def upsert(
        self, table: sa.Table, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]
    ) -> int: ...


class SqlWriting:
    """See `protocol.Writing`."""

    def __init__(self, connection: sa.Connection, rows: Rows, place: str) -> None:
        self.connection, self.rows, self.place = connection, rows, place

    def stamp(self, policy: str, fingerprint: str, now: datetime) -> None:
        found = {row.table_name: row for row in self.connection.execute(sa.select(stamps))}
        for table in KEYED:
            stamp = found.get(table.name)
            if stamp is None:
                if self.connection.scalar(sa.select(sa.exists().select_from(table))):
                    raise StoreError("unstamped", self.place, *unstamped(table.name))
                row = (table.name, policy, fingerprint, now)
                self.connection.execute(stamps.insert().values(row))
            elif stamp.fingerprint != fingerprint:
                words = foreign(table.name, (stamp.policy, stamp.fingerprint), policy, fingerprint)
                raise StoreError("policy", self.place, *words)

    def lock_feed(self, feed_id: int) -> bool:
        query = sa.select(feeds.c.feed_id).where(feeds.c.feed_id == feed_id).with_for_update()
        return self.connection.scalar(query) is not None

    def known(self, keys: Collection[Identity], feed_id: int) -> Known:
        by_type: dict[str, list[str]] = defaultdict(list)
        for key_type, key_value in keys:
            by_type[key_type].append(key_value)
        if not by_type:
            return Known({}, {})
        parts = []
        for key_type, values in by_type.items():
            wanted = self.rows.listed(values, sa.Text())
            held = (entry_identities.c.key_type == key_type) & (
                entry_identities.c.key_value == wanted.c.value
            )
            joined = wanted.join(entry_identities, held)
            parts.append(sa.select(entry_identities).select_from(joined))
        found = self.connection.execute(sa.union_all(*parts))
        holders = {Identity(kind, value): entry_id for kind, value, entry_id in found}
        wanted = self.rows.listed(sorted(set(holders.values())), sa.BigInteger())
        rows = self._seen_by(feed_id, wanted, entries.c.entry_id == wanted.c.value)
        return Known(holders, {row[0]: KnownEntry(*tuple(row)) for row in rows})

    def known_by_dedupe_key(self, values: Collection[str], feed_id: int) -> dict[str, KnownEntry]:
        wanted = self.rows.listed(sorted(set(values)), sa.Text())
        matches = entries.c.dedupe_key == wanted.c.value
        rows = self._seen_by(feed_id, wanted, matches, entries.c.dedupe_key)
        found: dict[str, KnownEntry] = {}
        for row in sorted(rows, key=lambda row: row[0], reverse=True):
            found[row[-1]] = KnownEntry(*tuple(row)[:-1])
        return found

    def _seen_by(
        self, feed_id: int, wanted: Any, matches: sa.ColumnElement[bool], *more: sa.Column[Any]
    ) -> Sequence[sa.Row[Any]]:
        ours = (entry_sources.c.entry_id == entries.c.entry_id) & (
            entry_sources.c.feed_id == feed_id
        )
        query = sa.select(
            entries.c.entry_id,
            entries.c.feed_id,
            entries.c.canonical_url,
            entries.c.content_hash,
            sa.func.coalesce(entry_sources.c.guid, ""),
            entry_sources.c.content_hash,
            entry_sources.c.feed_id.is_not(None),
            sa.func.coalesce(entry_sources.c.in_last, sa.false()),
            *more,
        )
        tables = wanted.join(entries, matches).outerjoin(entry_sources, ours)
        return self.connection.execute(query.select_from(tables)).all()

    def apply(self, changes: Changes, feed_id: int, now: datetime) -> None:
        self._release(changes.released)
        self._see(changes.seen, feed_id, now)
        self._rewrite(changes.rewritten, feed_id)
        keys = [(*key, entry_id) for entry_id, key in changes.keys]
        copies = [_copied(copy, feed_id) for copy in changes.copies]
        if changes.new:
            ids = self.rows.ids(len(changes.new))
            self._insert(changes.new, ids, feed_id, now)
            for entry_id, new in zip(ids, changes.new, strict=True):
                keys += [(*key, entry_id) for key in new.keys]
                copy = Copy(entry_id, new.content.guid, new.content.content_hash)
                copies.append(_copied(copy, feed_id))
        self._identify(keys)
        if copies:
            self.rows.upsert(entry_sources, copies, _COPY)

    def _release(self, keys: Sequence[Identity]) -> None:
        for key_type, key_value in keys:
            held = (entry_identities.c.key_type == key_type) & (
                entry_identities.c.key_value == key_value
            )
            if self.connection.execute(entry_identities.delete().where(held)).rowcount != 1:
                raise LostRace(f"{key_type} is free already")

    def _see(self, ids: Sequence[int], feed_id: int, now: datetime) -> None:
        """Touches the entries that stand in the document, and lets go of those that do not."""
        seen = sa.select(self.rows.listed(ids, sa.BigInteger()).c.value)
        if ids and self._touch(entries.c.entry_id.in_(seen), now) != len(ids):
            raise LostRace("an entry has been pruned")
        last = (entry_sources.c.feed_id == feed_id) & entry_sources.c.in_last
        gone = entry_sources.update().where(last, entry_sources.c.entry_id.not_in(seen))
        self.connection.execute(gone.values(in_last=False))

    def _touch(self, which: sa.ColumnElement[bool], now: datetime) -> int:
        moment = sa.literal(now, entries.c.last_seen_at.type)
        later = sa.case((entries.c.last_seen_at < moment, moment), else_=entries.c.last_seen_at)
        return self.connection.execute(
            entries.update().where(which).values(last_seen_at=later)
        ).rowcount

    def _rewrite(self, rewritten: Sequence[tuple[int, Content]], feed_id: int) -> None:
        if not rewritten:
            return
        statement = entries.update().where(entries.c.entry_id == sa.bindparam("which"))
        rows = [
            {"which": entry_id, "feed_id": feed_id}
            | {name: getattr(content, name) for name in CONTENT}
            for entry_id, content in rewritten
        ]
        self.connection.execute(statement, rows)

    def _insert(
        self, new: Sequence[NewEntry], ids: Sequence[int], feed_id: int, now: datetime
    ) -> None:
        rows = [
            (entry_id, feed_id, now, now, *(getattr(one.content, name) for name in CONTENT))
            for entry_id, one in zip(ids, new, strict=True)
        ]
        self.rows.insert(entries, rows, _ENTRY)

    def _identify(self, keys: Sequence[tuple[str, str, int]]) -> None:
        if keys and self.rows.insert(entry_identities, keys, _IDENTITY) != len(keys):
            raise LostRace("a key has found another holder")

    def see_again(self, feed_id: int, now: datetime) -> int:
        last = sa.select(entry_sources.c.entry_id).where(
            entry_sources.c.feed_id == feed_id, entry_sources.c.in_last
        )
        return self._touch(entries.c.entry_id.in_(last), now)

    def save_feed(self, feed: Feed) -> None:
        values = {name: _stored(getattr(feed, name)) for name in _FEED}
        taken = sa.exists().where(
            _OTHER.c.feed_url == values["feed_url"], _OTHER.c.feed_id != feed.feed_id
        )
        values["feed_url"] = sa.case((taken, feeds.c.feed_url), else_=values["feed_url"])
        self.connection.execute(
            feeds.update().where(feeds.c.feed_id == feed.feed_id).values(values)
        )
        if feed.former:
            rows = [(feed.feed_id, storable(url)) for url in feed.former]
            self.rows.insert(feed_addresses, rows, ("feed_id", "feed_url"))


def _stored(value: Any) -> Any:
    return storable(value) if isinstance(value, str) else value


def _copied(copy: Copy, feed_id: int) -> tuple[int, int, str, str, bool]:
    return copy.entry_id, feed_id, copy.guid, copy.content_hash, True
