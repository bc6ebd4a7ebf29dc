"""An entry by anything it is or was ever known by: a key, a snapshot, a number, under any policy.

What is known now comes first; of what was, the latest move.
"""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from sameas.store.rekey_rows import NUMBER, SNAPSHOT
from sameas.store.schema import entries, entry_identities, former_keys, rekeys
from sameas.store.sql import SqlStore
from sameas.store.text import short_key, storable
from sameas.store.types import KEY_TYPES


class Found(NamedTuple):
    """An entry, and by what it was found. `policy` is "" for what holds now."""

    entry_id: int
    key_type: str
    policy: str
    link: str
    title: str


def find(store: SqlStore, key: str) -> Found | None:
    value = short_key(storable(key))
    with store.reading() as connection:
        for key_type in KEY_TYPES:
            held = (entry_identities.c.key_type == key_type) & (
                entry_identities.c.key_value == value
            )
            number = connection.scalar(sa.select(entry_identities.c.entry_id).where(held))
            if number is not None:
                return _told(connection, number, key_type, "")
        by_snapshot = sa.select(sa.func.min(entries.c.entry_id)).where(
            entries.c.dedupe_key == storable(key)
        )
        number = connection.scalar(by_snapshot)
        if number is not None:
            return _told(connection, number, SNAPSHOT, "")
        if key.isdecimal() and len(key) < 19:
            query = sa.select(entries.c.entry_id).where(entries.c.entry_id == int(key))
            if (number := connection.scalar(query)) is not None:
                return _told(connection, number, NUMBER, "")
        return _former(connection, (value, storable(key)))


def _former(connection: sa.Connection, values: tuple[str, str]) -> Found | None:
    query = (
        sa.select(
            former_keys, rekeys.c.policy, rekeys.c.fingerprint.label("from"), rekeys.c.to_policy
        )
        .select_from(former_keys.join(rekeys, rekeys.c.rekey_id == former_keys.c.rekey_id))
        .where(former_keys.c.key_value.in_(values))
        .order_by(former_keys.c.rekey_id.desc(), former_keys.c.key_type)
        .limit(1)
    )
    row = connection.execute(query).mappings().first()
    if row is None:
        return None
    policy = row["policy"] if row["from"] == row["fingerprint"] else row["to_policy"]
    return _told(connection, row["entry_id"], row["key_type"], policy)


def _told(connection: sa.Connection, number: int, key_type: str, policy: str) -> Found:
    query = sa.select(entries.c.link, entries.c.title).where(entries.c.entry_id == number)
    link, title = connection.execute(query).one()
    return Found(number, key_type, policy, link, title)
