"""DuckDB: the SQL functions `sameas_url` and `sameas_key`, on a connection that asks for them.

A row that is null or refused gives NULL. What a row becomes is the business of arrow.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sameas.adapters import arrow
from sameas.errors import MissingExtra
from sameas.policy import Policy, loaded

try:
    import duckdb
    from duckdb.func import ARROW, SPECIAL
    from duckdb.sqltypes import VARCHAR
except ImportError:
    raise MissingExtra("SQL functions in DuckDB", "duckdb") from None


def register(
    connection: duckdb.DuckDBPyConnection,
    policy: str | Path | Policy = "default",
    name: str = "sameas",
) -> None:
    """`sameas_url(text)` and `sameas_key(text)`; another `name` makes room for another policy.

    DuckDB asks with a few rows at a time, on threads of its own.
    """
    chosen = loaded(policy)

    def url(urls: Any) -> Any:
        return arrow.url(urls, chosen, threads=1)

    def key(urls: Any) -> Any:
        return arrow.key(urls, chosen, threads=1)

    for answer in (url, key):
        connection.create_function(
            f"{name}_{answer.__name__}",
            answer,
            [VARCHAR],
            VARCHAR,
            type=ARROW,
            null_handling=SPECIAL,
        )
