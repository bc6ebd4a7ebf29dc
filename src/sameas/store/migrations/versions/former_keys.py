"""Moves from one policy to another, and the keys from before. What stands here is never changed
again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "4"
down_revision = "3"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)
_NUMBER = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False)


def upgrade() -> None:
    op.create_table(
        "rekeys",
        sa.Column("rekey_id", _NUMBER, primary_key=True),
        *map(_text, ("policy", "fingerprint", "to_policy", "to_fingerprint")),
        sa.Column("last_entry", _NUMBER, nullable=False),
        sa.Column("done_at", _MOMENT, nullable=False),
        sa.Column("undone_at", _MOMENT),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "rekeyed",
        sa.Column(
            "rekey_id",
            _NUMBER,
            sa.ForeignKey("rekeys.rekey_id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("entry_id", _NUMBER, primary_key=True, autoincrement=False),
        sa.Column("merged_into", _NUMBER),
        _text("before"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "former_keys",
        sa.Column("rekey_id", _NUMBER, primary_key=True, autoincrement=False),
        sa.Column("fingerprint", sa.Text, primary_key=True),
        sa.Column("key_type", sa.Text, primary_key=True),
        sa.Column("key_value", sa.Text, primary_key=True),
        sa.Column(
            "entry_id",
            _NUMBER,
            sa.ForeignKey("entries.entry_id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("was", _NUMBER, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_former_keys_key_value", "former_keys", ["key_value"])
    op.create_index("ix_former_keys_entry_id", "former_keys", ["entry_id"])
