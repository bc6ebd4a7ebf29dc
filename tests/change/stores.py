"""Stores that a move finds something to do in: merges, splits, podcasts, copies; and their keys."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from sameas.change.find import find
from sameas.store.schema import entries, entry_identities, former_keys
from sameas.store.sql import SqlStore
from sameas.store.types import Identity
from tests.feeds.documents import DAY, NOW, OTHER_FEED, item, recorded
from tests.store.dump import Rows, dumped

BODY = '[query]\ndrop = { add = ["from"], remove = ["ref"] }\n'
"""The policy a store is moved to: `from` goes, and `ref` does not any more."""
BACK = '[query]\ndrop = { add = ["from", "cut"] }\n'

THIRD_FEED = "https://c.example/feed"
_MOVED = ("entries", "entry_identities", "entry_sources", "feeds", "feed_addresses")


def filled(store: SqlStore, size: int = 3) -> None:
    """Entries that meet under `BODY`, entries that part, and entries one feed tells apart."""
    here, there, third = [], [], []
    for n in range(size):
        here += [
            item(f"m{n}", f"/m{n}?from=a", f"meets {n}"),
            item("", f"/s{n}?ref=1", f"parts {n}"),
            item(f"p{n}", f"/p{n}?from=1", f"podcast {n}"),
            item(f"q{n}", f"/p{n}?from=2", f"podcast {n} again"),
            item(f"same{n}", f"/same{n}", f"stays {n}"),
        ]
        there += [
            item(f"o{n}", f"/m{n}", f"meets {n} there"),
            item("", f"/s{n}", f"parts {n} there"),
            item("", f"/u{n}?from=x", f"url alone {n}"),
            item("", "", f"nothing {n}"),
        ]
        third += [item("", f"/m{n}?from=c", f"meets {n} third"), item(f"t{n}", f"/same{n}", "too")]
    recorded(store, *here)
    recorded(store, *there, feed=OTHER_FEED, now=NOW + DAY)
    recorded(store, *third, feed=THIRD_FEED, now=NOW + 2 * DAY)


def keys(store: SqlStore) -> set[str]:
    """Everything by which somebody may know an entry of the store."""
    with store.reading() as connection:
        found = set(connection.scalars(sa.select(entry_identities.c.key_value)))
        found |= set(connection.scalars(sa.select(entries.c.dedupe_key)))
        found |= set(map(str, connection.scalars(sa.select(entries.c.entry_id))))
        return found | set(connection.scalars(sa.select(former_keys.c.key_value)))


def holders(store: SqlStore, wanted: set[str]) -> dict[str, int]:
    """The entry each of these leads to; every one of them has to lead to one."""
    found = {key: find(store, key) for key in wanted}
    assert [key for key, entry in found.items() if entry is None] == []
    return {key: entry.entry_id for key, entry in found.items() if entry is not None}


def contents(store: SqlStore) -> Rows:
    """What the store says of feeds and entries, and under which policy."""
    rows = dumped(store)
    found = {name: rows[name] for name in _MOVED}
    return found | {"stamps": [row[:-1] for row in rows["stamps"]]}


def by_title(store: SqlStore) -> dict[str, Any]:
    return {entry.title: entry for entry in store.entries()}


def linked(path: str) -> Identity:
    return Identity("canonical_url", f"https://a.example{path}")
