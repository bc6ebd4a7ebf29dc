"""Rows as tests of the store need them: small, and each of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from sameas.store.protocol import Store
from sameas.store.types import Changes, Content, Copy, Entry, Feed, Identity, NewEntry

NOW = datetime(2026, 11, 19, 20, 0, tzinfo=UTC)
DAY = timedelta(days=1)
FEED, OTHER_FEED = "https://a.example/feed", "https://b.example/feed"


def guid(name: str, feed_url: str = FEED) -> Identity:
    return Identity("guid", f"{feed_url}:{name}")


def link(name: str) -> Identity:
    return Identity("canonical_url", f"https://a.example/{name}")


def content(name: str, **other: str) -> Content:
    url = f"https://a.example/{name}"
    made = Content(
        guid=name,
        link=url,
        canonical_url=url,
        dedupe_key=f"guid:{FEED}:{name}",
        title=f"Title of {name}",
        author="",
        published="2026-11-19T20:00:00Z",
        updated="",
        summary="",
        content_hash=f"hash of {name}",
        match_confidence="high",
    )
    return made._replace(**other)


def new(name: str, feed_url: str = FEED) -> NewEntry:
    return NewEntry(content(name), (guid(name, feed_url), link(name)))


def copy(entry_id: int, name: str) -> Copy:
    return Copy(entry_id, name, f"hash of {name}")


def added(store: Store, *urls: str) -> list[Feed]:
    store.add_feeds([(url, "") for url in urls], NOW)
    return store.feeds(urls)


def written(store: Store, feed: Feed, changes: Changes, now: datetime = NOW) -> None:
    with store.writing() as writing:
        writing.apply(changes, feed.feed_id, now)


def brought(store: Store, feed: Feed, *names: str, now: datetime = NOW) -> None:
    """The feed brings these entries, and has no others in its last document."""
    written(store, feed, Changes(new=tuple(new(name, feed.feed_url) for name in names)), now)


def saved(store: Store, feed: Feed, **after: object) -> Feed:
    with store.writing() as writing:
        writing.save_feed(replace(feed, **after))
    return store.feeds([feed.feed_url])[0]


def titles(entries: Sequence[Entry]) -> list[str]:
    return [entry.title.removeprefix("Title of ") for entry in entries]


def names(store: Store, feed_id: int | None = None) -> list[str]:
    return titles(list(store.entries(feed_id=feed_id)))
