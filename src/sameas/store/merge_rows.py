"""The rows of entries that become one, or several again: their keys, sources and former keys.

Which entries those are is decided in `sameas.change`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import sqlalchemy as sa

from sameas.store.rekey_rows import RekeyRows, working
from sameas.store.schema import entries, entry_identities, entry_sources, former_keys

Pairs = Sequence[tuple[int, int]]
"""An entry, and the one it becomes a part of."""

_FORMER = ("rekey_id", "fingerprint", "key_type", "key_value")
_MOVED = (entry_identities, former_keys)


def other_keys(rows: RekeyRows, ids: Collection[int]) -> dict[int, list[list[Any]]]:
    """Keys of these entries, canonical URLs left out: those have been released."""
    return _listed(rows, entry_identities, ("key_type", "key_value"), ids)


def former(rows: RekeyRows, ids: Collection[int]) -> dict[int, list[list[Any]]]:
    return _listed(rows, former_keys, _FORMER, ids)


def _listed(
    rows: RekeyRows, table: sa.Table, names: Sequence[str], ids: Collection[int]
) -> dict[int, list[list[Any]]]:
    columns = [table.c[name] for name in names]
    among = rows.among(table.c.entry_id, "ids")
    query = sa.select(table.c.entry_id, *columns).where(among).order_by(*columns)
    found: dict[int, list[list[Any]]] = defaultdict(list)
    for number, *words in rows.connection.execute(query, {"ids": rows.rows.many(ids)}):
        found[number].append(words)
    return found


def move(rows: RekeyRows, pairs: Pairs) -> None:
    """All keys of an entry, and what was known of it before, pass to the other; it is gone."""
    given = [{"one": one, "other": other} for one, other in pairs]
    for table in _MOVED:
        passed = table.update().where(table.c.entry_id == sa.bindparam("one"))
        rows.connection.execute(passed.values(entry_id=sa.bindparam("other")), given)
    for gone in (working, entries):
        lost = gone.delete().where(rows.among(gone.c.entry_id, "ids"))
        rows.connection.execute(lost, {"ids": rows.rows.many([one for one, _ in pairs])})


def move_back(
    rows: RekeyRows, number: int, other: int, keys: Sequence[Any], old: Sequence[Any]
) -> None:
    """What `move` took, as far as the other still has it."""
    for table, names, wanted in (
        (entry_identities, ("key_type", "key_value"), keys),
        (former_keys, _FORMER, old),
    ):
        if wanted:
            named = sa.and_(*(table.c[name] == sa.bindparam(f"its_{name}") for name in names))
            back = table.update().where(named, table.c.entry_id == other).values(entry_id=number)
            given = [
                {f"its_{name}": word for name, word in zip(names, words, strict=True)}
                for words in wanted
            ]
            rows.connection.execute(back, given)


def write_entry(rows: RekeyRows, row: Mapping[str, Any]) -> None:
    """An entry that had become a part of another, as it was."""
    rows.connection.execute(entries.insert().values(dict(row)))


def forget_sources(rows: RekeyRows, pairs: Collection[tuple[int, int]]) -> None:
    """By entry and feed."""
    if pairs:
        which = (entry_sources.c.entry_id == sa.bindparam("one")) & (
            entry_sources.c.feed_id == sa.bindparam("feed")
        )
        given = [{"one": number, "feed": feed_id} for number, feed_id in pairs]
        rows.connection.execute(entry_sources.delete().where(which), given)
