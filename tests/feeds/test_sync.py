"""The run itself: whom it asks, what it survives, what it says about it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack, closing
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from tools.postgres import own_server

from sameas.errors import StoreError
from sameas.feeds import sync as running
from sameas.feeds.passwords import Passwords
from sameas.feeds.sync import Outcome, Run, choose
from sameas.net.client import Client
from sameas.store.memory import MemoryStore
from sameas.store.opening import open_store
from sameas.store.protocol import Store
from sameas.store.types import Feed
from tests.feeds.runs import DAY, FEED_POLICY, HOUR, NOW, added, entries, numbered, sync, titles
from tests.net.ask import loopback
from tests.net.servers import Asked, Server, reply

FEED = Feed(1, "https://example.org/feed", NOW)
EARLY, LATE = NOW - HOUR, NOW + HOUR


@pytest.mark.parametrize(
    ("feed", "asked", "asked_if_due", "waits"),
    [
        (FEED, True, True, False),
        (replace(FEED, next_check_at=EARLY), True, True, False),
        (replace(FEED, next_check_at=NOW), True, True, False),
        (replace(FEED, next_check_at=LATE), True, False, False),
        (replace(FEED, next_check_at=LATE, waiting=True), False, False, True),
        (replace(FEED, next_check_at=EARLY, waiting=True), True, True, False),
        (replace(FEED, next_check_at=NOW + 8 * DAY), True, True, False),
        (replace(FEED, next_check_at=NOW + 8 * DAY, waiting=True), True, True, False),
        (replace(FEED, status="gone"), False, False, False),
    ],
)
def test_who_is_asked(feed: Feed, asked: bool, asked_if_due: bool, waits: bool):
    plain, due = choose([feed], NOW), choose([feed], NOW, due=True)
    assert (plain.ask == [feed], due.ask == [feed]) == (asked, asked_if_due)
    assert (plain.waiting == [feed], due.waiting) == (waits, [])


def test_a_feed_that_is_gone_is_asked_when_it_is_named():
    gone = replace(FEED, status="gone")
    assert choose([gone], NOW, named=True).ask == [gone]


class _Sabotaged:
    """A run whose store is done something to after the first feed."""

    def __init__(self, store: Store, sabotage: Callable[[], object]) -> None:
        self.outcomes: list[Outcome] = []
        self.warnings: list[str] = []
        self._sabotage = sabotage
        self.run = Run(store, FEED_POLICY, lambda: NOW, self._done, self.warnings.append)

    def _done(self, outcome: Outcome) -> None:
        if not self.outcomes:
            self._sabotage()
        self.outcomes.append(outcome)

    def over(self, feeds: list[Feed]) -> None:
        async def run() -> None:
            async with Client(loopback(per_host=1)) as client:
                await self.run.over(feeds, client, Passwords())

        asyncio.run(run())


def _same_entries(_: Asked) -> tuple[bytes]:
    return reply(numbered(1, 2))


def _one_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "AT_ONCE", 1)


def test_a_store_that_is_locked_in_the_middle_costs_no_feed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """The three feeds carry the same links: in memory too, they are new exactly once."""
    _one_after_another(monkeypatch)
    path = tmp_path / "store.db"
    store = open_store(str(path), patience=0.05)
    with closing(store), closing(sqlite3.connect(path, isolation_level=None)) as other:
        with Server(_same_entries) as server:
            added(store, *(server.url(f"/{n}") for n in range(3)))
            sabotaged = _Sabotaged(store, lambda: other.execute("BEGIN IMMEDIATE"))
            sabotaged.over(store.feeds())
        other.execute("ROLLBACK")
        assert [one.status for one in sabotaged.outcomes] == ["ok"] * 3
        assert [one.counts.new for one in sabotaged.outcomes] == [2, 2, 0]
        assert sabotaged.run.lost
        (warning,) = sabotaged.warnings
        assert "in memory" in warning
        assert str(path) in warning
        assert len(entries(store)) == 2
        assert [feed.last_checked_at for feed in store.feeds()] == [NOW, None, None]


def test_a_store_that_is_full_in_the_middle_keeps_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    _one_after_another(monkeypatch)
    store = open_store(str(tmp_path / "store.db"))

    def fill() -> None:
        def limit(connection: sqlite3.Connection, *_: object) -> None:
            (pages,) = connection.execute("PRAGMA page_count").fetchone()
            connection.execute(f"PRAGMA max_page_count = {pages}")

        sa.event.listen(store.engine, "connect", limit)
        store.engine.dispose()

    with closing(store), Server(reply(numbered(*range(500)))) as server:
        added(store, server.url("/0"))
        sync(store)
        before = len(entries(store))
        added(store, server.url("/1"), server.url("/2"))
        server.script = reply(numbered(*range(1000, 3000)))
        sabotaged = _Sabotaged(store, fill)
        sabotaged.over(store.feeds())
        assert sabotaged.run.lost
        assert {one.status for one in sabotaged.outcomes} == {"ok"}
        assert len(entries(store)) == before + 2000


def test_a_server_of_databases_that_stops_in_the_middle_costs_no_feed(
    monkeypatch: pytest.MonkeyPatch,
):
    _one_after_another(monkeypatch)
    with ExitStack() as databases:
        store = open_store(databases.enter_context(own_server(safe=False)))
        with closing(store), Server(_same_entries) as server:
            added(store, *(server.url(f"/{n}") for n in range(3)))
            sabotaged = _Sabotaged(store, databases.close)
            sabotaged.over(store.feeds())
    assert [one.status for one in sabotaged.outcomes] == ["ok"] * 3
    assert [one.counts.new for one in sabotaged.outcomes] == [2, 2, 0]
    assert sabotaged.run.lost


def test_trouble_with_how_a_store_is_used_ends_the_run(memory: MemoryStore):
    """Keys of another policy: going on in memory would hide it."""
    with Server(_same_entries) as server:
        added(memory, server.url("/feed"))
        with memory.writing() as writing:
            writing.stamp("other@1", "another fingerprint", NOW)
        with pytest.raises(StoreError) as caught:
            sync(memory)
    assert caught.value.code == "policy"


def test_what_nobody_foresaw_costs_one_feed(memory: Store, monkeypatch: pytest.MonkeyPatch):
    parse = running.parse

    def broken(body: bytes, content_type: str, url: str):  # type: ignore[no-untyped-def]
        if url.endswith("/odd"):
            raise ZeroDivisionError
        return parse(body, content_type, url)

    monkeypatch.setattr(running, "parse", broken)
    with Server(_same_entries) as server:
        added(memory, server.url("/odd"), server.url("/feed"))
        ran = sync(memory)
        odd = ran.by_url[server.url("/odd")]
    assert odd.status == "failed"
    assert "ZeroDivisionError" in (odd.feed.error or "")
    assert titles(memory) == ["Entry 1", "Entry 2"]


def test_a_feed_that_was_removed_while_it_was_asked_is_no_trouble(kept: Store):
    with Server(_same_entries) as server:
        (feed,) = added(kept, server.url("/feed"))

        def answer(asked: Asked) -> tuple[bytes]:
            kept.remove_feed(feed.feed_id)
            return _same_entries(asked)

        server.script = answer
        assert sync(kept).one.status == "ok"
    assert (kept.feeds(), entries(kept)) == ([], [])


def test_no_feeds_are_no_trouble(memory: Store):
    assert sync(memory).by_url == {}


def test_no_more_bodies_are_held_than_feeds_are_asked_at_once(
    memory: Store, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(running, "AT_ONCE", 3)
    held, most = set[str](), [0]
    fetch, written = running.fetch, Run._written

    async def fetching(client, feed, passwords, now):  # type: ignore[no-untyped-def]
        held.add(feed.feed_url)
        most[0] = max(most[0], len(held))
        return await fetch(client, feed, passwords, now)

    def writing(self, fetched, document):  # type: ignore[no-untyped-def]
        held.discard(fetched.before.feed_url)
        return written(self, fetched, document)

    monkeypatch.setattr(running, "fetch", fetching)
    monkeypatch.setattr(Run, "_written", writing)
    with Server(_same_entries) as server:
        added(memory, *(server.url(f"/{n}") for n in range(20)))
        assert len(sync(memory).by_url) == 20
    assert 1 < most[0] <= 3
