"""All scenarios once more over real connections: names, TLS, several hosts and addresses."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.resolve.scenario import SCENARIOS, Scenario
from tests.resolve.test_scenarios import each
from tests.resolve.web import resolved_there, served, trusted

_HANGING = 0.3
"""Seconds to wait for a host that hangs; the others get as long as they need."""


@each
def test_over_connections_the_same_comes_out(
    scenario: Scenario, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with served(scenario, monkeypatch) as (settings, servers), trusted(tmp_path) as cafile:
        hangs = '"hangs"' in (repr(scenario.data).replace("'", '"'))
        seconds = _HANGING if hangs else settings.seconds
        got = resolved_there(scenario, replace(settings, cafile=cafile, seconds=seconds))
        asked = sum(len(server.asked) for server in servers)
    unheard = {"asked"} if asked != scenario.wanted.get("asked") else set()
    wrong = [d for d in scenario.differences(got, asked) if d.partition(":")[0] not in unheard]
    assert wrong == [], got.evidence


def test_the_web_has_names_tls_and_several_addresses() -> None:
    hosts = {origin for scenario in SCENARIOS for origin in scenario.hosts}
    assert len({host.partition("://")[2] for host in hosts}) >= 10
    assert {host.partition("://")[0] for host in hosts} == {"http", "https"}
