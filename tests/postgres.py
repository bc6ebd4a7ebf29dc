"""A real PostgreSQL for the tests: the server that SAMEAS_TEST_POSTGRES names, or one of our own.

Each test gets a schema of its own, so that no test sees what another one wrote.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from itertools import count

import psycopg
from tools.postgres import own_server

Named = Callable[[], str]
"""Gives the URL of a store that nobody has used."""


@contextmanager
def server() -> Iterator[str]:
    """The URL of the server for most tests."""
    given = os.environ.get("SAMEAS_TEST_POSTGRES")
    with nullcontext(given) if given else own_server(safe=False) as url:
        yield url


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
