"""What tests of several rooms share: a PostgreSQL server, stores nobody has used, and a data folder
for the tests alone, so that none of them meets the store of whoever runs it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests import postgres as servers

_DATA = TemporaryDirectory(prefix="sameas-tests-")
os.environ["XDG_DATA_HOME"] = _DATA.name  # before any test module reads the environment

DATABASES = ("sqlite", "postgresql")


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with servers.server() as url:
        yield url


@pytest.fixture
def postgres(postgres_url: str) -> Iterator[servers.Named]:
    """Gives the URL of a new store in a real PostgreSQL, as often as it is called."""
    with servers.schemas(postgres_url) as named:
        yield named


@pytest.fixture(params=DATABASES)
def new_target(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Gives the name of a new store, in each kind of database."""
    if request.param == "postgresql":
        named: Callable[[], str] = request.getfixturevalue("postgres")
        return named
    numbers = count(1)
    return lambda: str(tmp_path / f"store-{next(numbers)}.db")


@pytest.fixture
def target(new_target: Callable[[], str]) -> str:
    return new_target()
