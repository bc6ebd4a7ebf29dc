"""How a database comes to have the newest tables, and what it is before that.

The steps are Alembic's, in migrations/, which ships with the package; rows from before there were
stamps are taken over by before.py.
"""

from __future__ import annotations

from datetime import datetime
from enum import Enum
from typing import Any

import sqlalchemy as sa

from sameas.errors import StoreError
from sameas.store.before import take_over
from sameas.store.schema import KEYED, REVISION, SEEDED, stamps
from sameas.store.sql import SqlStore

VERSIONS = "sameas_version"
"""The table that tells the newest migration a store has had."""

_LOCK = 0x5A3EA5
"""The advisory lock under which a server's tables are changed, one process at a time."""


class State(Enum):
    empty = "empty"
    before = "before"
    older = "older"
    current = "current"


def found_in(store: SqlStore) -> State:
    """What a database holds. One of a newer program is refused."""
    with store.reading() as connection:
        return _state(connection, store.place)


def _state(connection: sa.Connection, place: str) -> State:
    names = set(sa.inspect(connection).get_table_names())
    if VERSIONS not in names:
        return State.before if names & {table.name for table in SEEDED} else State.empty
    version = connection.scalar(sa.select(sa.column("version_num")).select_from(sa.table(VERSIONS)))
    if version == REVISION:
        return State.current
    if version is None or (version.isdigit() and int(version) < int(REVISION)):
        return State.older
    reason = f"is of version {version}, and this program knows {REVISION}"
    raise StoreError("newer", place, reason, "upgrade sameas, or name another store")


def upgrade(store: SqlStore) -> None:
    """The newest tables. Two processes that begin at once make them once."""
    with store.writing() as writing:
        _alone(writing.connection)
        if _state(writing.connection, store.place) is not State.current:
            _run_migrations(writing.connection)


def migrate(store: SqlStore, policy: str, fingerprint: str, now: datetime) -> dict[str, int]:
    """The newest tables, with every row from before, stamped. Tells how many rows of which table
    were taken over."""
    with store.writing() as writing:
        connection = writing.connection
        _alone(connection)
        state = _state(connection, store.place)
        taken = {}
        if state is State.before:
            taken = take_over(connection, writing.rows, _run_migrations, now)
        elif state is not State.current:
            _run_migrations(connection)
        _stamp_rows(connection, policy, fingerprint, now)
        return taken


def _stamp_rows(connection: sa.Connection, policy: str, fingerprint: str, now: datetime) -> None:
    """Rows that have no stamp get one. A stamp that is there stays."""
    stamped = set(connection.scalars(sa.select(stamps.c.table_name)))
    for table in KEYED:
        held = connection.scalar(sa.select(sa.exists().select_from(table)))
        if held and table.name not in stamped:
            row = (table.name, policy, fingerprint, now)
            connection.execute(stamps.insert().values(row))


def _alone(connection: sa.Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))


def _run_migrations(connection: sa.Connection) -> None:
    from alembic import command  # slow to load, and seldom needed
    from alembic.config import Config

    config = Config(attributes=_attributes(connection))
    config.set_main_option("script_location", "sameas.store:migrations")
    command.upgrade(config, "head")


def _attributes(connection: sa.Connection) -> dict[str, Any]:
    return {"connection": connection, "version_table": VERSIONS}
