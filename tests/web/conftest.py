"""A service that many tests ask, and a store for each that writes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.running import FAST, Running, serving


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """For what changes nothing."""
    folder = tmp_path_factory.mktemp("service")
    os.environ.setdefault("XDG_DATA_HOME", str(folder))
    with serving(*FAST, "--store", str(folder / "sameas.db")) as running:
        yield running


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "sameas.db")
