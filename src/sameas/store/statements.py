"""The statements of a transaction, built once for each kind of database.

What they mean together is decided in writing.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from sameas.store.schema import KEYED, entries, entry_identities, entry_sources, feeds, stamps
from sameas.store.types import KEY_TYPES, Content

Among = Callable[[sa.Column[Any], str], sa.ColumnElement[bool]]
"""Whether a column holds one of the values that a parameter brings."""

FEED = tuple(column.name for column in feeds.columns if column.name != "feed_id")

_OTHER = feeds.alias("other")


class Statements:
    """Parameters: `feed` and `now`; lists as `ids`, `snapshots`, or under the type of a key."""

    def __init__(self, among: Among) -> None:
        self.among = among
        of_feed = entry_sources.c.feed_id == sa.bindparam("feed")
        last = of_feed & entry_sources.c.in_last
        # Held until the end: nobody moves the tables to another policy while they are written to.
        held = [table.name for table in KEYED]
        of_entries = stamps.c.table_name.in_(held)
        self.stamps = sa.select(stamps).where(of_entries).with_for_update(read=True)
        self.held = {table.name: sa.select(sa.exists().select_from(table)) for table in KEYED}
        self.holders = sa.union_all(
            *(
                sa.select(entry_identities).where(
                    entry_identities.c.key_type == key_type,
                    among(entry_identities.c.key_value, key_type),
                )
                for key_type in KEY_TYPES
            )
        )
        self.known = _known(of_feed).where(among(entries.c.entry_id, "ids"))
        self.by_snapshot = (
            _known(of_feed)
            .add_columns(entries.c.dedupe_key)
            .where(among(entries.c.dedupe_key, "snapshots"))
            .order_by(entries.c.entry_id.desc())
        )
        self.touch = _touch(among(entries.c.entry_id, "ids"))
        self.touch_last = _touch(
            entries.c.entry_id.in_(sa.select(entry_sources.c.entry_id).where(last))
        )
        self.gone = (
            entry_sources.update()
            .where(last, ~among(entry_sources.c.entry_id, "ids"))
            .values(in_last=False)
        )
        self.release = entry_identities.delete().where(
            entry_identities.c.key_type == sa.bindparam("key_type"),
            entry_identities.c.key_value == sa.bindparam("key_value"),
        )
        self.rewrite = (
            entries.update()
            .where(entries.c.entry_id == sa.bindparam("which"))
            .values({name: sa.bindparam(name) for name in ("feed_id", *Content._fields)})
        )
        self.save_feed = _save_feed()


def _known(of_feed: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """The columns of KnownEntry, as the feed sees them."""
    ours = (entry_sources.c.entry_id == entries.c.entry_id) & of_feed
    return sa.select(
        entries.c.entry_id,
        entries.c.feed_id,
        entries.c.canonical_url,
        entries.c.content_hash,
        sa.func.coalesce(entry_sources.c.guid, ""),
        entry_sources.c.content_hash,
        sa.func.coalesce(entry_sources.c.in_last, sa.false()),
    ).select_from(entries.outerjoin(entry_sources, ours))


def _touch(which: sa.ColumnElement[bool]) -> sa.Update:
    """`last_seen_at` never goes back."""
    now = sa.bindparam("now", type_=entries.c.last_seen_at.type)
    later = sa.case((entries.c.last_seen_at < now, now), else_=entries.c.last_seen_at)
    return entries.update().where(which).values(last_seen_at=later)


def _save_feed() -> sa.Update:
    """An address that another feed has is not taken."""
    url = sa.bindparam("new_feed_url", type_=sa.Text())
    feed_id = sa.bindparam("which", type_=feeds.c.feed_id.type)
    taken = sa.exists().where(_OTHER.c.feed_url == url, _OTHER.c.feed_id != feed_id)
    values: dict[str, Any] = {name: sa.bindparam(f"new_{name}") for name in FEED}
    values["feed_url"] = sa.case((taken, feeds.c.feed_url), else_=url)
    return feeds.update().where(feeds.c.feed_id == feed_id).values(values)
