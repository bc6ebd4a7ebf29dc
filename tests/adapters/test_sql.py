"""In SQL the functions give what single URLs give; NULL for what is refused or missing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import duckdb
import pyarrow as pa
import pytest

from sameas.adapters import duckdb as in_duckdb
from sameas.adapters import sqlite as in_sqlite
from tests.adapters.columns import ROWS, field, one_by_one
from tests.adapters.engines import each_engine, policy

EXPECTED = one_by_one(policy("python"), ROWS)
ANSWERS = [*zip(field(EXPECTED, "url"), field(EXPECTED, "key"), strict=True)]
ASKED = "select sameas_url(url), sameas_key(url) from links order by row"


@pytest.fixture
def duck() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        links = pa.table({"row": range(len(ROWS)), "url": pa.array(ROWS, pa.string())})
        connection.register("links", links)
        yield connection


@pytest.fixture
def lite() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.execute("create table links (row integer primary key, url)")
    connection.executemany("insert into links values (?, ?)", enumerate(ROWS))
    yield connection
    connection.close()


@each_engine
def test_duckdb_gives_what_single_urls_give(engine: str, duck: duckdb.DuckDBPyConnection) -> None:
    in_duckdb.register(duck, policy(engine))
    assert duck.execute(ASKED).fetchall() == ANSWERS


@each_engine
def test_sqlite_gives_what_single_urls_give(engine: str, lite: sqlite3.Connection) -> None:
    in_sqlite.register(lite, policy(engine))
    assert lite.execute(ASKED).fetchall() == ANSWERS


@each_engine
def test_duckdb_asks_from_many_threads_and_loses_no_row(
    engine: str, duck: duckdb.DuckDBPyConnection
) -> None:
    in_duckdb.register(duck, policy(engine))
    duck.execute("set threads = 4")
    duck.execute(
        "create table many as select 'http://h/?utm_id=' || i || '&a=' || (i % 7) as url "
        "from range(20000) t(i)"
    )
    found = duck.execute(
        "select count(*), count(sameas_key(url)), count(distinct sameas_key(url)) from many"
    ).fetchall()
    assert found == [(20000, 20000, 7)]


def test_duckdb_knows_a_constant_and_a_column_without_rows(duck: duckdb.DuckDBPyConnection) -> None:
    in_duckdb.register(duck)
    assert duck.execute("select sameas_url('http://h?utm_id=1'), sameas_key(null)").fetchall() == [
        ("http://h/", None)
    ]
    assert duck.execute("select sameas_key(url) from links where false").fetchall() == []


def test_two_policies_live_side_by_side_under_two_names(
    duck: duckdb.DuckDBPyConnection, lite: sqlite3.Connection
) -> None:
    asked = "select sameas_url('http://www.h/a/'), news_url('http://www.h/a/')"
    for connection, adapter in ((duck, in_duckdb), (lite, in_sqlite)):
        adapter.register(connection)  # type: ignore[arg-type]
        adapter.register(connection, "news", name="news")  # type: ignore[arg-type]
        assert connection.execute(asked).fetchall() == [("http://www.h/a/", "http://www.h/a")]


def test_sqlite_finds_rows_by_an_index_of_keys(lite: sqlite3.Connection) -> None:
    in_sqlite.register(lite)
    lite.execute("create index links_key on links (sameas_key(url))")
    asked = "select row from links where sameas_key(url) = sameas_key('https://www.example.com')"
    (plan,) = lite.execute(f"explain query plan {asked}").fetchall()
    assert "USING" in plan[3]
    assert "links_key" in plan[3]
    same = [
        row
        for row, url in enumerate(ROWS)
        if url in ("http://user:pass@example.com/", "HTTP://EXAMPLE.COM")
    ]
    assert [row for (row,) in lite.execute(asked)] == same


def test_whatever_stands_in_a_column_of_sqlite_costs_the_others_nothing(
    lite: sqlite3.Connection,
) -> None:
    in_sqlite.register(lite)
    lite.execute("delete from links")
    rows = [(5,), (1.5,), (b"http://h/\xe9",), ("http://h/%E9",), (b"",)]
    lite.executemany("insert into links (url) values (?)", rows)
    assert lite.execute("select sameas_url(url) from links").fetchall() == [
        (None,), (None,), ("http://h/%E9",), ("http://h/%E9",), (None,),
    ]  # fmt: skip
