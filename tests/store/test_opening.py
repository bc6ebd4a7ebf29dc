"""A store opened by its name: made where there is none, refused where it cannot be used."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

from sameas.errors import MissingExtra, StoreError
from sameas.store.migrate import VERSIONS, State, found_in
from sameas.store.opening import connected, open_store
from sameas.store.schema import REVISION, metadata
from tests.store.rows import FEED, added, brought, names

SECRET = "s3cret/&@"
QUOTED = "s3cret%2F%26%40"


def test_an_empty_database_gets_its_tables_once(target: str):
    store = open_store(target)
    (feed,) = added(store, FEED)
    brought(store, feed, "1")
    store.close()
    again = open_store(target, create=False)
    assert names(again) == ["1"]
    assert again.info().version == REVISION
    again.close()


def test_the_migrations_make_the_tables_of_the_schema(target: str):
    store = open_store(target)
    with store.engine.connect() as connection:
        context = MigrationContext.configure(
            connection,
            opts={
                "version_table": VERSIONS,
                "include_object": lambda _, name, kind, *__: (kind, name) != ("table", VERSIONS),
            },
        )
        assert compare_metadata(context, metadata) == []
    store.close()


def test_the_newest_migration_is_the_one_the_program_knows():
    config = Config()
    config.set_main_option("script_location", "sameas.store:migrations")
    assert ScriptDirectory.from_config(config).get_heads() == [REVISION]


def test_many_who_open_an_empty_store_at_once_make_it_once(new_target: Callable[[], str]):
    target = new_target()
    with ThreadPoolExecutor(8) as pool:
        stores = list(pool.map(lambda _: open_store(target), range(8)))
    assert all(found_in(store) is State.current for store in stores)
    for store in stores:
        store.close()


def test_an_older_store_of_ours_is_brought_up(target: str):
    store = open_store(target)
    with store.writing() as writing:
        for table in reversed(metadata.sorted_tables):
            table.drop(writing.connection)
        writing.connection.exec_driver_sql(f"DELETE FROM {VERSIONS}")
    assert found_in(store) is State.older
    store.close()
    store = open_store(target)
    assert store.feeds() == []
    store.close()


def test_a_store_of_a_newer_program_is_refused(target: str):
    store = open_store(target)
    with store.writing() as writing:
        writing.connection.exec_driver_sql(f"UPDATE {VERSIONS} SET version_num = '99'")
    store.close()
    with pytest.raises(StoreError) as caught:
        open_store(target)
    assert caught.value.code == "newer"
    assert caught.value.unavailable is False
    assert str(caught.value) == (
        f"{store.place}: is of version 99, and this program knows {REVISION} "
        "(upgrade sameas, or name another store)"
    )


def test_nothing_is_made_where_a_store_has_to_be_there(tmp_path: Path, new_target: Callable):
    for target in (str(tmp_path / "none.db"), new_target()):
        with pytest.raises(StoreError) as caught:
            open_store(target, create=False)
        assert caught.value.code == "gone"
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize(
    ("target", "code", "told"),
    [
        ("mysql://u:s3cret@h/d", "target", "mysql://…: is no store (give a file, or postgresql://"),
        ("sqlite:///x.db", "target", "sqlite://…: is no store"),
        ("/nowhere/at/all.db", "gone", "/nowhere/at/all.db: there is no such folder"),
        ("/", "target", "/: is a folder"),
        ("postgresql://u:s3cret/@h:x/d", "target", "postgresql://…: is not spelled as a URL is"),
    ],
)
def test_what_is_no_store_is_refused(target: str, code: str, told: str):
    with pytest.raises(StoreError) as caught:
        open_store(target)
    assert caught.value.code == code
    assert str(caught.value).startswith(told)
    assert "s3cret" not in str(caught.value)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path):
    file = tmp_path / "notes.txt"
    file.write_text("these are notes" * 100)
    with pytest.raises(StoreError) as caught:
        open_store(str(file))
    assert caught.value.code == "damaged"
    assert file.read_text() == "these are notes" * 100


@pytest.mark.parametrize(
    "target",
    [
        f"postgresql://u:{QUOTED}@127.0.0.1:1/d",
        f"postgres://u:{QUOTED}@127.0.0.1:1/d",
        f"postgresql://u@127.0.0.1:1/d?password={QUOTED}",
        f"postgresql://u:{QUOTED}@127.0.0.1:1/d?sslmode={QUOTED}",
        f"postgresql://u:{QUOTED}@127.0.0.1:1/d?{QUOTED}=1",
    ],
)
def test_a_password_is_in_no_message(target: str):
    with pytest.raises(StoreError) as caught:
        open_store(target)
    assert caught.value.code in ("gone", "target")
    for text in (str(caught.value), repr(caught.value)):
        assert SECRET not in text
        assert QUOTED not in text
        assert "127.0.0.1:1/d" in text


@pytest.mark.parametrize(
    ("missing", "target", "extra"),
    [("sqlalchemy", "x.db", "store"), ("psycopg", "postgresql://h/d", "postgres")],
)
def test_a_missing_extra_is_named(
    missing: str, target: str, extra: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingExtra, match=rf"pip install 'sameas\[{extra}\]'"):
        connected(target)


def test_opening_a_store_that_is_there_loads_no_migrations(tmp_path: Path):
    target = str(tmp_path / "store.db")
    open_store(target).close()
    program = (
        "import sys; from sameas.store.opening import open_store; "
        f"open_store({target!r}).close(); print('alembic' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


def test_foreign_keys_hold_in_both_databases(target: str):
    store = open_store(target)
    with store.engine.connect() as connection, pytest.raises(sa.exc.IntegrityError):
        connection.exec_driver_sql(
            "INSERT INTO entry_identities (key_type, key_value, entry_id) VALUES ('guid', 'x', 7)"
        )
    store.close()


def test_a_file_is_written_ahead_of(tmp_path: Path):
    store = open_store(str(tmp_path / "store.db"))
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
    store.close()
