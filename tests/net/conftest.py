"""The internet of these tests, with one server behind every address."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.net.servers import Server, reply
from tests.net.world import World


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    with Server(reply(b"secret")) as server:
        yield World(server, monkeypatch)
