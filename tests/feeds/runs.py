"""Runs over feeds of a scripted server, at a time the test tells, and documents for it to give."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from xml.sax.saxutils import escape

from sameas.feeds.passwords import Passwords
from sameas.feeds.sync import Outcome, Run, choose, left_alone
from sameas.feeds.types import Counts
from sameas.net.client import Client
from sameas.net.settings import Settings
from sameas.policy import Policy
from sameas.store.protocol import Store
from sameas.store.types import Entry, Feed
from tests.net.ask import loopback

NOW = datetime(2026, 11, 19, 20, 0, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
FEED_POLICY = Policy.load("feed")


@dataclass
class Ran:
    """One run: outcomes by the address that was asked, and what it warned of."""

    by_url: dict[str, Outcome] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    lost: bool = False

    @property
    def one(self) -> Outcome:
        (outcome,) = self.by_url.values()
        return outcome

    @property
    def counts(self) -> Counts:
        return self.one.counts


def sync(
    store: Store,
    now: datetime = NOW,
    urls: Sequence[str] = (),
    settings: Settings | None = None,
    passwords: Passwords | None = None,
    due: bool = False,
) -> Ran:
    ran = Ran()

    def done(outcome: Outcome) -> None:
        assert outcome.asked not in ran.by_url
        ran.by_url[outcome.asked] = outcome

    chosen = choose(store.feeds(urls or None), now, due, named=bool(urls))
    for feed in chosen.waiting:
        done(left_alone(feed))
    run = Run(store, FEED_POLICY, lambda: now, done, ran.warnings.append)

    async def over() -> None:
        async with Client(settings or loopback()) as client:
            await run.over(chosen.ask, client, passwords or Passwords())

    asyncio.run(over())
    ran.lost = run.lost
    return ran


def added(store: Store, *urls: str) -> list[Feed]:
    return store.add_feeds([(url, "") for url in urls], NOW)


def entries(store: Store) -> list[Entry]:
    return list(store.entries())


def titles(store: Store) -> list[str]:
    return sorted(entry.title for entry in store.entries())


def item(
    guid: str = "", link: str = "", title: str = "", summary: str = "", published: str = ""
) -> str:
    parts = {
        "guid": guid,
        "link": link,
        "title": title,
        "description": summary,
        "pubDate": published,
    }
    texts = (f"<{name}>{escape(text)}</{name}>" for name, text in parts.items() if text)
    return f"<item>{''.join(texts)}</item>".replace("<guid>", '<guid isPermaLink="false">')


def rss(*items: str, head: str = "<title>News</title>") -> bytes:
    return f'<rss version="2.0"><channel>{head}{"".join(items)}</channel></rss>'.encode()


def numbered(*numbers: int) -> bytes:
    return rss(*(item(str(n), f"https://example.org/{n}", f"Entry {n}") for n in numbers))
