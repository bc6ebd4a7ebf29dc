"""What tests of several rooms share: a PostgreSQL server, a Spark, and stores nobody has used.

Every test has a data folder of its own: none meets another's store, or that of whoever runs it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from sameas.store.memory import MemoryStore
from sameas.store.opening import open_store
from sameas.store.protocol import Store
from tests import postgres as servers

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

settings.register_profile("no clock", deadline=None)
settings.load_profile("no clock")

_DATA = TemporaryDirectory(prefix="sameas-tests-")
_numbers = count(1)

DATABASES = ("sqlite", "postgresql")
STORES = (*DATABASES, "memory")


@pytest.fixture(autouse=True)
def _own_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", f"{_DATA.name}/{next(_numbers)}")


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    from tests import spark as small

    with small.session(tmp_path_factory.mktemp("spark")) as session:
        yield session


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


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What could not be run, and why, by name: a row of dots hides it."""
    for report in terminalreporter.stats.get("skipped", ()):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
        if "NOT RUN" in reason:
            terminalreporter.write_line(f"{report.nodeid}: {reason.removeprefix('Skipped: ')}")
