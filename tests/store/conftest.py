"""The three stores, each as every test of the shared suite gets it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sameas.store.memory import MemoryStore
from sameas.store.opening import open_store
from sameas.store.protocol import Store

STORES = ("sqlite", "postgresql", "memory")


@pytest.fixture(params=STORES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "memory":
        made: Store = MemoryStore()
    elif request.param == "postgresql":
        made = open_store(request.getfixturevalue("postgres")())
    else:
        made = open_store(str(tmp_path / "store.db"))
    yield made
    made.close()
