"""Links, domains and reviews. What stands here is never changed again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, server_default="")


def upgrade() -> None:
    op.create_table(
        "domains",
        sa.Column("host", sa.Text, primary_key=True),
        sa.Column("www_form", sa.Text),
        sa.Column("https", sa.Boolean),
        sa.Column("checked_at", _MOMENT, nullable=False),
        sa.Column("decided", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "links",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("checked_at", _MOMENT, nullable=False),
        *map(_text, ("final_url", "final_key", "flags", "notes", "chain", "evidence")),
    )
    op.create_table(
        "reviews",
        sa.Column("review_id", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        *map(_text, ("url", "file")),
        sa.Column("line", sa.Integer, nullable=False, server_default="0"),
        *map(_text, ("suggestion", "reason", "evidence")),
        sa.Column("asked_at", _MOMENT, nullable=False),
        sa.Column("seen_at", _MOMENT, nullable=False),
        sa.Column("decision", sa.Text),
        _text("value"),
        sa.Column("decided_by", sa.Text),
        sa.Column("decided_at", _MOMENT),
    )
    op.create_index("ix_reviews_key", "reviews", ["key"])
