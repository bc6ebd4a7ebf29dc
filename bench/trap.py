"""A trap, and the mark a library gets for it: right, wrong, on purpose, or never claimed.

Which traps there are is in traps.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.peers import Calls, Peer
from bench.probes import Library, Probe, ask


@dataclass(frozen=True)
class Trap:
    """`unclaimed`: libraries whose documentation never says that they do this; `on_purpose`: those
    whose documentation says that they do the opposite."""

    name: str
    right: str
    probe: Probe
    unclaimed: tuple[str, ...] = ()
    on_purpose: tuple[str, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """One cell of the matrix. `wrong` is the output that is, and empty where all is right."""

    trap: str
    library: str
    mark: str
    wrong: str


PASS, FAIL, UNCLAIMED, ON_PURPOSE = "✓", "✗", "—", "†"


def examine(trap: Trap, name: str, calls: Calls) -> Outcome:
    wrong = ask(trap.probe, Library(calls))
    if not wrong:
        mark = PASS
    elif name in trap.on_purpose:
        mark = ON_PURPOSE
    else:
        mark = UNCLAIMED if name in trap.unclaimed else FAIL
    return Outcome(trap.name, name, mark, wrong)


def examine_all(peer: Peer, groups: Mapping[str, Sequence[Trap]]) -> dict[str, Outcome]:
    calls = peer.connect()
    every = [trap for traps in groups.values() for trap in traps]
    return {trap.name: examine(trap, peer.name, calls) for trap in every}
