"""A store moved to another policy and back: what merges, what parts, what is found, what is kept.

Every test runs on both databases."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

from sameas import Policy
from sameas.change.find import find
from sameas.change.rekey import rekey
from sameas.change.undo import undo
from sameas.errors import PolicyError, SettingError, StoreError
from sameas.feeds.record import prune
from sameas.store.opening import open_store
from sameas.store.schema import entry_sources, feeds, former_keys, rekeyed
from sameas.store.sql import SqlStore
from sameas.store.types import Changes, Content, NewEntry
from tests.change.policies import made
from tests.change.stores import BACK, BODY, by_title, contents, filled, holders, keys, linked
from tests.feeds import documents
from tests.feeds.documents import DAY, FEED, NOW, OTHER_FEED, POLICY, item, recorded

LATER = NOW + 5 * DAY


@pytest.fixture
def kept(target: str) -> Iterator[SqlStore]:
    store = open_store(target)
    filled(store)
    yield store
    store.close()


@pytest.fixture
def to(tmp_path: Path) -> Policy:
    return made(tmp_path, "wider", BODY)


def test_a_dry_run_tells_what_would_happen_and_changes_nothing(kept: SqlStore, to: Policy):
    before = contents(kept)
    dry = rekey(kept, to, NOW, dry=True)
    assert contents(kept) == before
    assert keys(kept) == keys(kept)
    assert dry == rekey(kept, to, NOW, dry=False)
    assert (dry.policy, dry.to) == ("feed@1", "wider@1")
    assert (dry.merged, dry.apart, dry.split) == (6, 6, 3)
    assert ("https://a.example/m0", "https://a.example/m0?from=a") in dry.merge_samples
    assert ("https://a.example/s0?ref=1", "https://a.example/s0") in dry.split_samples


def test_entries_whose_links_meet_become_the_earliest_and_nothing_is_lost(
    kept: SqlStore, to: Policy
):
    before = by_title(kept)
    rekey(kept, to, NOW, dry=False)
    after = by_title(kept)
    assert before.keys() - after.keys() == {
        title for n in range(3) for title in (f"meets {n} there", f"meets {n} third")
    }
    one = after["meets 0"]
    assert one.first_seen_at == before["meets 0"].first_seen_at
    assert one.last_seen_at == before["meets 0 third"].last_seen_at
    assert one.canonical_url == "https://a.example/m0"
    with kept.reading() as connection:
        query = sa.select(feeds.c.feed_url).join(entry_sources).where(
            entry_sources.c.entry_id == one.entry_id
        )  # fmt: skip
        carried = set(connection.scalars(query))
    assert carried == {FEED, OTHER_FEED, "https://c.example/feed"}
    assert documents.holders(kept, linked("/m0")) == {linked("/m0"): one.entry_id}


def test_entries_that_one_feed_tells_apart_stay_apart(kept: SqlStore, to: Policy):
    rekey(kept, to, NOW, dry=False)
    after = by_title(kept)
    one, other = after["podcast 0"], after["podcast 0 again"]
    assert one.entry_id != other.entry_id
    assert documents.holders(kept, linked("/p0")) == {linked("/p0"): one.entry_id}


def test_every_key_that_ever_was_leads_to_its_entry(kept: SqlStore, to: Policy, tmp_path: Path):
    ever = keys(kept)
    at_first = holders(kept, ever)
    rekey(kept, to, NOW, dry=False)
    merged = holders(kept, ever)
    for key, number in at_first.items():
        into = find(kept, str(number))
        assert into is not None
        assert merged[key] == into.entry_id
    ever |= keys(kept)
    undo(kept, None, NOW)
    assert {
        key: number for key, number in holders(kept, ever).items() if key in at_first
    } == at_first
    ever |= keys(kept)
    rekey(kept, to, NOW, dry=False)
    rekey(kept, made(tmp_path, "back", BACK), NOW, dry=False)
    holders(kept, ever | keys(kept))
    undo(kept, to, NOW)
    undo(kept, None, NOW)
    assert {key: n for key, n in holders(kept, ever).items() if key in at_first} == at_first


def test_what_is_found_says_under_which_policy_it_was_known(kept: SqlStore, to: Policy):
    rekey(kept, to, NOW, dry=False)
    now, was = find(kept, "https://a.example/m0"), find(kept, "https://a.example/m0?from=a")
    assert now is not None
    assert was is not None
    assert (now.policy, now.key_type) == ("", "canonical_url")
    assert (was.policy, was.key_type) == ("feed@1", "canonical_url")
    assert now.entry_id == was.entry_id
    assert find(kept, "https://a.example/never") is None


def test_taken_back_it_is_as_it_was(kept: SqlStore, to: Policy):
    before = contents(kept)
    for _ in range(2):
        rekey(kept, to, NOW, dry=False)
        assert contents(kept) != before
        undo(kept, None, NOW)
        assert contents(kept) == before
    with kept.reading() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(rekeyed)) == 0


def test_moves_are_taken_back_one_after_the_other(kept: SqlStore, to: Policy, tmp_path: Path):
    first = contents(kept)
    rekey(kept, to, NOW, dry=False)
    second = contents(kept)
    other = made(tmp_path, "back", BACK)
    rekey(kept, other, NOW, dry=False)
    with pytest.raises(PolicyError, match="give that policy as it was then, with --to"):
        undo(kept, None, NOW)
    undo(kept, to, NOW)
    assert contents(kept) == second
    assert undo(kept, None, NOW).policy == "feed@1"
    assert contents(kept) == first
    with pytest.raises(SettingError, match="there is no move to take back"):
        undo(kept, None, NOW)


def test_the_next_run_finds_every_entry_again_and_calls_none_new_or_updated(
    kept: SqlStore, to: Policy
):
    rekey(kept, to, NOW, dry=False)
    items = [
        item("m0", "/m0?from=a", "meets 0"),
        item("", "/s0?ref=1", "parts 0"),
        item("p0", "/p0?from=1", "podcast 0"),
        item("q0", "/p0?from=2", "podcast 0 again"),
    ]
    counts = recorded(kept, *items, now=LATER, policy=to)
    assert (counts.new, counts.updated, counts.duplicates) == (0, 0, 4)
    theirs = [item("o0", "/m0", "meets 0 there"), item("", "/u0?from=x", "url alone 0")]
    counts = recorded(kept, *theirs, feed=OTHER_FEED, now=LATER, policy=to)
    assert (counts.new, counts.updated, counts.duplicates) == (0, 0, 2)
    with pytest.raises(StoreError, match="not under feed@1"):
        recorded(kept, *items, now=LATER)


def test_what_came_and_changed_since_stays_when_a_move_is_taken_back(kept: SqlStore, to: Policy):
    before = by_title(kept)
    rekey(kept, to, NOW, dry=False)
    recorded(
        kept,
        item("m0", "/m0?from=a", "meets 0, in other words"),
        item("new", "/new?from=z&ref=1", "new"),
        now=LATER,
        policy=to,
    )
    undo(kept, None, LATER)
    after = by_title(kept)
    assert after["new"].canonical_url == "https://a.example/new?from=z"
    assert linked("/new?from=z") in documents.holders(kept, linked("/new?from=z"))
    changed = after["meets 0, in other words"]
    assert changed.entry_id == before["meets 0"].entry_id
    assert changed.canonical_url == "https://a.example/m0?from=a"
    assert changed.last_seen_at == LATER
    assert after["meets 0 there"].entry_id == before["meets 0 there"].entry_id
    again = [
        item("m0", "/m0?from=a", "meets 0, in other words"),
        item("new", "/new?from=z&ref=1", "new"),
    ]
    counts = recorded(kept, *again, now=LATER + DAY)
    assert (counts.new, counts.updated, counts.duplicates) == (0, 0, 2)


def test_what_has_expired_since_does_not_come_back(kept: SqlStore, to: Policy):
    rekey(kept, to, NOW, dry=False)
    for row in kept.feeds():
        with kept.writing() as writing:
            writing.save_feed(replace(row, status="gone"))
    kept.remove_feed(kept.feeds([OTHER_FEED])[0].feed_id)
    assert prune(kept, LATER) > 0
    undo(kept, None, LATER)
    assert list(kept.entries()) == []
    with kept.reading() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(former_keys)) == 0


def test_a_feed_that_is_removed_since_takes_its_copies_with_it(kept: SqlStore, to: Policy):
    rekey(kept, to, NOW, dry=False)
    kept.remove_feed(kept.feeds([OTHER_FEED])[0].feed_id)
    undo(kept, None, LATER)
    after = by_title(kept)
    assert after["meets 0"].canonical_url == "https://a.example/m0?from=a"
    assert after["meets 0 there"].feed_url == ""
    holders(kept, keys(kept))


def test_moving_to_the_policy_it_has_does_nothing(kept: SqlStore):
    before = contents(kept)
    assert rekey(kept, POLICY, NOW, dry=False).rewritten == 0
    assert contents(kept) == before
    with pytest.raises(SettingError):
        undo(kept, None, NOW)


def test_a_policy_that_cannot_be_applied_is_refused_and_nothing_changed(
    kept: SqlStore, tmp_path: Path
):
    before = contents(kept)
    with pytest.raises(PolicyError, match="tk@1 makes no URLs"):
        rekey(kept, Policy.load("tk"), NOW, dry=False)
    long = f"https://a.example/{'x' * 40_000}"
    recorded(kept, item("long", long, "long"))
    before = contents(kept)
    overrides = tmp_path / "overrides.json"
    rule = {"from_prefix": "https://a.example/xx", "to_prefix": f"https://b.example/{'y' * 30_000}"}
    entry = {"match": {"host": "a.example"}, "rewrite_rules": [rule]}
    overrides.write_text(json.dumps({"overrides": [entry]}))
    with pytest.raises(PolicyError, match="feed@1 refuses 1 links of entries"):
        rekey(kept, Policy.load("feed", overrides=overrides), NOW, dry=False)
    assert contents(kept) == before


def test_a_store_without_a_stamp_is_refused(target: str, to: Policy):
    store = open_store(target)
    with pytest.raises(StoreError) as caught:
        rekey(store, to, NOW, dry=False)
    assert caught.value.code == "unstamped"
    store.close()


def test_a_policy_that_compares_without_the_scheme_is_one_like_others(
    kept: SqlStore, tmp_path: Path
):
    before = contents(kept)
    default, more = (
        Policy.load("default"),
        made(tmp_path, "more", BODY.replace(', remove = ["ref"]', ""), "default"),
    )
    rekey(kept, default, NOW, dry=False)
    assert rekey(kept, more, NOW, dry=False).merged == 6
    holders(kept, keys(kept))
    undo(kept, None, NOW)
    undo(kept, None, NOW)
    assert contents(kept) == before


def test_a_run_that_is_under_way_is_waited_for_and_the_next_one_is_refused(
    kept: SqlStore, to: Policy
):
    """Its keys are of the old policy: they must not come in behind the move."""
    stamped, moved = (
        threading.Event(),
        threading.Thread(target=lambda: (stamped.wait(), rekey(kept, to, NOW, dry=False))),
    )
    moved.start()
    row = kept.feeds([FEED])[0]
    with kept.writing() as writing:
        writing.stamp("feed@1", POLICY.fingerprint, NOW)
        stamped.set()
        moved.join(0.3)
        assert moved.is_alive()
        content = Content("late", "https://a.example/l?from=1", "https://a.example/l?from=1",
                          "guid:late", "late", "", "", "", "", "h", "high")  # fmt: skip
        late = NewEntry(content, (linked("/l?from=1"),))
        writing.apply(Changes(new=(late,), whole=False), row.feed_id, NOW)
    moved.join()
    assert by_title(kept)["late"].canonical_url == "https://a.example/l"
    assert documents.holders(kept, linked("/l"))
    with pytest.raises(StoreError), kept.writing() as writing:
        writing.stamp("feed@1", POLICY.fingerprint, NOW)
