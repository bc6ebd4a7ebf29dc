"""A service that many tests ask, and a store for each that writes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.web.browser import chromium
from tests.web.filled import Filled, filling
from tests.web.running import FAST, Running, serving


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """For what changes nothing."""
    folder = tmp_path_factory.mktemp("service")
    with serving(*FAST, "--store", str(folder / "sameas.db")) as running:
        yield running


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "sameas.db")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Filled]:
    """Made once. A test that writes takes a copy."""
    with filling(tmp_path_factory.mktemp("filled")) as made:
        yield made


@pytest.fixture
def own(filled: Filled, tmp_path: Path) -> Filled:
    """A copy of the filled store, and the same registry."""
    shutil.copy(filled.store, tmp_path / "own.db")
    return replace(filled, store=tmp_path / "own.db")


@pytest.fixture(scope="session")
def pages(filled: Filled) -> Iterator[Running]:
    """The filled store served, for what changes nothing."""
    with serving(*FAST, "--store", str(filled.store)) as running:
        yield running


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A store with nothing in it, served."""
    store = str(tmp_path_factory.mktemp("empty") / "sameas.db")
    with serving(*FAST, "--store", store) as running:
        yield running
