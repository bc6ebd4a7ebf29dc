"""The run over feeds: who is asked, many at once, and what became of each.

Fetching waits for servers on the loop; parsing and recording take turns in one thread beside it. A
feed that fails costs the others nothing, and a store that is lost costs no feed.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain, zip_longest
from typing import Literal
from urllib.parse import urlsplit

from sameas.errors import FeedError, StoreError
from sameas.feeds import schedule
from sameas.feeds.fetch import Fetched, failed, fetch, settled, unreadable
from sameas.feeds.parse import parse
from sameas.feeds.passwords import Passwords
from sameas.feeds.record import record_document, record_failure, record_unchanged
from sameas.feeds.types import Counts, Document
from sameas.net.client import Client
from sameas.policy import Policy
from sameas.store.memory import MemoryStore
from sameas.store.protocol import Store
from sameas.store.types import Feed

AT_ONCE = 24
"""Feeds on their way at one time: each may hold a body of the largest size in memory."""

Status = Literal["ok", "no_change", "waiting", "failed"]
_STATUS: dict[str, Status] = {
    "body": "ok",
    "unchanged": "no_change",
    "waiting": "waiting",
    "gone": "failed",
    "failed": "failed",
}


@dataclass(frozen=True)
class Outcome:
    """One feed of a run. `feed` is what it has become, `asked` the address it was asked at."""

    asked: str
    status: Status
    feed: Feed
    counts: Counts = field(default_factory=Counts)


@dataclass(frozen=True)
class Chosen:
    """Which feeds a run asks, and which it leaves alone because their servers said so."""

    ask: list[Feed]
    waiting: list[Feed]


def choose(feeds: Iterable[Feed], now: datetime, due: bool = False, named: bool = False) -> Chosen:
    """`due` leaves out feeds whose time has not come; a feed that is gone is asked if `named`."""
    chosen = Chosen([], [])
    latest = now + schedule.LONGEST_WAIT  # what is later was set by a clock that was wrong
    for feed in feeds:
        early = feed.next_check_at is not None and now < feed.next_check_at <= latest
        if feed.status == "gone" and not named:
            continue
        if not early:
            chosen.ask.append(feed)
        elif feed.waiting and not due:
            chosen.waiting.append(feed)
        elif not due:
            chosen.ask.append(feed)
    return chosen


def left_alone(feed: Feed) -> Outcome:
    """A feed that is not asked, because its server said to wait."""
    return Outcome(feed.feed_url, "waiting", feed)


class Run:
    """One run. `done` is told each outcome as it comes, `warn` what a person should know."""

    def __init__(
        self,
        store: Store,
        policy: Policy,
        clock: Callable[[], datetime],
        done: Callable[[Outcome], None],
        warn: Callable[[str], None],
    ) -> None:
        self.store = store
        self.lost = False
        """Whether the store was lost on the way, and the rest went to memory alone."""
        self._policy, self._clock, self._done, self._warn = policy, clock, done, warn
        self._feeds: Sequence[Feed] = ()

    async def over(self, feeds: Sequence[Feed], client: Client, passwords: Passwords) -> None:
        self._feeds = feeds
        waiting = _spread(feeds)
        try:
            with ThreadPoolExecutor(1, "sameas-record") as beside:
                async with asyncio.TaskGroup() as group:
                    for _ in range(min(AT_ONCE, len(feeds))):
                        group.create_task(self._each(waiting, client, passwords, beside))
        except BaseExceptionGroup as errors:
            raise errors.exceptions[0] from None

    async def _each(
        self,
        feeds: Iterator[Feed],
        client: Client,
        passwords: Passwords,
        beside: ThreadPoolExecutor,
    ) -> None:
        loop = asyncio.get_running_loop()
        for feed in feeds:
            try:
                fetched = await fetch(client, feed, passwords, self._clock())
            except Exception as error:  # ours, and no reason to leave the other feeds
                fetched = failed(feed, _unforeseen("asking for it", error), self._clock())
            self._done(await loop.run_in_executor(beside, self._recorded, fetched))

    def _recorded(self, fetched: Fetched) -> Outcome:
        """In the store, or after it was lost in memory. One thread does this."""
        try:
            return self._written(*self._read(fetched))
        except StoreError as error:
            if self.lost or not error.unavailable:
                raise
            self._lose(error)
            return self._written(*self._read(fetched))
        except Exception as error:
            reason = _unforeseen("keeping it", error)
            after = failed(fetched.before, reason, self._clock()).after
            return Outcome(after.feed_url, "failed", after)

    def _lose(self, error: StoreError) -> None:
        self._warn(
            f"{error}; from here on entries are told apart in memory, and nothing is kept: "
            "what is new now will be new again"
        )
        self.store, self.lost = MemoryStore(self._feeds), True

    def _read(self, fetched: Fetched) -> tuple[Fetched, Document | None]:
        if fetched.kind != "body":
            return fetched, None
        try:
            return fetched, parse(fetched.body, fetched.content_type, fetched.url)
        except FeedError as error:
            return unreadable(fetched, error, self._clock()), None

    def _written(self, fetched: Fetched, document: Document | None) -> Outcome:
        now, before, after, counts = self._clock(), fetched.before, fetched.after, Counts()
        if document is not None:
            after = self._where_it_may(before, settled(fetched, document, now))
            counts = record_document(self.store, before, document, after, self._policy, now)
        elif fetched.kind == "unchanged":
            after = self._where_it_may(before, after)
            counts = record_unchanged(self.store, before, after, now)
        else:
            record_failure(self.store, before, after)
        return Outcome(before.feed_url, _STATUS[fetched.kind], after, counts)

    def _where_it_may(self, before: Feed, after: Feed) -> Feed:
        """Two feeds that moved to one address stay two: no run merges what it was not told to."""
        new = after.feed_url
        if new == before.feed_url:
            return after
        if all(feed.feed_id == before.feed_id for feed in self.store.feeds([new])):
            self._warn(f"{before.feed_url} has moved for good; from now on it is {new}")
            return after
        self._warn(f"{before.feed_url} has moved for good to {new}, which is a feed here already")
        return replace(after, feed_url=before.feed_url, former=before.former)


def _spread(feeds: Sequence[Feed]) -> Iterator[Feed]:
    """One of each host in turn: a host with many feeds is asked slowly, and must not hold all."""
    by_host: dict[str, list[Feed]] = defaultdict(list)
    for feed in feeds:
        by_host[urlsplit(feed.feed_url).netloc].append(feed)
    turns = chain.from_iterable(zip_longest(*by_host.values()))
    return (feed for feed in turns if feed is not None)


def _unforeseen(what: str, error: Exception) -> str:
    return f"{what} failed in a way nobody foresaw: {type(error).__name__} (please report it)"
