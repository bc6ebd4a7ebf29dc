"""One transaction on a database: the reads and writes that `protocol.Writing` describes.

It decides no identity: which entry an item is has been decided by whoever made the changes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
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
    stamps,
)
from sameas.store.stamping import foreign, unstamped
from sameas.store.statements import FEED, Statements
from sameas.store.text import storable
from sameas.store.types import (
    KEY_TYPES,
    Changes,
    Content,
    Copy,
    Feed,
    Identity,
    Known,
    KnownEntry,
    NewEntry,
)

_ENTRY = ("entry_id", "feed_id", "first_seen_at", "last_seen_at", *Content._fields)
_IDENTITY = ("key_type", "key_value", "entry_id")
_COPY = ("entry_id", "guid", "content_hash", "feed_id", "in_last")


class Rows(Protocol):
    """What the two databases do each in their own way."""

    statements: Statements

    def many(self, values: Collection[Any]) -> Any: ...
    def moment(self, value: datetime | None) -> Any: ...
    def ids(self, count: int) -> Sequence[int]: ...
    def add(
        self, table: sa.Table, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]
    ) -> None: ...
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
        self.statements = rows.statements

    def stamp(self, policy: str, fingerprint: str, now: datetime) -> None:
        found = {row.table_name: row for row in self.connection.execute(self.statements.stamps)}
        for table in KEYED:
            stamp = found.get(table.name)
            if stamp is None:
                if self.connection.scalar(self.statements.held[table.name]):
                    raise StoreError("unstamped", self.place, *unstamped(table.name))
                row = (table.name, policy, fingerprint, now)
                self.connection.execute(stamps.insert().values(row))
            elif stamp.fingerprint != fingerprint:
                words = foreign(table.name, (stamp.policy, stamp.fingerprint), policy, fingerprint)
                raise StoreError("policy", self.place, *words)

    def save_feed(self, feed: Feed) -> bool:
        values = {f"new_{name}": _stored(getattr(feed, name)) for name in FEED}
        saved = self.connection.execute(
            self.statements.save_feed, {**values, "which": feed.feed_id}
        )
        if saved.rowcount == 0:
            return False
        if feed.former:
            rows = [(feed.feed_id, storable(url)) for url in feed.former]
            self.rows.insert(feed_addresses, rows, ("feed_id", "feed_url"))
        return True

    def known(self, keys: Collection[Identity], feed_id: int) -> Known:
        by_type: dict[str, list[str]] = {key_type: [] for key_type in KEY_TYPES}
        for key_type, key_value in keys:
            by_type[key_type].append(key_value)
        wanted = {key_type: self.rows.many(values) for key_type, values in by_type.items()}
        found = self.connection.execute(self.statements.holders, wanted).all()
        if not found:
            return Known({}, {})
        holders = {(key_type, key_value): number for key_type, key_value, number in found}
        ids = self.rows.many(sorted(set(holders.values())))
        rows = self.connection.execute(self.statements.known, {"feed": feed_id, "ids": ids}).all()
        return Known(holders, {row[0]: KnownEntry._make(row) for row in rows})

    def known_by_dedupe_key(self, values: Collection[str], feed_id: int) -> dict[str, KnownEntry]:
        wanted = {"feed": feed_id, "snapshots": self.rows.many(sorted(set(values)))}
        rows = self.connection.execute(self.statements.by_snapshot, wanted).all()
        return {row[-1]: KnownEntry._make(row[:-1]) for row in rows}

    def apply(self, changes: Changes, feed_id: int, now: datetime) -> None:
        self._release(changes.released)
        self._see(changes, feed_id, now)
        self._rewrite(changes.rewritten, feed_id)
        keys = [(*key, entry_id) for entry_id, key in changes.keys]
        copies = [(*copy, feed_id, True) for copy in changes.copies]
        if changes.new:
            ids = self.rows.ids(len(changes.new))
            self._insert(changes.new, ids, feed_id, now)
            for entry_id, (content, of_new) in zip(ids, changes.new, strict=True):
                keys += [(*key, entry_id) for key in of_new]
                copy = Copy(entry_id, content.guid, content.content_hash)
                copies.append((*copy, feed_id, True))
        self._identify(keys)
        if copies:
            self.rows.upsert(entry_sources, copies, _COPY)

    def _release(self, keys: Sequence[Identity]) -> None:
        for key in keys:
            released = self.connection.execute(self.statements.release, key._asdict())
            if released.rowcount != 1:
                raise LostRace(f"{key.key_type} is free already")

    def _see(self, changes: Changes, feed_id: int, now: datetime) -> None:
        """Touches the entries that stand in the document, and lets go of those that do not."""
        ids = changes.seen
        wanted = {"feed": feed_id, "ids": self.rows.many(ids), "now": now}
        if ids and self.connection.execute(self.statements.touch, wanted).rowcount != len(ids):
            raise LostRace("an entry has been pruned")
        if changes.whole:
            self.connection.execute(self.statements.gone, wanted)

    def _rewrite(self, rewritten: Sequence[tuple[int, Content]], feed_id: int) -> None:
        if rewritten:
            rows = [
                {"which": entry_id, "feed_id": feed_id, **content._asdict()}
                for entry_id, content in rewritten
            ]
            self.connection.execute(self.statements.rewrite, rows)

    def _insert(
        self, new: Sequence[NewEntry], ids: Sequence[int], feed_id: int, now: datetime
    ) -> None:
        seen = self.rows.moment(now)
        rows = [
            (entry_id, feed_id, seen, seen, *content)
            for entry_id, (content, _) in zip(ids, new, strict=True)
        ]
        self.rows.add(entries, rows, _ENTRY)

    def _identify(self, keys: Sequence[tuple[str, str, int]]) -> None:
        if keys and self.rows.insert(entry_identities, keys, _IDENTITY) != len(keys):
            raise LostRace("a key has found another holder")

    def see_again(self, feed_id: int, now: datetime) -> int:
        wanted = {"feed": feed_id, "now": now}
        return self.connection.execute(self.statements.touch_last, wanted).rowcount


def _stored(value: Any) -> Any:
    return storable(value) if isinstance(value, str) else value
