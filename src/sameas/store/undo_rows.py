"""The rows of a move that is taken back: its journal, and the keys it had released.

What a row becomes is decided in `sameas.change`.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Any, NamedTuple

import sqlalchemy as sa

from sameas.store.rekey_rows import BATCH, CANONICAL_URL, NUMBER, SNAPSHOT, RekeyRows
from sameas.store.schema import (
    entries,
    entry_identities,
    feeds,
    former_keys,
    rekeyed,
    rekeys,
)


class Journaled(NamedTuple):
    """What a move has written down of an entry."""

    entry_id: int
    merged_into: int | None
    before: Any


def merged(rows: RekeyRows, rekey_id: int) -> Iterator[list[Journaled]]:
    """The entries that became a part of another."""
    query = (
        sa.select(rekeyed.c.entry_id, rekeyed.c.merged_into, rekeyed.c.before)
        .where(rekeyed.c.rekey_id == rekey_id, rekeyed.c.merged_into.is_not(None))
        .order_by(rekeyed.c.entry_id)
        .limit(BATCH)
    )
    last = 0
    while found := rows.connection.execute(query.where(rekeyed.c.entry_id > last)).all():
        yield [_read(row) for row in found]
        last = found[-1].entry_id


def journaled(rows: RekeyRows, rekey_id: int, ids: Collection[int]) -> dict[int, Journaled]:
    """Those of these entries that stayed and were written anew."""
    query = sa.select(rekeyed.c.entry_id, rekeyed.c.merged_into, rekeyed.c.before).where(
        rekeyed.c.rekey_id == rekey_id,
        rekeyed.c.merged_into.is_(None),
        rows.among(rekeyed.c.entry_id, "ids"),
    )
    found = rows.connection.execute(query, {"ids": rows.rows.many(ids)})
    return {row.entry_id: _read(row) for row in found}


def _read(row: Any) -> Journaled:
    return Journaled(row.entry_id, row.merged_into, json.loads(row.before))


def feed_ids(rows: RekeyRows) -> set[int]:
    return set(rows.connection.scalars(sa.select(feeds.c.feed_id)))


def give_keys_back(rows: RekeyRows, rekey_id: int, fingerprint: str) -> None:
    """The keys that the move had released, to the entries that had them, where those still are."""
    of_move = _left_by(rekey_id, fingerprint)
    found = (
        sa.select(sa.literal(CANONICAL_URL), former_keys.c.key_value, former_keys.c.was)
        .select_from(former_keys.join(entries, entries.c.entry_id == former_keys.c.was))
        .where(of_move, former_keys.c.key_type == CANONICAL_URL)
    )
    columns = ["key_type", "key_value", "entry_id"]
    rows.connection.execute(entry_identities.insert().from_select(columns, found))


def _left_by(rekey_id: int, fingerprint: str) -> sa.ColumnElement[bool]:
    return (former_keys.c.rekey_id == rekey_id) & (former_keys.c.fingerprint == fingerprint)


def forget(rows: RekeyRows, rekey_id: int, fingerprint: str, now: datetime) -> None:
    """The journal goes, and so do former keys that hold again; that there was a move, and when it
    was taken back, stays."""
    again = sa.or_(
        sa.exists().where(
            entry_identities.c.key_type == former_keys.c.key_type,
            entry_identities.c.key_value == former_keys.c.key_value,
        ),
        (former_keys.c.key_type == SNAPSHOT)
        & sa.exists().where(entries.c.dedupe_key == former_keys.c.key_value),
        (former_keys.c.key_type == NUMBER)
        & sa.exists().where(entries.c.entry_id == former_keys.c.was),
    )
    rows.connection.execute(former_keys.delete().where(_left_by(rekey_id, fingerprint), again))
    rows.connection.execute(rekeyed.delete().where(rekeyed.c.rekey_id == rekey_id))
    done = rekeys.update().where(rekeys.c.rekey_id == rekey_id)
    rows.connection.execute(done.values(undone_at=now))
