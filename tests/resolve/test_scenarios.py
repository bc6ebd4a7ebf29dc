"""Every situation a link can be in: told as data, played without a network and on loopback."""

from __future__ import annotations

from collections import Counter

import pytest

from sameas.resolve.table import TABLE, row
from sameas.resolve.types import Resolution
from tests.resolve.fake import FakeClient, resolved
from tests.resolve.scenario import SCENARIOS, Scenario

each = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)


def trace(got: Resolution) -> tuple[object, ...]:
    """States, kinds of answers, and what came of them."""
    return (*(evidence.signal for evidence in got.evidence), got.status, got.flags)


@each
def test_what_must_come_out_does(scenario: Scenario) -> None:
    client = FakeClient(scenario)
    got = resolved(scenario, client)
    assert scenario.differences(got, len(client.asked)) == [], "\n".join(
        f"{e.signal:22} {e.status or '':4} {e.url}  {e.said}" for e in got.evidence
    )


def test_there_are_many_and_no_two_are_alike() -> None:
    assert len(SCENARIOS) >= 80
    traces = Counter(trace(resolved(scenario)) for scenario in SCENARIOS)
    assert [found for found, times in traces.items() if times > 1] == []


@each
def test_each_tells_its_story(scenario: Scenario) -> None:
    assert scenario.data["story"].endswith(".")
    known = {"story", "link", "policy", "allow", "domain", "decided", "web", "result"}
    assert set(scenario.data) <= known
    assert {"status", "url"} <= set(scenario.wanted)
