"""`kill -9` in the middle of a whole sync, in every phase from asking to the commit.

`KILLS=200` in the environment kills that often, half of it in each database.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from sameas.store.opening import open_store
from tests.feeds import syncer
from tests.feeds.phases import ASKING, PHASES, Stand, killed
from tests.feeds.test_kill import KILLS, MOST
from tests.net.servers import Server, reply
from tests.store.dump import Rows, dumped

ALL = (*ASKING, *PHASES)


@pytest.fixture
def server() -> Iterator[Server]:
    with Server(reply(status=404)) as started:
        yield started


def _rows(target: str, server: Server, stand: Stand | None = None) -> tuple[Rows, str]:
    """What a store holds after two days, the second killed once where it is told to be."""
    store, said = open_store(target), ""
    try:
        syncer.first(store, server)
        if stand is not None:
            said = killed("tests.feeds.syncer", [target], stand)
        syncer.second(store)
        return dumped(store), said
    finally:
        store.close()


def test_after_a_kill_in_any_phase_the_next_sync_makes_it_good(
    new_target: Callable[[], str], server: Server
):
    wanted, _ = _rows(new_target(), server)
    assert len(wanted["entries"]) > 20 * len(syncer.NAMES)
    chance = random.Random(KILLS)
    hit: Counter[str] = Counter()
    for number in range(max(KILLS // 2, len(ALL))):
        phase = ALL[number % len(ALL)]
        stand = Stand(phase, chance.randint(1, MOST) if number >= len(ALL) else 1)
        rows, said = _rows(new_target(), server, stand)
        hit[said] += 1
        assert rows == wanted, stand
    print(f"{sum(hit.values())} kills hit: {dict(hit)}")
    assert set(hit) >= set(ALL)
    assert sum(hit[phase] for phase in ALL) >= min(KILLS // 2, hit.total()) * 3 // 4
