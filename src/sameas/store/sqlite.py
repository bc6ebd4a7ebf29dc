"""A store in one file: how SQLite is opened, and how it takes and finds many rows at once.

WAL lets readers read while one writes; a writer takes its turn before it reads (BEGIN IMMEDIATE).
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.pool import ConnectionPoolEntry

from sameas.errors import StoreError
from sameas.store.faults import HINTS
from sameas.store.schema import COUNTED, entries
from sameas.store.statements import Statements

WRITING = "sameas_writing"
"""The execution option of a connection that is going to write."""

_PAUSE = 0.05
_LAST_NUMBER = sa.text("SELECT seq FROM sqlite_sequence WHERE name = :name")


def engine(path: Path, patience: float) -> sa.Engine:
    """`patience`: how many seconds to wait for another writer."""
    place, path = str(path), path.absolute()
    made = sa.create_engine(
        sa.URL.create("sqlite+pysqlite", database=str(path)), connect_args={"timeout": patience}
    )
    born: list[tuple[int, int]] = []

    def connected(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
        # SQLAlchemy says BEGIN itself, below: the driver's own would be deferred.
        connection.isolation_level = None
        try:
            _wal(connection, patience)
        except sqlite3.OperationalError as error:
            # SQLite, which needs two more files beside it, says only that it cannot open one.
            if os.access(path, os.W_OK) and os.access(path.parent, os.W_OK):
                raise
            reason = "the file, or the folder it is in, may not be written to"
            raise StoreError("read_only", place, reason, HINTS["read_only"]) from error
        for pragma in ("synchronous = NORMAL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")
        born.append(_inode(path))

    def begun(connection: sa.Connection) -> None:
        writing = connection.get_execution_options().get(WRITING, False)
        if born[0] != _inode(path):
            raise StoreError("gone", place, "the file has been removed", HINTS["gone"])
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    sa.event.listen(made, "connect", connected)
    sa.event.listen(made, "begin", begun)
    return made


def _inode(path: Path) -> tuple[int, int]:
    """SQLite goes on writing into a file that has been removed, and nobody would ever see it."""
    try:
        found = os.stat(path)
    except OSError:
        return (0, 0)
    return found.st_dev, found.st_ino


def _wal(connection: sqlite3.Connection, patience: float) -> None:
    """Turning WAL on does not wait for others as all else does. Once on, it stays on."""
    end = time.monotonic() + patience
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > end:
                raise
            time.sleep(_PAUSE)


def _among(column: sa.Column[Any], name: str) -> sa.ColumnElement[bool]:
    """Many values come as one parameter, for there is a limit to those."""
    listed = sa.func.json_each(sa.bindparam(name)).table_valued("value")
    return column.in_(sa.select(listed.c.value))


class SqliteRows:
    """Many rows at once, in SQLite."""

    statements = Statements(_among)

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection

    def many(self, values: Collection[Any]) -> str:
        return json.dumps(list(values), ensure_ascii=False)

    def moment(self, value: datetime | None) -> str | None:
        """The driver itself knows no moments: they are kept as SQLAlchemy writes them."""
        if value is None:
            return None
        return value.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")

    def ids(self, count: int) -> Sequence[int]:
        """Numbers for new entries: never one that was in use before, also after a pruning."""
        last = self.connection.scalar(_LAST_NUMBER, {"name": entries.name}) or 0
        return range(last + 1, last + 1 + count)

    def add(self, table: sa.Table, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]) -> None:
        """Inserts rows whose keys are nobody's."""
        self._many(table, rows, columns, "")

    def insert(
        self, table: sa.Table, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]
    ) -> int:
        """Inserts rows, leaving out those whose key is taken, and tells how many went in."""
        return self._many(table, rows, columns, "ON CONFLICT DO NOTHING")

    def upsert(
        self, table: sa.Table, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]
    ) -> int:
        """Inserts rows; one whose primary key is there takes the new values."""
        keys = [column.name for column in table.primary_key]
        new = ", ".join(f"{name} = excluded.{name}" for name in columns if name not in keys)
        return self._many(
            table, rows, columns, f"ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {new}"
        )

    def _many(
        self,
        table: sa.Table,
        rows: Sequence[tuple[Any, ...]],
        columns: Sequence[str],
        conflict: str,
    ) -> int:
        """Past SQLAlchemy, which would make a dictionary of every row."""
        places = ", ".join("?" * len(columns))
        statement = f"INSERT INTO {table.name} ({', '.join(columns)}) VALUES ({places}) {conflict}"
        done = self.connection.exec_driver_sql(statement, list(rows), execution_options=COUNTED)
        return done.rowcount
