"""The tables of a store, defined once for both databases, with the names of the seeds.

How a store comes to have them is told by the migrations; a test compares the two.
"""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.types import TypeDecorator

REVISION = "5"
"""The newest migration: what this program reads and writes."""


class Utc(TypeDecorator[datetime]):
    """A moment: kept in UTC, given back aware. SQLite, which has no zones, keeps it without."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: sa.Dialect) -> datetime | None:
        if value is None:
            return None
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: datetime | None, _: sa.Dialect) -> datetime | None:
        if value is None or value.tzinfo is not None:
            return value and value.astimezone(UTC)
        return value.replace(tzinfo=UTC)


metadata = sa.MetaData()


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, server_default="")


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false())


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False, server_default="0")


_BIG = sa.BigInteger().with_variant(sa.Integer, "sqlite")
"""SQLite numbers its rows by itself only where the type is spelled INTEGER."""

feeds = sa.Table(
    "feeds",
    metadata,
    sa.Column("feed_id", _BIG, primary_key=True),
    sa.Column("feed_url", sa.Text, nullable=False, unique=True),
    sa.Column("added_at", Utc, nullable=False),
    _text("title"),
    sa.Column("etag", sa.Text),
    sa.Column("last_modified", sa.Text),
    sa.Column("validators_url", sa.Text),
    sa.Column("body_hash", sa.Text),
    sa.Column("last_checked_at", Utc),
    sa.Column("last_success_at", Utc),
    sa.Column("next_check_at", Utc),
    sa.Column("status", sa.Text, nullable=False, server_default="active"),
    sa.Column("http_status", sa.Integer),
    sa.Column("error", sa.Text),
    sa.Column("failures", sa.Integer, nullable=False, server_default="0"),
    _flag("waiting"),
    sa.Column("moved_to", sa.Text),
    sa.Column("moved_seen_at", Utc),
    sqlite_autoincrement=True,
)

feed_addresses = sa.Table(
    "feed_addresses",
    metadata,
    sa.Column("feed_id", sa.ForeignKey("feeds.feed_id", ondelete="CASCADE"), primary_key=True),
    sa.Column("feed_url", sa.Text, primary_key=True),
)

entries = sa.Table(
    "entries",
    metadata,
    sa.Column("entry_id", _BIG, primary_key=True),
    sa.Column("feed_id", sa.ForeignKey("feeds.feed_id", ondelete="SET NULL")),
    sa.Column("first_seen_at", Utc, nullable=False),
    sa.Column("last_seen_at", Utc, nullable=False),
    sa.Column("dedupe_key", sa.Text, nullable=False),
    sa.Column("content_hash", sa.Text),
    sa.Column("match_confidence", sa.Text, nullable=False),
    _text("guid"),
    _text("link"),
    _text("canonical_url"),
    _text("title"),
    _text("author"),
    _text("published"),
    _text("updated"),
    _text("summary"),
    sa.Index("ix_entries_dedupe_key", "dedupe_key"),
    sa.Index("ix_entries_first_seen_at", "first_seen_at"),
    sqlite_autoincrement=True,
)
"""`content_hash` is unknown (null) in a row that was imported without one."""

entry_identities = sa.Table(
    "entry_identities",
    metadata,
    sa.Column("key_type", sa.Text, primary_key=True),
    sa.Column("key_value", sa.Text, primary_key=True),
    sa.Column("entry_id", sa.ForeignKey("entries.entry_id", ondelete="CASCADE"), nullable=False),
    sa.Index("ix_entry_identities_entry_id", "entry_id"),
    sqlite_with_rowid=False,
)

entry_sources = sa.Table(
    "entry_sources",
    metadata,
    sa.Column("entry_id", sa.ForeignKey("entries.entry_id", ondelete="CASCADE"), primary_key=True),
    sa.Column("feed_id", sa.ForeignKey("feeds.feed_id", ondelete="CASCADE"), primary_key=True),
    _text("guid"),
    sa.Column("content_hash", sa.Text),
    _flag("in_last"),
    sqlite_with_rowid=False,
)
"""Which feeds carry an entry, under which guid, in which wording, and whether it stood in the
last document."""

sa.Index(
    "ix_entry_sources_last",
    entry_sources.c.feed_id,
    sqlite_where=sa.text("in_last = 1"),  # as SQLAlchemy asks for it, or it is not used
    postgresql_where=entry_sources.c.in_last,
)

stamps = sa.Table(
    "stamps",
    metadata,
    sa.Column("table_name", sa.Text, primary_key=True),
    sa.Column("policy", sa.Text, nullable=False),
    sa.Column("fingerprint", sa.Text, nullable=False),
    sa.Column("stamped_at", Utc, nullable=False),
)

domains = sa.Table(
    "domains",
    metadata,
    sa.Column("host", sa.Text, primary_key=True),
    sa.Column("www_form", sa.Text),
    sa.Column("https", sa.Boolean),
    sa.Column("checked_at", Utc, nullable=False),
    _flag("decided"),
)

links = sa.Table(
    "links",
    metadata,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("url", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("checked_at", Utc, nullable=False),
    _text("final_url"),
    _text("final_key"),
    _text("flags"),
    _text("notes"),
    _text("chain"),
    _text("evidence"),
)
"""`flags`, `notes`, `chain` and `evidence` are JSON."""

reviews = sa.Table(
    "reviews",
    metadata,
    sa.Column("review_id", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("key", sa.Text, nullable=False),
    _text("url"),
    _text("file"),
    sa.Column("line", sa.Integer, nullable=False, server_default="0"),
    _text("suggestion"),
    _text("reason"),
    _text("evidence"),
    sa.Column("asked_at", Utc, nullable=False),
    sa.Column("seen_at", Utc, nullable=False),
    sa.Column("decision", sa.Text),
    _text("value"),
    sa.Column("decided_by", sa.Text),
    sa.Column("decided_at", Utc),
    _text("field"),
    sa.Index("ix_reviews_key", "key"),
)
"""`evidence` is JSON. Without a decision a row is a question that is open."""

rekeys = sa.Table(
    "rekeys",
    metadata,
    sa.Column("rekey_id", _BIG, primary_key=True),
    sa.Column("policy", sa.Text, nullable=False),
    sa.Column("fingerprint", sa.Text, nullable=False),
    sa.Column("to_policy", sa.Text, nullable=False),
    sa.Column("to_fingerprint", sa.Text, nullable=False),
    sa.Column("last_entry", _BIG, nullable=False),
    sa.Column("done_at", Utc, nullable=False),
    sa.Column("undone_at", Utc),
    sqlite_autoincrement=True,
)
"""The entries' moves from one policy to another. Entries up to `last_entry` were there."""

rekeyed = sa.Table(
    "rekeyed",
    metadata,
    sa.Column("rekey_id", sa.ForeignKey("rekeys.rekey_id", ondelete="CASCADE"), primary_key=True),
    sa.Column("entry_id", _BIG, primary_key=True, autoincrement=False),
    sa.Column("merged_into", _BIG),
    sa.Column("before", sa.Text, nullable=False),
    sqlite_with_rowid=False,
)
"""The journal of a move: what an entry was like, as JSON, so that it can be taken back."""

former_keys = sa.Table(
    "former_keys",
    metadata,
    sa.Column("rekey_id", _BIG, primary_key=True, autoincrement=False),
    sa.Column("fingerprint", sa.Text, primary_key=True),
    sa.Column("key_type", sa.Text, primary_key=True),
    sa.Column("key_value", sa.Text, primary_key=True),
    sa.Column("entry_id", sa.ForeignKey("entries.entry_id", ondelete="CASCADE"), nullable=False),
    sa.Column("was", _BIG, nullable=False),
    sa.Index("ix_former_keys_key_value", "key_value"),
    sa.Index("ix_former_keys_entry_id", "entry_id"),
    sqlite_with_rowid=False,
)
"""What an entry was known by under another fingerprint, so that who kept it still finds it; `was`
is the entry's number at that time, `rekey_id` the move that left it behind."""

feed_days = sa.Table(
    "feed_days",
    metadata,
    sa.Column("feed_id", sa.ForeignKey("feeds.feed_id", ondelete="CASCADE"), primary_key=True),
    sa.Column("day", sa.Text, primary_key=True),
    *map(_count, ("asked", "failed", "new", "updated")),
)

check_days = sa.Table(
    "check_days",
    metadata,
    sa.Column("place", sa.Text, primary_key=True),
    sa.Column("day", sa.Text, primary_key=True),
    sa.Column("host", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("links", sa.Integer, nullable=False),
)
"""A `day` is written as 2026-11-19."""

COUNTED = {"preserve_rowcount": True}
"""The execution option of an INSERT whose rows are to be counted."""

SEEDED = (feeds, entries, entry_identities)
"""The tables that a database from before may have."""

KEYED = (entries, entry_identities)
"""The tables that hold keys, each with its stamp."""

LINK_KEYED = (links, reviews)
"""The tables with keys of links: their policy is another one than that of the entries."""
