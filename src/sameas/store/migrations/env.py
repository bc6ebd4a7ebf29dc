"""What Alembic runs: the steps, inside the transaction of whoever asked for them.

There is no configuration file: connection and table come from `migrate`.
"""

from __future__ import annotations

from alembic import context

from sameas.store.schema import metadata

_given = context.config.attributes
context.configure(
    connection=_given["connection"],
    version_table=_given["version_table"],
    target_metadata=metadata,
    render_as_batch=True,
)
context.run_migrations()
