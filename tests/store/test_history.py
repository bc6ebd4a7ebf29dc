"""What the Protocol promises of the past, kept by every store."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import pytest

from sameas.feeds.record import record_document
from sameas.feeds.types import Document, Item
from sameas.policy import named
from sameas.store.history import KEPT_FOR, CheckDay, FeedDay
from sameas.store.link_types import Link
from tests.store.rows import NOW

DAY = date(2026, 11, 19)
NEXT = DAY + timedelta(days=1)


def _feeds(store: Any, *urls: str) -> list[int]:
    return [feed.feed_id for feed in store.add_feeds([(url, "") for url in urls], NOW)]


def test_the_runs_of_a_day_are_counted_together(store: Any):
    one, two = _feeds(store, "http://one/", "http://two/")
    run = FeedDay(one, DAY, asked=1, failed=0, new=5, updated=2)
    store.note_feeds([run, FeedDay(two, DAY, asked=1, failed=1)])
    store.note_feeds([run])
    store.note_feeds([replace(run, day=NEXT)])
    store.note_feeds([])
    both = FeedDay(one, DAY, asked=2, failed=0, new=10, updated=4)
    assert store.feed_days(DAY) == [both, FeedDay(two, DAY, 1, 1), replace(run, day=NEXT)]
    assert store.feed_days(NEXT) == [replace(run, day=NEXT)]
    assert store.feed_days(DAY, two) == [FeedDay(two, DAY, 1, 1)]


def test_a_feed_that_has_been_removed_has_no_past(store: Any):
    one, two = _feeds(store, "http://one/", "http://two/")
    store.note_feeds([FeedDay(one, DAY, 1), FeedDay(two, DAY, 1), FeedDay(99, DAY, 1)])
    store.remove_feed(one)
    store.note_feeds([FeedDay(one, DAY, 1)])
    assert store.feed_days(DAY) == [FeedDay(two, DAY, 1)]


def test_the_last_check_of_a_day_counts(store: Any):
    store.note_check("/r", DAY, {("a", "dead"): 9, ("a", "fine"): 1})
    store.note_check("/r", DAY, {("a", "dead"): 2, ("b", "fine"): 3})
    store.note_check("/r", NEXT, {("b", "fine"): 4})
    store.note_check("/other", DAY, {("c", "fine"): 1})
    store.note_check("/empty", DAY, {})
    assert store.check_places() == [("/r", NEXT), ("/other", DAY)]
    assert store.check_days("/r", DAY) == [
        CheckDay("/r", DAY, "a", "dead", 2),
        CheckDay("/r", DAY, "b", "fine", 3),
        CheckDay("/r", NEXT, "b", "fine", 4),
    ]
    assert store.check_days("/r", NEXT) == [CheckDay("/r", NEXT, "b", "fine", 4)]
    assert store.check_days("/none", DAY) == []


def test_what_is_older_than_a_year_and_a_bit_goes(store: Any):
    (feed,) = _feeds(store, "http://one/")
    old = DAY - KEPT_FOR - timedelta(days=1)
    store.note_feeds([FeedDay(feed, old, 1)])
    store.note_check("/r", old, {("a", "fine"): 1})
    assert (len(store.feed_days(old)), len(store.check_days("/r", old))) == (1, 1)
    store.note_feeds([FeedDay(feed, DAY, 1)])
    store.note_check("/r", DAY, {("a", "fine"): 1})
    assert [row.day for row in store.feed_days(old)] == [DAY]
    assert [row.day for row in store.check_days("/r", old)] == [DAY]


def test_the_keys_of_an_entry_are_told_in_the_seed_s_order(store: Any):
    (feed,) = store.add_feeds([("http://one/", "")], NOW)
    item = Item(guid="7", link="http://one/a", title="A")
    record_document(store, feed, Document(items=(item,)), feed, named("feed"), NOW)
    (entry,) = store.entries()
    kinds = [key.key_type for key in store.identities_of([entry.entry_id])[entry.entry_id]]
    assert kinds == ["guid", "canonical_url", "legacy_guid", "fallback_hash"][: len(kinds)]
    assert kinds[:2] == ["guid", "canonical_url"]
    assert store.identities_of([99]) == {}


@pytest.mark.parametrize(
    ("status", "host", "found"),
    [
        ("", "", "abcdef"),
        ("dead", "", "b"),
        ("", "a.example", "abcd"),
        ("ok", "b.a.example", "e"),
        ("", "a_example", ""),
    ],
)
def test_links_are_found_by_how_they_answered_and_by_their_host(
    store: Any, status: str, host: str, found: str
):
    urls = {
        "a": "http://a.example/",
        "b": "https://a.example",
        "c": "https://a.example:8443/x",
        "d": "https://a.example?q=1",
        "e": "https://b.a.example/",
        "f": "https://b.a.example/a.example/",
    }
    answers = {"b": "dead", "f": "unknown"}
    store.save_links([Link(k, url, answers.get(k, "ok"), NOW) for k, url in urls.items()])
    assert sorted(link.key for link in store.each_link(status, host)) == list(found)
