"""How feeds and registries did, a row a day. What stands here is never changed again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "5"
down_revision = "4"
branch_labels = None
depends_on = None

_BIG = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False, server_default="0")


def upgrade() -> None:
    op.create_table(
        "feed_days",
        sa.Column(
            "feed_id",
            _BIG,
            sa.ForeignKey("feeds.feed_id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("day", sa.Text, primary_key=True),
        *map(_count, ("asked", "failed", "new", "updated")),
    )
    op.create_table(
        "check_days",
        sa.Column("place", sa.Text, primary_key=True),
        sa.Column("day", sa.Text, primary_key=True),
        sa.Column("host", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("links", sa.Integer, nullable=False),
    )
