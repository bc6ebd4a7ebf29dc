"""What a database's complaint means to a caller: one of the codes of StoreError, or a lost race.

It decides by the drivers' own codes, never by the words of a message.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, TimeoutError

from sameas.errors import StoreError
from sameas.store.protocol import LostRace

HINTS = {
    "locked": "another program is writing to it; try again when it has finished",
    "full": "make room there, then run this again",
    "read_only": "allow writing to it, or name another store",
    "gone": "is it there, and may it be reached? then run this again",
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
        raise _meant(error, place, secret) from error.orig


def _meant(error: DBAPIError, place: str, secret: str) -> Exception:
    original = error.orig
    if _is_lost_race(original):
        return LostRace(str(original))
    code = _code(error)
    if code is None:
        return error
    reason = (str(original).splitlines() or [type(original).__name__])[0].rstrip(".")
    if secret:
        reason = reason.replace(secret, "***")
    return StoreError(code, place, reason, HINTS[code])


def _is_lost_race(original: BaseException | None) -> bool:
    if isinstance(original, sqlite3.IntegrityError):
        return True
    return getattr(original, "sqlstate", None) in _LOST


def _code(error: DBAPIError) -> str | None:
    original = error.orig
    if isinstance(original, sqlite3.Error):
        extended = getattr(original, "sqlite_errorcode", None)
        if extended is None:
            return None
        return _MOVED.get(extended) or _SQLITE.get(extended & 0xFF)
    state = getattr(original, "sqlstate", None)
    if state is None:
        # The driver's own: no connection, or one that broke.
        return "gone" if isinstance(error, OperationalError | InterfaceError) else None
    return _POSTGRES.get(state) or _POSTGRES.get(state[:2])
