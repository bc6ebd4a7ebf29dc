"""What a transaction costs does not grow with the store: none of its statements reads a table
from beginning to end."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from sameas.store.opening import open_store
from sameas.store.postgres import PostgresRows
from sameas.store.sql import SqlStore
from sameas.store.sqlite import SqliteRows
from sameas.store.statements import FEED
from sameas.store.types import KEY_TYPES, Content
from tests.postgres import Named
from tests.store.rows import NOW

STATEMENTS = (
    "holders",
    "known",
    "by_snapshot",
    "touch",
    "touch_last",
    "gone",
    "release",
    "rewrite",
    "save_feed",
)
LISTS = ("ids", "snapshots", *KEY_TYPES)


def _plan(store: SqlStore, statement: Any, empty: object, explain: str) -> str:
    """The plan as the database tells it, asked for with the parameters the statement has."""
    values = dict.fromkeys(("feed", "which", "feed_id"), 1)
    words = dict.fromkeys(("key_type", "key_value", *Content._fields), "x")
    row = {f"new_{name}": None for name in FEED}
    lists = dict.fromkeys(LISTS, empty)
    found: list[str] = []

    def told(_: Any, cursor: Any, text: str, parameters: Any, *__: Any) -> None:
        cursor.execute(f"{explain} {text}", parameters)
        found.extend(str(line) for line in cursor.fetchall())

    sa.event.listen(store.engine, "before_cursor_execute", told)
    with store.engine.connect() as connection:
        given = {**values, **words, **row, **lists, "now": NOW}
        asked = statement.compile(store.engine).params
        connection.execute(statement, {name: given[name] for name in asked if name in given})
    return "\n".join(found)


@pytest.mark.parametrize("name", STATEMENTS)
def test_no_statement_reads_a_whole_table_in_sqlite(name: str, tmp_path: Path):
    store = open_store(str(tmp_path / "store.db"))
    plan = _plan(store, getattr(SqliteRows.statements, name), "[]", "EXPLAIN QUERY PLAN")
    store.close()
    assert "SEARCH" in plan
    assert "SCAN entr" not in plan
    assert "SCAN feeds" not in plan


@pytest.mark.parametrize("name", STATEMENTS)
def test_no_statement_reads_a_whole_table_in_postgresql(name: str, postgres: Named):
    # A table that is empty would be read whole in any case.
    store = open_store(f"{postgres()}%20-cenable_seqscan%3Doff")
    plan = _plan(store, getattr(PostgresRows.statements, name), [], "EXPLAIN")
    store.close()
    assert "Index" in plan
    assert "Seq Scan" not in plan


def test_the_statements_listed_here_are_all_there_are():
    known = {
        name for name in vars(SqliteRows.statements) if name not in ("among", "stamps", "held")
    }
    assert known == set(STATEMENTS)
