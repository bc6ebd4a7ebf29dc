"""What a resolved link leaves behind: nothing that only a search for circles would find."""

from __future__ import annotations

import asyncio
import gc

import pytest

from sameas.resolve.probe import Resolver
from tests.resolve.fake import FakeClient
from tests.resolve.scenario import NOW, SCENARIOS, Scenario


def circles(scenario: Scenario, times: int) -> int:
    """Objects that nobody can reach and that hold one another."""
    client = FakeClient(scenario)
    resolver = Resolver(client, scenario.policy, scenario.facts(), scenario.allow, lambda: NOW)  # type: ignore[arg-type]

    async def run() -> int:
        gc.collect()
        gc.disable()
        try:
            for _ in range(times):
                await resolver.resolve(scenario.link)
            return gc.collect()
        finally:
            gc.enable()

    return asyncio.run(run())


@pytest.mark.parametrize(
    "name",
    ["a-page-that-is-there", "five-hops-are-followed", "spanish-by-hreflang", "no-such-host"],
)
def test_a_link_is_gone_when_its_result_is(name: str):
    (scenario,) = (one for one in SCENARIOS if one.name == name)
    circles(scenario, 1)
    assert circles(scenario, 20) == circles(scenario, 1)
