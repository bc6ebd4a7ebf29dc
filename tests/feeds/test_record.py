"""What becomes of documents, one after the other, in every store: the seed's steps 4 to 7."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sameas import Policy
from sameas.errors import StoreError
from sameas.feeds.record import prune, record_document, record_failure, record_unchanged
from sameas.feeds.types import Counts
from sameas.store.memory import MemoryStore
from sameas.store.protocol import Store
from sameas.store.types import Changes, Identity, NewEntry
from tests.feeds.documents import (
    DAY,
    FEED,
    NOW,
    OTHER_FEED,
    POLICY,
    SITE,
    document,
    entries,
    feed_of,
    holders,
    item,
    new_in,
    recorded,
    titles,
)
from tests.store.rows import content


def test_an_entry_is_new_once_then_a_duplicate_then_updated(store: Store):
    assert new_in(recorded(store, item("1", "/1", "a"), item("2", "/2", "b"))) == (2, 0, 0)
    assert new_in(recorded(store, item("1", "/1", "a"), item("2", "/2", "b"))) == (0, 0, 2)
    changed = recorded(store, item("1", "/1", "a"), item("2", "/2", "c"), now=NOW + DAY)
    assert changed == Counts(updated=1, duplicates=1, seen=1)
    assert titles(store) == ["a", "c"]
    assert {e.first_seen_at for e in entries(store)} == {NOW}
    assert {e.last_seen_at for e in entries(store)} == {NOW + DAY}


def test_the_feed_is_saved_with_its_entries_and_only_with_them(store: Store):
    row = feed_of(store)
    after = replace(row, etag='W/"1"', validators_url=FEED, title="A feed", last_success_at=NOW)
    record_document(store, row, document(item("1")), after, POLICY, NOW)
    assert feed_of(store) == after
    with pytest.raises(StoreError, match="made under feed@1"):
        recorded(store, item("2"), policy=Policy.load("news"))
    assert feed_of(store) == after
    assert len(entries(store)) == 1


def test_an_entry_of_a_guid_alone_or_a_link_alone_is_known_again(store: Store):
    assert new_in(recorded(store, item("1"), item("", "/2"), item("", "", "three"))) == (3, 0, 0)
    again = recorded(store, item("1"), item("", "/2?utm_source=x"), item("", "", "three "))
    assert new_in(again) == (0, 0, 3)


def test_two_feeds_with_the_same_guids_have_entries_of_their_own(store: Store):
    recorded(store, item("1", "/1"), item("2", "/2"))
    other = [item("1", "https://b.example/1"), item("2", "https://b.example/2")]
    assert new_in(recorded(store, *other, feed=OTHER_FEED)) == (2, 0, 0)
    assert new_in(recorded(store, *other, feed=OTHER_FEED)) == (0, 0, 2)
    assert len(entries(store)) == 4


def test_items_that_share_one_link_are_entries_of_their_own(store: Store):
    episodes = [item(str(number), "/podcast", f"Episode {number}") for number in range(5)]
    assert new_in(recorded(store, *episodes[:4])) == (4, 0, 0)
    assert new_in(recorded(store, *episodes[1:])) == (1, 0, 3)
    assert new_in(recorded(store, *episodes[:4])) == (0, 0, 4)
    assert titles(store) == [f"Episode {number}" for number in range(5)]


def test_a_guid_that_changed_while_the_link_stayed_is_the_same_entry(store: Store):
    recorded(store, item("old", "/1", "a"), item("x", "/2"))
    assert new_in(recorded(store, item("new", "/1", "a"), item("x", "/2"))) == (0, 0, 2)
    assert [e.guid for e in entries(store)] == ["new", "x"]
    assert new_in(recorded(store, item("new", "/moved", "a"), item("x", "/2"))) == (0, 1, 1)


def test_a_guid_still_in_the_document_is_not_taken_over(store: Store):
    recorded(store, item("old", "/1", "a"))
    assert new_in(recorded(store, item("old", "/other", "a"), item("new", "/1", "b"))) == (1, 1, 0)
    assert new_in(recorded(store, item("old", "/other", "a"), item("new", "/1", "b"))) == (0, 0, 2)


def test_a_shared_link_takes_nothing_over(store: Store):
    recorded(store, item("old", "/1", "a"))
    assert new_in(recorded(store, item("b", "/1", "b"), item("c", "/1", "c"))) == (2, 0, 0)
    assert titles(store) == ["a", "b", "c"]


def test_guids_that_were_one_entry_and_come_back_together_are_two(store: Store):
    recorded(store, item("old", "/1", "a"))
    recorded(store, item("new", "/1", "a"))
    assert new_in(recorded(store, item("old", "/1", "x"), item("new", "/1", "a"))) == (1, 0, 1)
    assert new_in(recorded(store, item("old", "/1", "x"), item("new", "/1", "a"))) == (0, 0, 2)
    assert titles(store) == ["a", "x"]


def test_keys_of_two_entries_count_as_a_conflict_and_nothing_is_merged(store: Store):
    recorded(store, item("1", "/1", "a"), item("2", "/2", "b"))
    before = entries(store)[1]
    counts = recorded(store, item("1", "/2", "a"), now=NOW + DAY)
    assert counts == Counts(updated=1, conflicts=1)
    first, second = entries(store)
    assert (first.guid, first.canonical_url) == ("1", f"{SITE}/2")
    assert second == before
    assert recorded(store, item("1", "/2", "a"), now=NOW + DAY).conflicts == 1


def test_an_entry_that_two_feeds_carry_belongs_to_the_first(store: Store):
    recorded(store, item("1", "/1", "as A says it"))
    assert new_in(recorded(store, item("x", "/1", "as B says it"), feed=OTHER_FEED)) == (0, 0, 1)
    for _ in range(2):
        assert new_in(recorded(store, item("1", "/1", "as A says it"))) == (0, 0, 1)
        again = recorded(store, item("x", "/1", "as B says it"), feed=OTHER_FEED)
        assert new_in(again) == (0, 0, 1)
    assert new_in(recorded(store, item("x", "/1", "B anew"), feed=OTHER_FEED)) == (0, 1, 0)
    assert new_in(recorded(store, item("x", "/1", "B anew"), feed=OTHER_FEED)) == (0, 0, 1)
    (entry,) = entries(store)
    assert (entry.title, entry.guid, entry.feed_url) == ("as A says it", "1", FEED)


def test_a_copy_is_known_by_its_own_guid(store: Store):
    recorded(store, item("1", "/1", "a"))
    recorded(store, item("x", "/1", "a"), feed=OTHER_FEED)
    assert new_in(recorded(store, item("x", "/elsewhere", "a"), feed=OTHER_FEED)) == (0, 1, 0)
    assert len(entries(store)) == 1


def test_another_feeds_legacy_guid_is_not_this_one(store: Store):
    recorded(store, item("1", "/1", "a"))
    recorded(store, item("7", "/1", "a"), feed=OTHER_FEED)
    assert new_in(recorded(store, item("7", "/7", "b"))) == (1, 0, 0)
    assert len(entries(store)) == 2


@pytest.mark.parametrize(
    ("snapshot", "key"),
    [
        (f"guid:{FEED}:1", None),
        ("guid:1", None),
        (f"url:{SITE}/1", None),
        ("", Identity("legacy_guid", "guid:1")),
        ("", Identity("guid", f"{FEED}:1")),
        ("", Identity("canonical_url", f"{SITE}/1")),
    ],
)
def test_an_imported_row_without_a_feed_is_known_again(
    store: Store, snapshot: str, key: Identity | None
):
    _imported(store, snapshot, key)
    assert new_in(recorded(store, item("1", "/1", "a"), now=NOW + DAY)) == (0, 1, 0)
    (entry,) = entries(store)
    assert (entry.feed_url, entry.guid, entry.title) == (FEED, "1", "a")
    assert entry.first_seen_at == NOW
    assert holders(store, Identity("guid", f"{FEED}:1"))
    assert new_in(recorded(store, item("1", "/1", "a"))) == (0, 0, 1)
    other = recorded(store, item("1", "https://b.example/1"), feed=OTHER_FEED)
    assert new_in(other) == (1, 0, 0)


def _imported(store: Store, snapshot: str, key: Identity | None) -> None:
    """A row that no feed brought, as an import leaves it."""
    with store.writing() as writing:
        writing.stamp("feed@1", POLICY.fingerprint, NOW)
    passing = feed_of(store, "https://passing.example/")
    row = content("x", guid="", canonical_url="", dedupe_key=snapshot, content_hash="unknown")
    with store.writing() as writing:
        keys = (key,) if key else ()
        writing.apply(Changes(new=(NewEntry(row, keys),)), passing.feed_id, NOW)
    _orphan(store, passing.feed_id)


def _orphan(store: Store, feed_id: int) -> None:
    if isinstance(store, MemoryStore):
        for row in store.rows.values():
            row.feed_id, row.copies = None, {}
        return
    with store.writing() as writing:
        for table in ("UPDATE entries SET feed_id = NULL", "DELETE FROM entry_sources"):
            writing.connection.exec_driver_sql(table)
    store.remove_feed(feed_id)


def test_a_repeated_guid_is_told_apart_and_counted(store: Store):
    items = [item("0", "/1", "a"), item("0", "/2", "b"), item("0", "/2", "c"), item("1", "/3")]
    counts = recorded(store, *items)
    assert (new_in(counts), counts.repeated_guids) == ((4, 0, 0), 2)
    assert new_in(recorded(store, *reversed(items))) == (0, 0, 4)
    assert new_in(recorded(store, *items[1:])) == (0, 0, 3)


def test_a_guid_that_becomes_repeated_keeps_the_entry_it_had(store: Store):
    recorded(store, item("0", "/log", "version 1"))
    counts = recorded(store, item("0", "/log", "version 1"), item("0", "/log", "version 2"))
    assert new_in(counts) == (1, 0, 1)
    assert titles(store) == ["version 1", "version 2"]


@pytest.mark.parametrize("link", ["/log", ""])
def test_a_repeated_guid_that_stands_alone_again_is_no_new_entry(store: Store, link: str):
    old, new = item("0", link, "version 1"), item("0", link, "version 2")
    recorded(store, old, new)
    assert new_in(recorded(store, new)) == (0, 0, 1)
    assert new_in(recorded(store, new, item("0", link, "version 3"))) == (1, 0, 1)
    assert titles(store) == ["version 1", "version 2", "version 3"]


def test_an_entry_is_not_taken_over_by_one_at_its_former_address(store: Store):
    recorded(store, item("1", "/today", "a"))
    recorded(store, item("1", "/archive", "a"))
    assert recorded(store, item("2", "/today", "b")).new == 1
    assert new_in(recorded(store, item("2", "/today", "b"), item("1", "/archive", "a"))) == (
        0,
        0,
        2,
    )
    assert titles(store) == ["a", "b"]


def test_an_entry_without_a_date_keeps_its_first_day(store: Store):
    recorded(store, item("1", "/1", "a"))
    recorded(store, item("1", "/1", "b"), now=NOW + DAY)
    (entry,) = entries(store)
    assert (entry.published, entry.updated, entry.first_seen_at) == ("", "", NOW)


def test_a_feed_that_moved_keeps_its_entries(store: Store):
    recorded(store, item("1", "", "a"), item("", "", "b"))
    row = feed_of(store)
    after = replace(row, feed_url=OTHER_FEED)
    counts = record_document(
        store, row, document(item("1", "", "a"), item("", "", "b")), after, POLICY, NOW
    )
    assert new_in(counts) == (0, 0, 2)
    moved = feed_of(store, OTHER_FEED)
    assert (moved.feed_id, moved.former) == (row.feed_id, (FEED,))
    assert new_in(recorded(store, item("1", "", "a"), item("", "", "b"), feed=OTHER_FEED)) == (
        0,
        0,
        2,
    )


def test_an_unchanged_answer_sees_every_entry_of_the_last_document(store: Store):
    recorded(store, item("gone", "/0"))
    recorded(store, item("1", "/1"), item("2", "/2"))
    row = feed_of(store)
    after = replace(row, last_success_at=NOW + 40 * DAY)
    assert record_unchanged(store, row, after, NOW + 40 * DAY) == Counts(seen=2)
    assert prune(store, NOW + 10 * DAY) == 1
    assert [e.guid for e in entries(store)] == ["1", "2"]


def test_a_feed_silent_for_forty_days_brings_nothing_twice(store: Store):
    recorded(store, item("1", "/1"), item("2", "/2"))
    for day in range(1, 41):
        row = feed_of(store)
        record_failure(store, row, replace(row, failures=day, last_checked_at=NOW + day * DAY))
        assert prune(store, NOW + (day - 30) * DAY) == 0
    assert new_in(recorded(store, item("1", "/1"), item("2", "/2"), now=NOW + 41 * DAY)) == (
        0,
        0,
        2,
    )


def test_what_is_recorded_of_a_feed_that_was_removed_is_nothing(store: Store):
    row = feed_of(store)
    store.remove_feed(row.feed_id)
    assert record_document(store, row, document(item("1")), row, POLICY, NOW) == Counts()
    assert record_unchanged(store, row, row, NOW) == Counts()
    assert entries(store) == []


def test_a_policy_of_its_own_has_to_be_kept_to(store: Store):
    recorded(store, item("1", "/1"))
    with pytest.raises(StoreError) as caught:
        recorded(store, item("1", "/1"), policy=Policy.load("news"))
    assert caught.value.code == "policy"
