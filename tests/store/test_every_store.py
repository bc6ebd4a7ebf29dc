"""What the Protocol promises, kept by every store: SQLite, PostgreSQL and memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from sameas.errors import StoreError
from sameas.store.protocol import LostRace, Store
from sameas.store.types import Changes, Entry, Feed, Identity, KnownEntry, NewEntry
from tests.store.rows import (
    DAY,
    FEED,
    NOW,
    OTHER_FEED,
    added,
    brought,
    content,
    copy,
    guid,
    link,
    names,
    new,
    saved,
    written,
)


def test_a_feed_is_added_once_and_kept_in_order(store: Store):
    assert [feed.feed_url for feed in store.add_feeds([(FEED, "A"), (OTHER_FEED, "")], NOW)] == [
        FEED,
        OTHER_FEED,
    ]
    assert store.add_feeds([(OTHER_FEED, "again"), (FEED, "again")], NOW + DAY) == []
    assert store.add_feeds([("https://c.example/", "")] * 2, NOW)[0].feed_url[8] == "c"
    first, second, third = store.feeds()
    assert (first.feed_url, first.title, first.added_at) == (FEED, "A", NOW)
    assert (second.title, third.feed_url) == ("", "https://c.example/")
    assert len({first.feed_id, second.feed_id, third.feed_id}) == 3


def test_a_new_feed_knows_nothing(store: Store):
    (feed,) = added(store, FEED)
    assert feed == Feed(feed.feed_id, FEED, NOW)


def test_a_feed_comes_back_as_it_was_saved(store: Store):
    (feed,) = added(store, FEED)
    after = Feed(
        feed_id=feed.feed_id,
        feed_url="https://a.example/new",
        added_at=NOW,
        title="Ä \U0001f600",
        etag='W/"a-gzip"',
        last_modified="Thu, 19 Nov 2026 20:00:00 GMT",
        validators_url="https://a.example/new",
        body_hash="b" * 64,
        last_checked_at=NOW,
        last_success_at=NOW - DAY,
        next_check_at=NOW + DAY,
        status="gone",
        http_status=410,
        error="410",
        failures=3,
        waiting=True,
        moved_to="https://a.example/newer",
        moved_seen_at=NOW,
        former=(FEED,),
    )
    with store.writing() as writing:
        writing.save_feed(after)
    assert store.feeds() == [after]


def test_a_feed_is_found_by_every_address_it_had(store: Store):
    (feed,) = added(store, FEED)
    for number in (2, 3):
        after = replace(feed, feed_url=f"https://a.example/{number}", former=(feed.feed_url,))
        with store.writing() as writing:
            writing.save_feed(after)
        (feed,) = store.feeds([FEED])
    assert store.feeds(["https://a.example/2"]) == [feed]
    assert feed.former == ("https://a.example/2", FEED)
    assert store.add_feeds([(FEED, "")], NOW) == []
    assert store.feeds(["https://nowhere.example/"]) == []
    assert store.feeds([]) == []


def test_an_address_another_feed_has_is_not_taken(store: Store):
    first, _ = added(store, FEED, OTHER_FEED)
    assert saved(store, first, feed_url=OTHER_FEED, title="moved").title == "moved"
    assert [feed.feed_url for feed in store.feeds()] == [FEED, OTHER_FEED]


def test_times_come_back_aware_and_in_utc(store: Store):
    (feed,) = added(store, FEED)
    madrid = timezone(timedelta(hours=1))
    feed = saved(store, feed, last_checked_at=datetime(2026, 11, 19, 21, 0, 0, 5, madrid))
    assert feed.last_checked_at == datetime(2026, 11, 19, 20, 0, 0, 5, UTC)
    assert feed.last_checked_at.utcoffset() == timedelta(0)
    brought(store, feed, "1", now=NOW.astimezone(madrid))
    (entry,) = store.entries()
    assert entry.first_seen_at == NOW
    assert entry.first_seen_at.utcoffset() == timedelta(0)


def test_an_entry_comes_back_as_it_was_written(store: Store):
    (feed,) = added(store, FEED)
    written(store, feed, Changes(new=(NewEntry(content("1", summary="a\nb\\x\t"), (guid("1"),)),)))
    (entry,) = store.entries()
    assert entry == Entry(
        entry_id=entry.entry_id,
        feed_url=FEED,
        guid="1",
        link="https://a.example/1",
        canonical_url="https://a.example/1",
        dedupe_key=f"guid:{FEED}:1",
        title="Title of 1",
        author="",
        published="2026-11-19T20:00:00Z",
        updated="",
        summary="a\nb\\x\t",
        content_hash="hash of 1",
        match_confidence="high",
        first_seen_at=NOW,
        last_seen_at=NOW,
    )


def test_known_keys_are_told_with_how_the_feed_carries_them(store: Store):
    first, second = added(store, FEED, OTHER_FEED)
    brought(store, first, "1", "2")
    one, two = (entry.entry_id for entry in store.entries())
    written(store, second, Changes(seen=(one,), copies=(copy(one, "x"),)))
    asked = [guid("1"), link("1"), guid("2"), guid("3"), Identity("legacy_guid", guid("1")[1])]
    with store.writing() as writing:
        known = writing.known(asked, second.feed_id)
        assert known.holders == {guid("1"): one, link("1"): one, guid("2"): two}
        base = (first.feed_id, "https://a.example/1", "hash of 1")
        assert known.entries[one] == KnownEntry(one, *base, "x", "hash of x", True)
        assert known.entries[two][4:] == ("", None, False)
        assert writing.known([], second.feed_id).holders == {}


def test_an_entry_is_known_by_its_snapshot(store: Store):
    (feed,) = added(store, FEED)
    same = NewEntry(content("2", dedupe_key=f"guid:{FEED}:1"), (guid("2"),))
    written(store, feed, Changes(new=(new("1"), same)))
    first = min(entry.entry_id for entry in store.entries())
    with store.writing() as writing:
        found = writing.known_by_dedupe_key([f"guid:{FEED}:1", "url:x"], feed.feed_id)
    assert {text: entry.entry_id for text, entry in found.items()} == {f"guid:{FEED}:1": first}


def test_what_is_seen_moves_forward_and_never_back(store: Store):
    (feed,) = added(store, FEED)
    brought(store, feed, "1")
    (entry,) = store.entries()
    for now, last in ((NOW + DAY, NOW + DAY), (NOW, NOW + DAY)):
        written(store, feed, Changes(seen=(entry.entry_id,)), now)
        (entry,) = store.entries()
        assert (entry.first_seen_at, entry.last_seen_at) == (NOW, last)


def test_a_rewritten_entry_keeps_its_number_and_its_first_day(store: Store):
    (feed,) = added(store, FEED)
    brought(store, feed, "1")
    (before,) = store.entries()
    after = content("1", title="Other", content_hash="other")
    written(
        store,
        feed,
        Changes(seen=(before.entry_id,), rewritten=((before.entry_id, after),)),
        NOW + DAY,
    )
    (entry,) = store.entries()
    assert entry == replace(before, title="Other", content_hash="other", last_seen_at=NOW + DAY)


def test_an_unchanged_answer_sees_the_last_document_again(store: Store):
    first, second = added(store, FEED, OTHER_FEED)
    brought(store, first, "1", "2")
    brought(store, second, "3")
    two = next(entry.entry_id for entry in store.entries() if entry.guid == "2")
    written(store, first, Changes(seen=(two,)))
    with store.writing() as writing:
        assert writing.see_again(first.feed_id, NOW + DAY) == 1
    assert {e.guid: e.last_seen_at for e in store.entries()} == {
        "1": NOW,
        "2": NOW + DAY,
        "3": NOW,
    }


@pytest.mark.parametrize(
    "changes",
    [
        Changes(new=(new("2"), new("1"))),
        Changes(new=(new("2"),), keys=((1, guid("1")),)),
        Changes(new=(new("2"),), seen=(1, 999)),
        Changes(new=(new("2"),), released=(guid("9"),)),
    ],
)
def test_who_was_slower_writes_nothing(store: Store, changes: Changes):
    (feed,) = added(store, FEED)
    brought(store, feed, "1")
    (before,) = store.entries()
    seen = tuple(before.entry_id if number == 1 else number for number in changes.seen)
    keys = tuple((before.entry_id, key) for _, key in changes.keys)
    with pytest.raises(LostRace):
        written(store, feed, replace(changes, seen=seen, keys=keys), NOW + DAY)
    assert list(store.entries()) == [before]
    assert store.info().rows["entry_identities"] == 2


def test_a_block_that_fails_has_written_nothing(store: Store):
    (feed,) = added(store, FEED)

    def write() -> None:
        with store.writing() as writing:
            writing.apply(Changes(new=(new("1"),)), feed.feed_id, NOW)
            writing.save_feed(replace(feed, title="new"))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write()
    assert list(store.entries()) == []
    assert store.feeds() == [feed]


def test_a_released_key_finds_its_next_holder(store: Store):
    (feed,) = added(store, FEED)
    brought(store, feed, "1")
    (entry,) = store.entries()
    other = NewEntry(content("2"), (guid("1"),))
    written(store, feed, Changes(new=(other,), seen=(entry.entry_id,), released=(guid("1"),)))
    with store.writing() as writing:
        holders = writing.known([guid("1"), link("1")], feed.feed_id).holders
    assert holders[link("1")] == entry.entry_id
    assert holders[guid("1")] not in (None, entry.entry_id)


def test_numbers_are_never_used_again(store: Store):
    (feed,) = added(store, FEED)
    brought(store, feed, "1")
    (entry,) = store.entries()
    feed = saved(store, feed, status="gone")
    assert store.prune(NOW + DAY) == 1
    brought(store, feed, "1")
    assert next(iter(store.entries())).entry_id > entry.entry_id


def test_entries_can_be_asked_for_by_day_and_by_feed(store: Store):
    first, second = added(store, FEED, OTHER_FEED)
    brought(store, first, "1", "2")
    brought(store, second, "3", now=NOW + DAY)
    one = next(iter(store.entries())).entry_id
    three = list(store.entries())[-1].entry_id
    written(store, second, Changes(seen=(one, three), copies=(copy(one, "x"),)), NOW + DAY)
    assert [e.guid for e in store.entries(new_since=NOW + DAY)] == ["3"]
    assert names(store, first.feed_id) == ["1", "2"]
    assert names(store, second.feed_id) == ["1", "3"]
    assert [e.guid for e in store.entries(NOW + DAY, first.feed_id)] == []


def test_many_entries_come_a_batch_at_a_time(store: Store):
    (feed,) = added(store, FEED)
    brought(store, feed, *(f"{number:04}" for number in range(2500)))
    entries = store.entries()
    assert isinstance(entries, Iterator)
    assert [entry.guid for entry in entries] == [f"{number:04}" for number in range(2500)]


def test_text_that_a_database_cannot_hold_stands_as_its_escape(store: Store):
    (feed,) = added(store, FEED)
    feed = saved(store, feed, title="a\x00b\ud800", error="\udcff")
    assert (feed.title, feed.error) == ("a\\x00b\\ud800", "\\udcff")


def test_a_table_refuses_keys_of_another_policy(store: Store):
    (feed,) = added(store, FEED)
    with store.writing() as writing:
        writing.stamp("feed@1", "a" * 64, NOW)
        writing.apply(Changes(new=(new("1"),)), feed.feed_id, NOW)
    with store.writing() as writing:
        writing.stamp("feed@1 under another name", "a" * 64, NOW + DAY)
    with pytest.raises(StoreError) as caught, store.writing() as writing:
        writing.stamp("feed@2", "b" * 64, NOW)
    assert caught.value.code == "policy"
    assert str(caught.value).startswith(
        f"{store.place}: the keys in entries were made under feed@1"
    )
    assert "feed@2 (bbbbbbbbbbbb)" in str(caught.value)
    stamps = store.info().stamps
    assert {(s.table_name, s.policy, s.fingerprint, s.stamped_at) for s in stamps} == {
        ("entries", "feed@1", "a" * 64, NOW),
        ("entry_identities", "feed@1", "a" * 64, NOW),
    }


def test_a_feed_that_is_not_there_cannot_be_saved(store: Store):
    (feed,) = added(store, FEED)
    with store.writing() as writing:
        assert writing.save_feed(feed) is True
        assert writing.save_feed(replace(feed, feed_id=feed.feed_id + 1)) is False
    assert store.feeds() == [feed]


def test_a_removed_feed_takes_along_what_no_other_feed_carries(store: Store):
    first, second = added(store, FEED, OTHER_FEED)
    brought(store, first, "1", "2")
    one = next(iter(store.entries())).entry_id
    written(store, second, Changes(seen=(one,), copies=(copy(one, "x"),)))
    store.remove_feed(first.feed_id)
    (entry,) = store.entries()
    assert (entry.guid, entry.feed_url) == ("1", OTHER_FEED)
    assert (
        store.info().rows.items()
        >= {
            "feeds": 1,
            "entries": 1,
            "entry_identities": 2,
            "entry_sources": 1,
        }.items()
    )
    store.remove_feed(first.feed_id)


def test_what_there_is_is_counted(store: Store):
    (feed,) = added(store, FEED)
    brought(store, feed, "1", "2")
    info = store.info()
    assert info.place == store.place
    counts = {"feeds": 1, "entries": 2, "entry_identities": 4, "entry_sources": 2}
    assert info.rows.items() >= counts.items()
