"""A store in a server: how PostgreSQL is reached, and how it takes and finds many rows at once.

Rows come by COPY into a temporary table and from there by INSERT … ON CONFLICT; a few of them, as
arrays, which saves the way there and back.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, REGCLASS, insert
from sqlalchemy.pool import ConnectionPoolEntry

from sameas.store.schema import COUNTED, entries
from sameas.store.statements import Statements

_CONNECT_SECONDS = 10
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
        name = sa.func.pg_get_serial_sequence(entries.name, "entry_id")
        series = sa.func.generate_series(1, count).table_valued("value")
        query = sa.select(sa.func.nextval(sa.cast(name, REGCLASS)))
        return list(self.connection.scalars(query.select_from(series)))

    def add(self, table: sa.Table, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]) -> None:
        """Inserts rows whose keys are nobody's."""
        if len(rows) > _FEW:
            self._copy(table.name, rows, columns)
        else:
            given = _arrays(table, rows, columns)
            self.connection.execute(insert(table).from_select(list(columns), given))

    def insert(
        self, table: sa.Table, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]
    ) -> int:
        """Inserts rows, leaving out those whose key is taken, and tells how many went in."""
        given = self._given(table, rows, columns)
        statement = insert(table).from_select(list(columns), given).on_conflict_do_nothing()
        return self.connection.execute(statement, execution_options=COUNTED).rowcount

    def upsert(
        self, table: sa.Table, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]
    ) -> int:
        """Inserts rows; one whose primary key is there takes the new values."""
        plain = insert(table).from_select(list(columns), self._given(table, rows, columns))
        keys = [column.name for column in table.primary_key]
        new = {name: plain.excluded[name] for name in columns if name not in keys}
        statement = plain.on_conflict_do_update(index_elements=keys, set_=new)
        return self.connection.execute(statement, execution_options=COUNTED).rowcount

    def _given(
        self, table: sa.Table, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]
    ) -> sa.Select[Any]:
        """Sorted by their first columns: two writers then meet in one order, and do not wait for
        each other in a circle."""
        few = len(rows) <= _FEW
        given = (_arrays if few else self._copied)(table, rows, columns)
        return given.order_by(*given.selected_columns[:2])

    def _copied(
        self, table: sa.Table, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]
    ) -> sa.Select[Any]:
        name = f"copied_{table.name}"
        self.connection.exec_driver_sql(
            f"CREATE TEMPORARY TABLE IF NOT EXISTS {name} ON COMMIT DELETE ROWS "
            f"AS SELECT * FROM {table.name} WITH NO DATA"
        )
        if name in self.filled:
            self.connection.exec_driver_sql(f"TRUNCATE {name}")
        self.filled.add(name)
        self._copy(name, rows, columns)
        return sa.select(*sa.table(name, *map(sa.column, columns)).c)

    def _copy(self, name: str, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]) -> None:
        driver = cast(Any, self.connection.connection.driver_connection)
        with (
            driver.cursor() as cursor,
            cursor.copy(f"COPY {name} ({', '.join(columns)}) FROM STDIN") as copy,
        ):
            for row in rows:
                copy.write_row(row)


def _arrays(
    table: sa.Table, rows: Sequence[tuple[Any, ...]], columns: Sequence[str]
) -> sa.Select[Any]:
    types = [table.c[name].type for name in columns]
    arrays = [
        sa.literal(list(values), ARRAY(kind))
        for values, kind in zip(zip(*rows, strict=True), types, strict=True)
    ]
    named = [sa.column(name, kind) for name, kind in zip(columns, types, strict=True)]
    return sa.select(*sa.func.unnest(*arrays).table_valued(*named).render_derived().c)
