"""The first tables, with the names of the seeds. What stands here is never changed again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None
branch_labels = None
depends_on = None

_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_MOMENT = sa.DateTime(timezone=True)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, server_default="")


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false())


def upgrade() -> None:
    _feeds()
    _entries()
    _identities()
    op.create_table(
        "stamps",
        sa.Column("table_name", sa.Text, primary_key=True),
        sa.Column("policy", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("stamped_at", _MOMENT, nullable=False),
    )


def _feeds() -> None:
    op.create_table(
        "feeds",
        sa.Column("feed_id", _NUMBER, primary_key=True),
        sa.Column("feed_url", sa.Text, nullable=False, unique=True),
        sa.Column("added_at", _MOMENT, nullable=False),
        _text("title"),
        sa.Column("etag", sa.Text),
        sa.Column("last_modified", sa.Text),
        sa.Column("validators_url", sa.Text),
        sa.Column("body_hash", sa.Text),
        sa.Column("last_checked_at", _MOMENT),
        sa.Column("last_success_at", _MOMENT),
        sa.Column("next_check_at", _MOMENT),
        sa.Column("status", sa.Text, nullable=False, server_default="active"),
        sa.Column("http_status", sa.Integer),
        sa.Column("error", sa.Text),
        sa.Column("failures", sa.Integer, nullable=False, server_default="0"),
        _flag("waiting"),
        sa.Column("moved_to", sa.Text),
        sa.Column("moved_seen_at", _MOMENT),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "feed_addresses",
        sa.Column("feed_id", _NUMBER, _feed("CASCADE"), primary_key=True),
        sa.Column("feed_url", sa.Text, primary_key=True),
    )


def _entries() -> None:
    op.create_table(
        "entries",
        sa.Column("entry_id", _NUMBER, primary_key=True),
        sa.Column("feed_id", _NUMBER, _feed("SET NULL")),
        sa.Column("first_seen_at", _MOMENT, nullable=False),
        sa.Column("last_seen_at", _MOMENT, nullable=False),
        sa.Column("dedupe_key", sa.Text, nullable=False),
        sa.Column("content_hash", sa.Text),
        sa.Column("match_confidence", sa.Text, nullable=False),
        *map(_text, ("guid", "link", "canonical_url", "title", "author")),
        *map(_text, ("published", "updated", "summary")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_entries_dedupe_key", "entries", ["dedupe_key"])
    op.create_index("ix_entries_first_seen_at", "entries", ["first_seen_at"])


def _identities() -> None:
    op.create_table(
        "entry_identities",
        sa.Column("key_type", sa.Text, primary_key=True),
        sa.Column("key_value", sa.Text, primary_key=True),
        sa.Column("entry_id", _NUMBER, _entry(), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_entry_identities_entry_id", "entry_identities", ["entry_id"])
    op.create_table(
        "entry_sources",
        sa.Column("entry_id", _NUMBER, _entry(), primary_key=True),
        sa.Column("feed_id", _NUMBER, _feed("CASCADE"), primary_key=True),
        _text("guid"),
        sa.Column("content_hash", sa.Text),
        _flag("in_last"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_entry_sources_last",
        "entry_sources",
        ["feed_id"],
        sqlite_where=sa.text("in_last = 1"),
        postgresql_where=sa.text("in_last"),
    )


def _feed(gone: str) -> sa.ForeignKey:
    return sa.ForeignKey("feeds.feed_id", ondelete=gone)


def _entry() -> sa.ForeignKey:
    return sa.ForeignKey("entries.entry_id", ondelete="CASCADE")
