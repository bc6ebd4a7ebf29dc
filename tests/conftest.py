"""What tests of several rooms share: a PostgreSQL server, stores nobody has used, and a data folder
for the tests alone, so that none of them meets the store of whoever runs it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sameas.store.memory import MemoryStore
from sameas.store.opening import open_store
from sameas.store.protocol import Store
from tests import postgres as servers

_DATA = TemporaryDirectory(prefix="sameas-tests-")
os.environ["XDG_DATA_HOME"] = _DATA.name  # before any test module reads the environment

DATABASES = ("sqlite", "postgresql")
STORES = (*DATABASES, "memory")


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


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A new store of each kind in turn, as every test of the shared suite gets it."""
    if request.param == "memory":
        made: Store = MemoryStore()
    elif request.param == "postgresql":
        made = open_store(request.getfixturevalue("postgres")())
    else:
        made = open_store(str(tmp_path / "store.db"))
    yield made
    made.close()
