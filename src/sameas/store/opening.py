"""A store opened by its name: which database that is, and whether its tables are ones we know.

It refuses what it cannot use, with the place, the reason and what to do. Tables are made by the
migrations.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sameas.errors import MissingExtra, StoreError

if TYPE_CHECKING:
    from sameas.store.sql import SqlStore

PATIENCE = 30.0
"""Seconds to wait while another process writes."""

_MAKE = "look at its name; `sameas feeds add` or `sameas registry check` makes one"
_SCHEMES = ("postgresql://", "postgres://")


def open_store(target: str, create: bool = True, patience: float = PATIENCE) -> SqlStore:
    """The store in a file (SQLite), or in the PostgreSQL that `postgresql://…` names.

    What is empty gets its tables, and an older store of ours the newest ones, unless `create` is
    false. A database with rows from before there were stamps has to be migrated first."""
    store = connected(target, create, patience)
    try:
        _check(store, create)
    except BaseException:
        store.close()
        raise
    return store


def connected(target: str, create: bool = True, patience: float = PATIENCE) -> SqlStore:
    """The store, whatever tables it has."""
    try:
        import sqlalchemy  # noqa: F401
    except ImportError:
        raise MissingExtra("the store", "store") from None
    if target.startswith(_SCHEMES):
        return _server(target, patience)
    if "://" in target:
        scheme = target.partition("://")[0]
        hint = "give a file, or postgresql://USER@HOST/DATABASE"
        raise StoreError("target", f"{scheme}://…", "is no store", hint)
    return _file(Path(target).expanduser(), create, patience)


def _file(path: Path, create: bool, patience: float) -> SqlStore:
    from sameas.store.sql import SqlStore
    from sameas.store.sqlite import SqliteRows, engine

    if path.is_dir():
        raise StoreError("target", str(path), "is a folder", "name a file in it")
    if not path.exists():
        if not create:
            raise StoreError("gone", str(path), "there is no such store", _MAKE)
        if not path.parent.is_dir():
            raise StoreError("gone", str(path), "there is no such folder", "make it first")
    return SqlStore(engine(path, patience), SqliteRows, str(path))


def _server(target: str, patience: float) -> SqlStore:
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    from sameas.store.sql import SqlStore

    try:
        url = make_url(target)
    except (ArgumentError, ValueError):
        # What is wrong with it is not said: the word could be a part of the password.
        hint = "write postgresql://USER:PASSWORD@HOST:PORT/DATABASE, the password percent-encoded"
        raise StoreError("target", "postgresql://…", "is not spelled as a URL is", hint) from None
    try:
        import psycopg  # noqa: F401
    except ImportError:
        raise MissingExtra("a store in PostgreSQL", "postgres") from None
    from sameas.store.postgres import PostgresRows, engine

    shown = url.set(drivername="postgresql", query={}).render_as_string(hide_password=True)
    secret = url.password or str(url.query.get("password", ""))
    return SqlStore(engine(url, patience), PostgresRows, shown, secret)


def _check(store: SqlStore, create: bool) -> None:
    from sameas.store.migrate import State, found_in, upgrade

    state = found_in(store)
    if state is State.current:
        return
    if state is State.before:
        reason = "holds rows from before there were stamps"
        raise StoreError("unstamped", store.place, reason, "run `sameas store migrate` first")
    if not create and state is State.empty:
        raise StoreError("gone", store.place, "holds no store", _MAKE)
    upgrade(store)
