"""Moves, runs and takings back in any order: no key is ever lost, and what is undone never was.

`LAWS=20` in the environment tries that many times as many stores."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from sameas import Policy
from sameas.change.find import find
from sameas.change.rekey import rekey
from sameas.change.undo import undo
from sameas.feeds.types import Item
from sameas.store.opening import open_store
from sameas.store.sql import SqlStore
from tests.change.policies import made
from tests.change.stores import contents, holders, keys
from tests.feeds.documents import DAY, NOW, item, recorded

STORES = 12 * int(os.environ.get("LAWS", "1"))
FEEDS = [f"https://{name}.example/feed" for name in "abc"]
_STEPS = 7


@pytest.fixture(scope="module")
def policies(tmp_path_factory: pytest.TempPathFactory) -> list[Policy]:
    folder = tmp_path_factory.mktemp("policies")
    bodies = {
        "more": '[query]\ndrop = { add = ["x"] }\n',
        "less": '[query]\ndrop = { remove = ["ref"] }\n[path]\ntrailing_slash = "drop"\n',
        "most": '[query]\ndrop = ["*"]\n[path]\ntrailing_slash = "drop"\n',
    }
    return [
        Policy.load("feed"),
        Policy.load("default"),
        *(made(folder, name, body) for name, body in bodies.items()),
    ]


def _items(chance: random.Random) -> list[Item]:
    return [
        item(
            chance.choice(["", "", "1", "2", "3"]),
            chance.choice(["", "/a", "/b", "/b/"]) and chance.choice(["/a", "/b", "/b/"])
            + chance.choice(["", "?x=1", "?x=2", "?ref=1", "?x=1&ref=1"]),
            chance.choice(["one", "two"]),
        )
        for _ in range(chance.randint(1, 5))
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(STORES))
def test_no_key_is_lost_and_what_is_undone_never_was(
    seed: int, policies: list[Policy], tmp_path: Path
):
    chance = random.Random(seed)
    store = open_store(str(tmp_path / "store.db"))
    _run(store, chance, policies[0], 0)
    before: list[tuple[Policy, object]] = []
    """The policy and the contents before each move; none where a run came since."""
    policy, ever = policies[0], keys(store)
    for step in range(1, _STEPS + 1):
        what = chance.choice(["run", "move", "move", "back"])
        if what == "run":
            _run(store, chance, policy, step)
            before = [(one, None) for one, _ in before]
            ever = {key for key in ever if find(store, key)}  # a run may write a snapshot anew
        elif what == "back" and before:
            policy, was = before.pop()
            undo(store, policy, NOW)
            assert was is None or contents(store) == was, (seed, step)
        else:
            to = chance.choice([one for one in policies if one is not policy])
            before.append((policy, contents(store)))
            rekey(store, to, NOW, dry=False)
            policy = to
        ever |= keys(store)
        holders(store, ever)
        _is_sound(store)
    store.close()


def _run(store: SqlStore, chance: random.Random, policy: Policy, day: int) -> None:
    for feed in chance.sample(FEEDS, chance.randint(1, 3)):
        recorded(store, *_items(chance), feed=feed, now=NOW + day * DAY, policy=policy)


def _is_sound(store: SqlStore) -> None:
    """Every entry is carried by its feed, and no two feeds' copies or keys stand alone."""
    rows = contents(store)
    entries = {row[0] for row in rows["entry_sources"]}
    assert None not in entries
    assert None not in {row[-1] for row in rows["entry_identities"]}
    assert len(rows["entries"]) <= len(rows["entry_sources"])
