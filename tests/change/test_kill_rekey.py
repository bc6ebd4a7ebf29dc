"""`kill -9` in the middle of a move, or of taking it back: the store is wholly as before or wholly
moved, and every key that ever was leads to its entry.

`KILLS=200` in the environment kills that often in each database."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from sameas.change.rekey import rekey
from sameas.change.undo import undo
from sameas.store.opening import open_store
from tests.change.mover import MOVING, TAKING_BACK
from tests.change.policies import made
from tests.change.stores import BODY, contents, filled, holders, keys
from tests.feeds.documents import NOW
from tests.feeds.phases import Stand, killed

KILLS = int(os.environ.get("KILLS", "12"))
MOST = 4


def test_a_store_is_wholly_as_before_or_wholly_moved(new_target: Callable[[], str], tmp_path: Path):
    policy = made(tmp_path, "wider", BODY)
    chance = random.Random(KILLS)
    target = new_target()
    store = open_store(target)
    filled(store)
    old, ever = contents(store), keys(store)
    at_first = holders(store, ever)
    rekey(store, policy, NOW, dry=False)
    new, after = contents(store), holders(store, ever)
    undo(store, None, NOW)
    store.close()
    hit: Counter[str] = Counter()
    is_moved = False
    turns = [("rekey", phase) for phase in MOVING] + [("undo", phase) for phase in TAKING_BACK]
    for number in range(max(KILLS, len(turns))):
        what, phase = turns[number % len(turns)]
        store = open_store(target)
        if is_moved and what == "rekey":
            undo(store, None, NOW)
        elif not is_moved and what == "undo":
            rekey(store, policy, NOW, dry=False)
        ever |= keys(store)
        store.close()
        stand = Stand(phase, chance.randint(1, MOST) if number >= len(turns) else 1)
        said = killed("tests.change.mover", [what, target, str(tmp_path / "wider.toml")], stand)
        hit[f"{what} {said}"] += 1
        store = open_store(target)
        found = contents(store)
        assert found in (old, new), stand
        is_moved = found == new
        wanted = after if is_moved else at_first
        assert {key: n for key, n in holders(store, ever).items() if key in wanted} == wanted
        if said and (phase, stand.time) != ("commit", 2):
            assert is_moved == (what == "undo"), stand
        store.close()
    print(f"{sum(hit.values())} kills hit: {dict(hit)}")
    assert {f"{what} {phase}" for what, phase in turns} <= set(hit)
