"""Every situation a link can be in: told as data, played without a network and on loopback."""

from __future__ import annotations

from collections import Counter

import pytest

from sameas.resolve import chain, kinds
from sameas.resolve.looks import LOOKS
from sameas.resolve.table import QUESTIONS, STAY, TABLE, Move, row
from sameas.resolve.types import Resolution
from tests.resolve.fake import FakeClient, resolved
from tests.resolve.scenario import SCENARIOS, Scenario

each = pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)


def trace(got: Resolution) -> tuple[object, ...]:
    """States, kinds of answers and their status; and what came of it, but for names."""
    notes = {name: note for name, note in got.notes.items() if name != "title"}
    seen = ((evidence.signal, evidence.status) for evidence in got.evidence)
    return (*seen, got.status, got.flags, got.url != "", repr(notes) if got.url else "")


def wrong(scenario: Scenario) -> list[str]:
    client = FakeClient(scenario)
    return scenario.differences(resolved(scenario, client), len(client.asked))


@pytest.fixture(scope="module")
def needed() -> dict[tuple[str, str], list[Scenario]]:
    """The scenarios that come by each row of the table."""
    found: dict[tuple[str, str], list[Scenario]] = {key: [] for key in TABLE}

    def taken(state: str, kind: str) -> Move:
        move = row(state, kind)
        keys = ((state, kind), (state, "*"), ("follow", kind))
        found[next(key for key in keys if key in TABLE)].append(scenario)
        return move

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chain, "row", taken)
        for scenario in SCENARIOS:
            resolved(scenario)
    return found


@each
def test_what_must_come_out_does(scenario: Scenario) -> None:
    assert wrong(scenario) == [], "\n".join(
        f"{e.signal:22} {e.status or '':4} {e.url}  {e.said}" for e in resolved(scenario).evidence
    )


def test_there_are_many_and_no_two_are_alike() -> None:
    assert len(SCENARIOS) >= 80
    traces = Counter(trace(resolved(scenario)) for scenario in SCENARIOS)
    assert [found for found, times in traces.items() if times > 1] == []


@each
def test_each_tells_its_story(scenario: Scenario) -> None:
    assert scenario.data["story"].endswith(".")
    known = {"story", "link", "policy", "allow", "domain", "keep_slash", "web", "result"}
    assert set(scenario.data) <= known
    assert {"status", "url"} <= set(scenario.wanted)


@pytest.mark.parametrize("key", TABLE, ids=".".join)
def test_a_row_taken_out_of_the_table_is_missed(
    key: tuple[str, str],
    needed: dict[tuple[str, str], list[Scenario]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert needed[key], "no scenario comes by this row"
    monkeypatch.delitem(TABLE, key)
    for scenario in needed[key]:
        try:
            if wrong(scenario):
                return
        except LookupError:
            return
    raise AssertionError("without this row every scenario ends as it did")


def test_every_row_can_be_read() -> None:
    """What it names is there, and it says something."""
    states = {state for state, _ in TABLE}
    for (state, _), move in TABLE.items():
        assert move.said
        assert move.to in states or move.to.startswith("(")
        assert (move.ask in chain.ASKS) == (move.to in states - {*QUESTIONS} or move.to == STAY)
        assert state in (*kinds.OF, *QUESTIONS, "start")
    assert {move.ask for move in TABLE.values()} - {""} == {*chain.ASKS}
    assert {*LOOKS} == {*QUESTIONS}
