"""What a database's complaint means to a caller: one of the codes of StoreError, or a lost race.

It decides by the drivers' own codes, never by the words of a message.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, TimeoutError

from sameas.errors import StoreError
from sameas.store.protocol import LostRace

HINTS = {
    "locked": "another program is writing to it; try again when it has finished",
    "full": "make room there, then run this again",
    "read_only": "allow writing to it, or name another store",
    "gone": "is it there, and may it be reached? then run this again",
    "target": "write postgresql://USER:PASSWORD@HOST:PORT/DATABASE, the password percent-encoded",
    "damaged": "name another store, or restore this one from a copy",
}

_SQLITE = {
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read_only",
    sqlite3.SQLITE_PERM: "read_only",
    sqlite3.SQLITE_CANTOPEN: "gone",
    sqlite3.SQLITE_IOERR: "gone",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
}
"""By the primary result code: the lower byte of an extended one."""

_MOVED = {sqlite3.SQLITE_READONLY_DBMOVED: "gone", sqlite3.SQLITE_READONLY_DIRECTORY: "read_only"}

_POSTGRES = {
    "08": "gone",
    "28": "gone",
    "3D": "gone",
    "53100": "full",
    "53": "gone",
    "55P03": "locked",
    "25006": "read_only",
    "42501": "read_only",
    "57": "gone",
    "58": "gone",
    "XX": "damaged",
}
"""By SQLSTATE, or its class."""

_OF_THE_DRIVER = {
    "OperationalError": "gone",
    "InterfaceError": "gone",
    "ProgrammingError": "target",
}
"""What psycopg says before any server could: no connection, a broken one, an unknown option."""

_LOST = {"40001", "40P01", "23505", "23503"}
"""Serialization failure, deadlock, a key or a row that somebody else was quicker with."""


@contextmanager
def told(place: str, secret: str = "") -> Iterator[None]:
    """Errors of the database, raised as ours. `secret` is in no message."""
    try:
        yield
    except TimeoutError as error:
        reason = "all its connections are in use"
        raise StoreError("locked", place, reason, HINTS["locked"]) from error
    except DBAPIError as error:
        raise _meant(error.orig or error, place, secret) from error.orig
    except Exception as error:
        # What is asked of a driver itself, as COPY is, comes without SQLAlchemy's wrapping.
        if _code(error) is None and not _is_lost_race(error):
            raise
        raise _meant(error, place, secret) from error


def _meant(error: BaseException, place: str, secret: str) -> BaseException:
    if _is_lost_race(error):
        return LostRace(str(error))
    code = _code(error)
    if code is None:
        return error
    reason = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
    if secret:
        reason = reason.replace(secret, "***")
    return StoreError(code, place, reason, HINTS[code])


def _is_lost_race(error: BaseException) -> bool:
    return isinstance(error, sqlite3.IntegrityError) or getattr(error, "sqlstate", None) in _LOST


def _code(error: BaseException) -> str | None:
    if isinstance(error, sqlite3.Error):
        extended = getattr(error, "sqlite_errorcode", None)
        if extended is None:
            return None
        return _MOVED.get(extended) or _SQLITE.get(extended & 0xFF)
    if not type(error).__module__.startswith("psycopg"):
        return None
    state = getattr(error, "sqlstate", None)
    if state is None:
        return _OF_THE_DRIVER.get(type(error).__name__)
    return _POSTGRES.get(state) or _POSTGRES.get(state[:2])
