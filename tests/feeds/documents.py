"""Feeds and documents as tests of identity need them, and what a store holds afterwards."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from sameas import Policy
from sameas.feeds.record import record_document
from sameas.feeds.types import Counts, Document, Item
from sameas.store.protocol import Store
from sameas.store.types import Entry, Feed, Identity

NOW = datetime(2026, 11, 19, 20, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
FEED, OTHER_FEED = "https://a.example/feed", "https://b.example/feed"
SITE = "https://a.example"
POLICY = Policy.load("feed")


def feed_of(store: Store, url: str = FEED) -> Feed:
    store.add_feeds([(url, "")], NOW)
    return store.feeds([url])[0]


def item(guid: str = "", link: str = "", title: str = "", **other: str) -> Item:
    """`link` is a path on one site, or a whole URL."""
    return Item(guid=guid, link=f"{SITE}{link}" if link[:1] == "/" else link, title=title, **other)


def document(*items: Item) -> Document:
    return Document(items=items)


def recorded(
    store: Store, *items: Item, feed: str = FEED, now: datetime = NOW, policy: Policy = POLICY
) -> Counts:
    row = feed_of(store, feed)
    after = replace(row, last_checked_at=now, last_success_at=now)
    return record_document(store, row, document(*items), after, policy, now)


def new_in(counts: Counts) -> tuple[int, int, int]:
    return counts.new, counts.updated, counts.duplicates


def entries(store: Store) -> list[Entry]:
    return list(store.entries())


def titles(store: Store) -> list[str]:
    return sorted(entry.title for entry in store.entries())


def holders(store: Store, *keys: Identity) -> dict[Identity, int]:
    with store.writing() as writing:
        return writing.known(keys, 0).holders
