"""`kill -9` in the middle of a sync: after the next one, the rows are those of a run never killed.

`KILLS=200` in the environment kills that often in each database.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable

from sameas.store.opening import open_store
from tests.feeds import recorder
from tests.feeds.documents import SITE
from tests.feeds.phases import PHASES, Stand, killed
from tests.store.dump import Rows, dumped

KILLS = int(os.environ.get("KILLS", "20"))
MOST = 8
"""A phase is come by at least twice, and in most runs more often."""


def _undisturbed(target: str) -> Rows:
    store = open_store(target)
    recorder.first(store)
    recorder.second(store)
    rows = dumped(store)
    store.close()
    return rows


def test_a_sync_that_is_killed_is_made_good_by_the_next(new_target: Callable[[], str]):
    wanted = _undisturbed(new_target())
    chance = random.Random(KILLS)
    hit: Counter[str] = Counter()
    for number in range(KILLS):
        target = new_target()
        store = open_store(target)
        recorder.first(store)
        phase = list(PHASES)[number % len(PHASES)]
        stand = Stand(phase, chance.randint(1, MOST) if number >= len(PHASES) else 1)
        said = killed("tests.feeds.recorder", [target], stand)
        hit[said] += 1
        recorder.second(store)
        assert dumped(store) == wanted, stand
        store.close()
    print(f"{KILLS} kills hit: {dict(hit)}")
    assert set(hit) >= set(PHASES)
    assert sum(hit[phase] for phase in PHASES) > KILLS // 2


def test_what_was_committed_before_a_kill_is_there(new_target: Callable[[], str]):
    target = new_target()
    store = open_store(target)
    recorder.first(store)
    assert killed("tests.feeds.recorder", [target], Stand("commit", 2)) == "commit"
    first, *others = store.feeds()
    assert first.etag == "2"
    assert {feed.etag for feed in others} == {"1"}
    links = {entry.canonical_url for entry in store.entries(feed_id=first.feed_id)}
    assert f"{SITE}/24" in links
    store.close()
