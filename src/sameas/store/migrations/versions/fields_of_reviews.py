"""The field that a question was found in. What stands here is never changed again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("reviews", sa.Column("field", sa.Text, nullable=False, server_default=""))
