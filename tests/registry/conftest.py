"""Stores as tests of the registry get them: one in memory, one in a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sameas.store.link_protocol import LinkStore
from sameas.store.memory import MemoryStore
from sameas.store.opening import open_store


@pytest.fixture(params=["sqlite", "memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[LinkStore]:
    made = MemoryStore() if request.param == "memory" else open_store(str(tmp_path / "store.db"))
    yield made
    made.close()
