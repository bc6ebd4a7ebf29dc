"""A store for tests that ask servers: the same in both databases, or in memory where it is no
matter which."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sameas.store.memory import MemoryStore
from sameas.store.opening import open_store
from sameas.store.protocol import Store


@pytest.fixture
def kept(target: str) -> Iterator[Store]:
    """A store in a database, each in turn."""
    store = open_store(target)
    yield store
    store.close()


@pytest.fixture
def memory() -> Store:
    return MemoryStore()
