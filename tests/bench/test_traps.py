"""The traps: what is wrong is caught, what is right passes, and ours pass what they claim."""

from __future__ import annotations

import pytest
from bench.peers import PEERS, Calls
from bench.trap import FAIL, ON_PURPOSE, PASS, UNCLAIMED, Outcome, Trap, examine
from bench.traps import GROUPS, KEPT_APART, SEEN_AS_ONE

from tests.bench import planted

EVERY = [trap for traps in GROUPS.values() for trap in traps]
_BY_NAME = {peer.name: peer for peer in PEERS}


def _examined(name: str) -> dict[str, Outcome]:
    calls = _BY_NAME[name].connect()
    return {trap.name: examine(trap, name, calls) for trap in EVERY}


def _marked(outcomes: dict[str, Outcome], mark: str) -> set[str]:
    return {name for name, outcome in outcomes.items() if outcome.mark == mark}


def test_each_trap_has_its_own_name_and_anchor() -> None:
    assert len({trap.name for trap in EVERY}) == len(EVERY)


def test_whoever_is_named_in_a_trap_is_a_column() -> None:
    named = {name for trap in EVERY for name in (*trap.unclaimed, *trap.on_purpose)}
    assert named <= set(_BY_NAME)


@pytest.mark.parametrize("trap", EVERY, ids=lambda trap: trap.name)
def test_a_library_that_is_wrong_everywhere_is_caught(trap: Trap) -> None:
    bad = (planted.all_one, planted.never_twice, planted.falls_over)
    caught = [examine(trap, "planted", planted.calls(call)) for call in bad]
    assert FAIL in {outcome.mark for outcome in caught}
    assert all(outcome.wrong for outcome in caught if outcome.mark == FAIL)


@pytest.mark.parametrize("trap", KEPT_APART, ids=lambda trap: trap.name)
def test_a_library_that_changes_nothing_keeps_everything_apart(trap: Trap) -> None:
    assert examine(trap, "planted", planted.calls(planted.as_it_is)).mark == PASS
    assert examine(trap, "planted", planted.calls(planted.all_one)).mark == FAIL


@pytest.mark.parametrize("trap", SEEN_AS_ONE, ids=lambda trap: trap.name)
def test_a_library_that_changes_nothing_sees_nothing_as_one(trap: Trap) -> None:
    assert examine(trap, "planted", planted.calls(planted.as_it_is)).mark == FAIL


def test_the_cell_holds_the_wrong_output_itself() -> None:
    trap = next(trap for trap in EVERY if trap.name == "credentials")
    found = examine(trap, "planted", planted.calls(planted.as_it_is))
    assert found.wrong == "`http://user:s3cret@example.com/a`"


def test_an_error_is_a_refusal_only_where_it_is_the_documented_one() -> None:
    surrogates = next(trap for trap in EVERY if trap.name == "lone surrogates")
    refusing = planted.calls(planted.refuses)
    assert examine(surrogates, "planted", refusing).mark == PASS
    found = examine(surrogates, "planted", planted.calls(planted.falls_over))
    assert found.mark == FAIL
    assert "raises `KeyError`" in found.wrong


def test_an_encoder_that_fails_is_an_accident_unless_it_is_documented() -> None:
    surrogates = next(trap for trap in EVERY if trap.name == "lone surrogates")

    def encodes(url: str) -> str:
        return url.encode().decode()

    found = examine(surrogates, "planted", planted.calls(encodes))
    assert found.mark == FAIL
    assert "UnicodeEncodeError" in found.wrong
    documented = Calls(encodes, encodes, accidents=())
    assert examine(surrogates, "planted", documented).mark == PASS


def test_what_a_library_never_claimed_is_not_counted_as_wrong() -> None:
    order = next(trap for trap in EVERY if trap.name == "order of parameters")
    slash = next(trap for trap in EVERY if trap.name == "with and without a slash at the end")
    same = planted.calls(planted.as_it_is)
    assert examine(order, "yarl", same).mark == UNCLAIMED
    assert examine(order, "w3lib", same).mark == FAIL
    assert examine(slash, "sameas default", planted.calls(planted.all_one)).mark == ON_PURPOSE


def test_default_falls_into_no_trap_but_those_it_chose() -> None:
    found = _examined("sameas default")
    assert {name: o.wrong for name, o in found.items() if o.mark == FAIL} == {}
    assert _marked(found, UNCLAIMED) == {"private addresses"}
    assert _marked(found, ON_PURPOSE) == {
        "order of repeated parameters",
        "with and without a slash at the end",
        "one slash and two",
        "`http` and `https`, with and without `www.`",
    }


def test_tk_is_wrong_only_where_the_package_is() -> None:
    ours, package = _examined("sameas tk"), _examined("tk-normalizer")
    assert _marked(ours, FAIL) <= _marked(package, FAIL)
    assert _marked(ours, PASS) >= {"credentials", "private addresses", "lone surrogates"}
