"""SQLite: the SQL functions `sameas_url` and `sameas_key`, on a connection that asks for them.

They are deterministic, so that an index may be made of them. Whatever is refused gives NULL.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sameas.errors import InvalidURL
from sameas.policy import Policy, loaded


def register(
    connection: sqlite3.Connection,
    policy: str | Path | Policy = "default",
    name: str = "sameas",
) -> None:
    """`sameas_url(value)` and `sameas_key(value)`; another `name` makes room for another policy."""
    chosen = loaded(policy)
    answers: dict[str, Callable[[str | bytes], str]] = {
        "url": lambda url: chosen.canonicalize(url).url,
        "key": chosen.key,
    }
    for what, answer in answers.items():
        connection.create_function(f"{name}_{what}", 1, _of(answer), deterministic=True)


def _of(answer: Callable[[str | bytes], str]) -> Callable[[Any], str | None]:
    def answered(value: Any) -> str | None:
        """A column of SQLite may hold anything: what is neither text nor bytes is no URL."""
        try:
            return answer(value) if isinstance(value, str | bytes) else None
        except InvalidURL:
            return None

    return answered
