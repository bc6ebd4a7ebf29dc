"""A store in a server: how PostgreSQL is reached, and how it takes and finds many rows at once.

Rows come by COPY into a temporary table and from there by INSERT … ON CONFLICT; a few of them, as
arrays, which saves the way there and back.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from functools import cache
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, REGCLASS, Insert, insert
from sqlalchemy.pool import ConnectionPoolEntry

from sameas.store.schema import COUNTED, entries
from sameas.store.statements import Statements

Rows = Sequence[tuple[Any, ...]]
Columns = Sequence[str]

_CONNECT_SECONDS = 10
_NUMBERS = sa.select(
    sa.func.nextval(sa.cast(sa.func.pg_get_serial_sequence(entries.name, "entry_id"), REGCLASS))
).select_from(
    sa.func.generate_series(1, sa.bindparam("count", type_=sa.Integer)).table_valued("value")
)
_FEW = 300
"""Rows that come as arrays."""


def engine(url: sa.URL, patience: float) -> sa.Engine:
    """`patience`: how many seconds to wait for a row that another writer holds."""
    made = sa.create_engine(
        url.set(drivername="postgresql+psycopg"),
        connect_args={"connect_timeout": _CONNECT_SECONDS, "application_name": "sameas"},
    )

    def connected(connection: Any, _: ConnectionPoolEntry) -> None:
        connection.execute(f"SET lock_timeout = {int(patience * 1000)}")
        connection.commit()

    sa.event.listen(made, "connect", connected)
    return made


def _among(column: sa.Column[Any], name: str) -> sa.ColumnElement[bool]:
    return column == sa.any_(sa.bindparam(name, type_=ARRAY(column.type)))


class PostgresRows:
    """Many rows at once, in PostgreSQL."""

    statements = Statements(_among)

    def __init__(self, connection: sa.Connection) -> None:
        self.connection = connection
        self.filled: set[str] = set()
        """The temporary tables that hold rows of this transaction already."""

    def many(self, values: Collection[Any]) -> list[Any]:
        return list(values)

    def moment(self, value: datetime | None) -> datetime | None:
        return value

    def ids(self, count: int) -> Sequence[int]:
        """Numbers for new entries, never given to anybody else."""
        return list(self.connection.scalars(_NUMBERS, {"count": count}))

    def add(self, table: sa.Table, rows: Rows, columns: Columns) -> None:
        """Inserts rows whose keys are nobody's."""
        if len(rows) > _FEW:
            self._copy(table.name, rows, columns)
        else:
            self._insert(table, rows, columns, "raise")

    def insert(self, table: sa.Table, rows: Rows, columns: Columns) -> int:
        """Inserts rows, leaving out those whose key is taken, and tells how many went in."""
        return self._insert(table, rows, columns, "nothing")

    def upsert(self, table: sa.Table, rows: Rows, columns: Columns) -> int:
        """Inserts rows; one whose primary key is there takes the new values."""
        return self._insert(table, rows, columns, "update")

    def _insert(self, table: sa.Table, rows: Rows, columns: Columns, conflict: str) -> int:
        few = len(rows) <= _FEW
        values: dict[str, Any] = {}
        if few:
            values = dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True))
        else:
            self._copy_aside(table, rows, columns)
        statement = _statement(table, tuple(columns), conflict, few)
        return self.connection.execute(statement, values, execution_options=COUNTED).rowcount

    def _copy_aside(self, table: sa.Table, rows: Rows, columns: Columns) -> None:
        name = _aside(table)
        self.connection.exec_driver_sql(
            f"CREATE TEMPORARY TABLE IF NOT EXISTS {name} ON COMMIT DELETE ROWS "
            f"AS SELECT * FROM {table.name} WITH NO DATA"
        )
        if name in self.filled:
            self.connection.exec_driver_sql(f"TRUNCATE {name}")
        self.filled.add(name)
        self._copy(name, rows, columns)

    def _copy(self, name: str, rows: Rows, columns: Columns) -> None:
        driver = cast(Any, self.connection.connection.driver_connection)
        with (
            driver.cursor() as cursor,
            cursor.copy(f"COPY {name} ({', '.join(columns)}) FROM STDIN") as copy,
        ):
            for row in rows:
                copy.write_row(row)


def _aside(table: sa.Table) -> str:
    return f"copied_{table.name}"


@cache
def _statement(table: sa.Table, columns: tuple[str, ...], conflict: str, few: bool) -> Insert:
    """INSERT of what came as arrays, or lies aside. Sorted by the first columns: two writers then
    meet in one order, and do not wait for each other in a circle."""
    if few:
        types = [table.c[name].type for name in columns]
        pairs = list(zip(columns, types, strict=True))
        arrays = [sa.bindparam(name, type_=ARRAY(kind)) for name, kind in pairs]
        named = [sa.column(name, kind) for name, kind in pairs]
        given = sa.select(*sa.func.unnest(*arrays).table_valued(*named).render_derived().c)
    else:
        given = sa.select(*sa.table(_aside(table), *map(sa.column, columns)).c)
    given = given.order_by(*given.selected_columns[:2])
    statement = insert(table).from_select(list(columns), given)
    if conflict == "nothing":
        return statement.on_conflict_do_nothing()
    if conflict == "update":
        keys = [column.name for column in table.primary_key]
        new = {name: statement.excluded[name] for name in columns if name not in keys}
        return statement.on_conflict_do_update(index_elements=keys, set_=new)
    return statement
