"""The rows of a move from one policy to another: read in batches, written many at a time.

What becomes of an entry and its keys is decided in `sameas.change`.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from sameas.store.schema import (
    KEYED,
    Utc,
    entries,
    entry_identities,
    entry_sources,
    former_keys,
    rekeyed,
    rekeys,
    stamps,
)
from sameas.store.types import KEY_TYPES
from sameas.store.writing import SqlWriting

BATCH = 1000
CANONICAL_URL = KEY_TYPES[1]
SNAPSHOT, NUMBER = "dedupe_key", "entry_id"
"""What `former_keys` holds beside the types of keys: what else an entry was named by."""

_LOCK = "LOCK TABLE entries, entry_identities, entry_sources IN SHARE ROW EXCLUSIVE MODE"
_FORMER = ("fingerprint", "key_type", "key_value", "entry_id", "was", "rekey_id")
_SOURCE = ("entry_id", "feed_id", "guid", "content_hash", "in_last")
_REWRITTEN = (
    "entry_id",
    "first_seen_at",
    "last_seen_at",
    "match_confidence",
    "canonical_url",
    "dedupe_key",
    "content_hash",
)

working = sa.Table(
    "rekeying",
    sa.MetaData(),
    sa.Column("entry_id", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("form", sa.Text, nullable=False),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("held", sa.Boolean, nullable=False),
    sa.Column("first_seen_at", Utc, nullable=False),
    prefixes=["TEMPORARY"],
    postgresql_on_commit="DROP",
)
"""What the new policy makes of each entry's link, for as long as the move lasts; `held` where the
entry was known by it."""


class Source(NamedTuple):
    """How a feed carries an entry."""

    feed_id: int
    guid: str
    content_hash: str | None
    in_last: bool


Sources = dict[int, Source]
"""By feed."""


class RekeyRows:
    """The rows of one move, in one transaction."""

    def __init__(self, writing: SqlWriting) -> None:
        self.connection, self.rows = writing.connection, writing.rows
        self.among = writing.statements.among

    def lock(self) -> Any:
        """Keeps everybody else from writing, and gives the stamp of the entries."""
        names = [table.name for table in KEYED]
        same = stamps.update().where(stamps.c.table_name.in_(names))
        self.connection.execute(same.values(stamped_at=stamps.c.stamped_at))
        if self.connection.dialect.name == "postgresql":
            self.connection.exec_driver_sql(_LOCK)
        query = sa.select(stamps).where(stamps.c.table_name == entries.name)
        return self.connection.execute(query).one_or_none()

    def last(self) -> Any:
        """The last move that has not been taken back."""
        query = sa.select(rekeys).where(rekeys.c.undone_at.is_(None))
        return self.connection.execute(query.order_by(rekeys.c.rekey_id.desc()).limit(1)).first()

    def begin(self, stamp: Any, to: tuple[str, str], now: datetime) -> int:
        last = self.connection.scalar(sa.select(sa.func.max(entries.c.entry_id))) or 0
        row = {
            "policy": stamp.policy,
            "fingerprint": stamp.fingerprint,
            "to_policy": to[0],
            "to_fingerprint": to[1],
            "last_entry": last,
            "done_at": now,
        }
        key = self.connection.execute(rekeys.insert().values(row)).inserted_primary_key
        return int(key[0]) if key else 0

    def end(self, to: tuple[str, str], now: datetime) -> None:
        working.drop(self.connection)
        names = [table.name for table in KEYED]
        moved = stamps.update().where(stamps.c.table_name.in_(names))
        self.connection.execute(moved.values(policy=to[0], fingerprint=to[1], stamped_at=now))

    def batches(self) -> Iterator[list[Any]]:
        """Every entry, by its number."""
        query = sa.select(entries).order_by(entries.c.entry_id).limit(BATCH)
        last = 0
        while found := self.connection.execute(query.where(entries.c.entry_id > last)).all():
            yield list(found)
            last = found[-1].entry_id

    def holding(self, ids: Collection[int]) -> set[int]:
        """Which of these entries have a canonical URL among their keys."""
        query = sa.select(entry_identities.c.entry_id).where(
            entry_identities.c.key_type == CANONICAL_URL,
            self.among(entry_identities.c.entry_id, "ids"),
        )
        return set(self.connection.scalars(query, {"ids": self.rows.many(ids)}))

    def make_aside(self) -> None:
        working.create(self.connection)

    def put_aside(self, rows: Sequence[tuple[int, str, str, bool, datetime]]) -> None:
        moment = self.rows.moment
        made = [(*row[:4], moment(row[4])) for row in rows]
        self.rows.add(working, made, ("entry_id", "form", "url", "held", "first_seen_at"))

    def aside(self, ids: Collection[int]) -> dict[int, Any]:
        return self._by_id(working, ids)

    def meeting(self) -> list[tuple[str, int]]:
        """Entries that share a form, with it, the earliest of each form first."""
        shared = (
            sa.select(working.c.form)
            .where(working.c.held)
            .group_by(working.c.form)
            .having(sa.func.count() > 1)
        )
        query = (
            sa.select(working.c.form, working.c.entry_id)
            .where(working.c.held, working.c.form.in_(shared))
            .order_by(working.c.form, working.c.first_seen_at, working.c.entry_id)
        )
        return [(form, number) for form, number in self.connection.execute(query)]

    def entries(self, ids: Collection[int]) -> dict[int, Any]:
        return self._by_id(entries, ids)

    def _by_id(self, table: sa.Table, ids: Collection[int]) -> dict[int, Any]:
        query = sa.select(table).where(self.among(table.c.entry_id, "ids"))
        found = self.connection.execute(query, {"ids": self.rows.many(ids)})
        return {row.entry_id: row for row in found}

    def sources(self, ids: Collection[int]) -> dict[int, Sources]:
        query = sa.select(entry_sources).where(self.among(entry_sources.c.entry_id, "ids"))
        found: dict[int, Sources] = defaultdict(dict)
        for row in self.connection.execute(query, {"ids": self.rows.many(ids)}).mappings():
            source = Source(*(row[name] for name in Source._fields))
            found[row["entry_id"]][source.feed_id] = source
        return found

    def write_sources(self, sources: Mapping[int, Sources]) -> None:
        rows = [(number, *source) for number, held in sources.items() for source in held.values()]
        if rows:
            self.rows.upsert(entry_sources, rows, _SOURCE)

    def rewrite(self, rows: Sequence[Any]) -> None:
        """Entries as mappings: what a policy decides of them, and when they were last seen."""
        moment = self.rows.moment
        times = {"first_seen_at", "last_seen_at"}
        made = [
            tuple(moment(row[name]) if name in times else row[name] for name in _REWRITTEN)
            for row in rows
        ]
        if made:
            self.rows.upsert(entries, made, _REWRITTEN)

    def release_keys(self, rekey_id: int, fingerprint: str) -> None:
        """Every canonical URL becomes a former key, and is free."""
        held = entry_identities.c.key_type == CANONICAL_URL
        number = entry_identities.c.entry_id
        rows = sa.select(
            sa.literal(fingerprint), sa.literal(CANONICAL_URL), entry_identities.c.key_value,
            number, number, sa.literal(rekey_id, sa.BigInteger),
        ).where(held)  # fmt: skip
        self.connection.execute(former_keys.insert().from_select(list(_FORMER), rows))
        self.connection.execute(entry_identities.delete().where(held))

    def take_keys(self) -> None:
        """Each form for the earliest entry that was known by its link. Of two that share one and
        stay apart the later does without."""
        turn = sa.func.row_number().over(
            partition_by=working.c.form, order_by=(working.c.first_seen_at, working.c.entry_id)
        )
        known = sa.select(working.c.form, working.c.entry_id, turn.label("turn"))
        first = known.where(working.c.held).subquery()
        rows = sa.select(sa.literal(CANONICAL_URL), first.c.form, first.c.entry_id)
        columns = ["key_type", "key_value", "entry_id"]
        statement = entry_identities.insert().from_select(columns, rows.where(first.c.turn == 1))
        self.connection.execute(statement)

    def left_behind(self, rekey_id: int) -> Iterator[list[tuple[str, int, str, str | None]]]:
        """The keys that this move released: the key, who has it now, that entry's canonical URL
        from before, and the form of its link under the new policy."""
        query = (
            sa.select(
                former_keys.c.key_value, entries.c.entry_id, entries.c.canonical_url, working.c.form
            )
            .select_from(
                former_keys.join(entries).outerjoin(
                    working, working.c.entry_id == entries.c.entry_id
                )
            )
            .where(former_keys.c.rekey_id == rekey_id, former_keys.c.key_type == CANONICAL_URL)
            .order_by(former_keys.c.key_value)
            .limit(BATCH)
        )
        last = ""
        while found := self.connection.execute(query.where(former_keys.c.key_value > last)).all():
            yield [(value, number, url, form) for value, number, url, form in found]
            last = found[-1].key_value

    def add_keys(self, keys: Collection[tuple[str, int]]) -> None:
        """Canonical URLs for entries, where nobody has them."""
        if keys:
            rows = [(CANONICAL_URL, value, number) for value, number in keys]
            self.rows.insert(entry_identities, rows, ("key_type", "key_value", "entry_id"))

    def add_former(self, rows: Sequence[tuple[str, str, str, int, int, int]]) -> None:
        if rows:
            self.rows.insert(former_keys, rows, _FORMER)

    def journal(self, rekey_id: int, rows: Sequence[tuple[int, int | None, Any]]) -> None:
        """Entry, what it was merged into, and what it was like."""
        made = [(rekey_id, number, into, json.dumps(before)) for number, into, before in rows]
        if made:
            self.rows.insert(rekeyed, made, ("rekey_id", "entry_id", "merged_into", "before"))
