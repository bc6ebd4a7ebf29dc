"""Every row of a store in a database, with numbers replaced by what they stand for."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from sameas.store.schema import metadata
from sameas.store.sql import SqlStore

Rows = dict[str, list[tuple[Any, ...]]]


def dumped(store: SqlStore) -> Rows:
    """By table. Two stores that hold the same have the same rows, in whatever order they came."""
    with store.reading() as connection:
        found = {
            table.name: connection.execute(sa.select(table)).mappings().all()
            for table in metadata.sorted_tables
        }
    feeds = {row["feed_id"]: row["feed_url"] for row in found["feeds"]}
    entries = {
        row["entry_id"]: (feeds.get(row["feed_id"]), row["dedupe_key"]) for row in found["entries"]
    }
    meant = {"feed_id": feeds, "entry_id": entries}
    return {
        name: sorted(
            (
                tuple(
                    meant[column].get(value) if column in meant else value
                    for column, value in row.items()
                )
                for row in rows
            ),
            key=repr,
        )
        for name, rows in found.items()
    }
