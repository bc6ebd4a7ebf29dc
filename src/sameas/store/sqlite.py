"""A store in one file: how SQLite is opened, and how it takes and finds many rows at once.

WAL lets readers read while one writes; a writer takes its turn before it reads (BEGIN IMMEDIATE).
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.pool import ConnectionPoolEntry

from sameas.errors import StoreError
from sameas.store.faults import HINTS
from sameas.store.schema import COUNTED, entries

WRITING = "sameas_writing"
"""The execution option of a connection that is going to write."""

_PAUSE = 0.05


def engine(path: Path, patience: float) -> sa.Engine:
    """`patience`: how many seconds to wait for another writer."""
    made = sa.create_engine(
        sa.URL.create("sqlite+pysqlite", database=str(path)), connect_args={"timeout": patience}
    )
    born: list[tuple[int, int]] = []

    def connected(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
        # SQLAlchemy says BEGIN itself, below: the driver's own would be deferred.
        connection.isolation_level = None
        _wal(connection, patience)
        for pragma in ("synchronous = NORMAL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")
        born.append(_inode(path))

    def begun(connection: sa.Connection) -> None:
        writing = connection.get_execution_options().get(WRITING, False)
        if born[0] != _inode(path):
            raise StoreError("gone", str(path), "the file has been removed", HINTS["gone"])
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


class SqliteRows:
    """Many rows at once, in SQLite."""

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection

    def listed(self, values: Collection[Any], kind: sa.types.TypeEngine[Any]) -> Any:
        """The values as a table with the one column `value`."""
        text = json.dumps(list(values), ensure_ascii=False)
        return sa.func.json_each(sa.literal(text)).table_valued(sa.column("value", kind))

    def ids(self, count: int) -> Sequence[int]:
        """Numbers for new entries: never one that was in use before, also after a pruning."""
        query = sa.text("SELECT seq FROM sqlite_sequence WHERE name = :name")
        last = self.connection.scalar(query, {"name": entries.name}) or 0
        return range(last + 1, last + 1 + count)

    def insert(
        self, table: sa.Table, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]
    ) -> int:
        """Inserts rows, leaving out those whose key is taken, and tells how many went in."""
        statement = insert(table).on_conflict_do_nothing()
        return self._many(statement, rows, columns)

    def upsert(
        self, table: sa.Table, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]
    ) -> int:
        """Inserts rows; one whose primary key is there takes the new values."""
        plain = insert(table)
        keys = [column.name for column in table.primary_key]
        new = {name: plain.excluded[name] for name in columns if name not in keys}
        return self._many(plain.on_conflict_do_update(index_elements=keys, set_=new), rows, columns)

    def _many(
        self, statement: sa.Insert, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]
    ) -> int:
        data = [dict(zip(columns, row, strict=True)) for row in rows]
        return self.connection.execute(statement, data, execution_options=COUNTED).rowcount
