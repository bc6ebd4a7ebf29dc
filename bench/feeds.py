"""A thousand feeds with nothing new: requests a second, from the bare client to the whole run.

`python -m bench.feeds` measures and writes docs/bench/feeds.md. The server answers 304 to all it is
asked, in a process of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import sys
import tempfile
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from time import perf_counter

import aiohttp

from bench import machine
from bench.markdown import figure, table
from sameas.feeds.fetch import headers_for
from sameas.feeds.passwords import Passwords
from sameas.feeds.record import record_failure
from sameas.feeds.sync import AT_ONCE, Outcome, Run
from sameas.net.client import Client
from sameas.net.settings import Settings, networks
from sameas.policy import Policy
from sameas.store.memory import MemoryStore
from sameas.store.opening import open_store
from sameas.store.protocol import Store
from sameas.store.types import Feed

PAGE = Path(__file__).parent.parent / "docs" / "bench" / "feeds.md"
FEEDS, ROUNDS = 1_000, 7
_NOTHING_NEW = b'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\n\r\n'
_SETTINGS = Settings(spacing=0.0, per_host=AT_ONCE, allow_networks=networks(["127.0.0.1"]))
_NOW = datetime(2026, 11, 19, tzinfo=UTC)

BARE, CLIENT = "aiohttp, bare", "the guarded client"
IN_MEMORY, IN_FILE = "the run, store in memory", "the run, store in a file (SQLite)"
_DOES = {
    BARE: "a request with the same headers, the answer read",
    CLIENT: "the same, every address vetted, every limit held",
    IN_MEMORY: "the same, each feed chosen, judged, scheduled and recorded",
    IN_FILE: "the same, each feed in a transaction of its own",
}


@dataclass(frozen=True)
class Reading:
    name: str
    rates: tuple[float, ...]
    """Requests a second, round by round."""

    @property
    def middle(self) -> float:
        return median(self.rates)


class _Server(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport, self._buffer = transport, b""

    def data_received(self, data: bytes) -> None:
        *asked, self._buffer = (self._buffer + data).split(b"\r\n\r\n")
        self._transport.write(_NOTHING_NEW * len(asked))


def _serve(pipe: Connection) -> None:
    async def forever() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(_Server, "127.0.0.1", 0, backlog=512)
        pipe.send(server.sockets[0].getsockname()[1])
        await server.serve_forever()

    asyncio.run(forever())


@contextmanager
def serving() -> Iterator[str]:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    try:
        yield f"http://127.0.0.1:{ours.recv()}"
    finally:
        process.kill()
        process.join()
        ours.close()


def known_feeds(store: Store, base: str, count: int) -> list[Feed]:
    """Feeds that have been read before, so that they are asked with validators."""
    added = store.add_feeds([(f"{base}/{n}", "") for n in range(count)], _NOW)
    for feed in added:
        after = replace(feed, etag='"1"', last_modified="x", validators_url=feed.feed_url)
        record_failure(store, feed, after)
    return store.feeds()


Ask = Callable[[Feed], Awaitable[int]]


async def _all(feeds: Sequence[Feed], ask: Ask) -> None:
    waiting = iter(feeds)

    async def each() -> None:
        for feed in waiting:
            assert await ask(feed) == 304

    await asyncio.gather(*(each() for _ in range(AT_ONCE)))


async def _bare(feeds: Sequence[Feed]) -> None:
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:

        async def ask(feed: Feed) -> int:
            headers = headers_for(feed, Passwords())(feed.feed_url)
            async with session.get(feed.feed_url, headers=headers) as answer:
                await answer.read()
                return answer.status

        await _all(feeds, ask)


async def _guarded(feeds: Sequence[Feed]) -> None:
    async with Client(_SETTINGS) as client:

        async def ask(feed: Feed) -> int:
            reply = await client.follow(feed.feed_url, headers_for(feed, Passwords()))
            return reply.status

        await _all(feeds, ask)


async def _whole(store: Store, feeds: Sequence[Feed], policy: Policy) -> None:
    done: list[Outcome] = []
    run = Run(store, policy, lambda: _NOW, done.append, _tell)
    async with Client(_SETTINGS) as client:
        await run.over(feeds, client, Passwords())
    assert [one.status for one in done] == ["no_change"] * len(feeds)


def measure(count: int, rounds: int) -> list[Reading]:
    """Each round has every subject once, so that what else runs disturbs all alike."""
    policy = Policy.load("feed")
    rates: dict[str, list[float]] = {name: [] for name in _DOES}
    with (
        serving() as base,
        tempfile.TemporaryDirectory() as folder,
        closing(open_store(str(Path(folder) / "store.db"))) as file,
    ):
        stores: dict[str, Store] = {IN_MEMORY: MemoryStore(), IN_FILE: file}
        feeds = {name: known_feeds(store, base, count) for name, store in stores.items()}
        runs: dict[str, Callable[[], Coroutine[None, None, None]]] = {
            BARE: lambda: _bare(feeds[IN_MEMORY]),
            CLIENT: lambda: _guarded(feeds[IN_MEMORY]),
            IN_MEMORY: lambda: _whole(stores[IN_MEMORY], feeds[IN_MEMORY], policy),
            IN_FILE: lambda: _whole(file, feeds[IN_FILE], policy),
        }
        for number in range(1, rounds + 1):
            _tell(f"round {number} of {rounds}, {count:,} feeds")
            for name, run in runs.items():
                gc.collect()
                begin = perf_counter()
                asyncio.run(run())
                rates[name].append(count / (perf_counter() - begin))
    return [Reading(name, tuple(found)) for name, found in rates.items()]


def page(readings: Sequence[Reading], count: int, rounds: int, date: str) -> str:
    default = (count, rounds) == (FEEDS, ROUNDS)
    command = "python -m bench.feeds" + ("" if default else f" --feeds {count} --rounds {rounds}")
    facts = table(("", ""), [*machine.facts().items(), ("date", date), ("command", f"`{command}`")])
    floor = next(one.middle for one in readings if one.name == BARE)
    rows = [
        (
            one.name,
            _DOES[one.name],
            figure(one.middle),
            f"{figure(min(one.rates))} to {figure(max(one.rates))}",
            f"{one.middle / floor:.2f}",
        )
        for one in readings
    ]
    head = ("", "what it does", "requests a second", "in all rounds", "× bare")
    return "\n".join(
        (
            "# Feeds with nothing new\n",
            "This page is written by the command below, and by nobody's hand.\n",
            facts,
            f"{count:,} feeds of one host answer `304 Not Modified`, {AT_ONCE} at a time, without "
            "the pause between requests that a real host would be given. The server has a process "
            f"of its own; the figure is the middle of {rounds} rounds that take turns.\n",
            table(head, rows, right=(2, 3, 4)),
        )
    )


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.feeds", description=__doc__)
    parser.add_argument("--feeds", type=int, default=FEEDS, help="how many there are")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each is measured")
    parser.add_argument("--out", type=Path, default=PAGE, help="the page to write")
    asked = parser.parse_args(given)
    readings = measure(asked.feeds, asked.rounds)
    date = datetime.now(UTC).date().isoformat()
    text = page(readings, asked.feeds, asked.rounds, date)
    asked.out.write_text(text, encoding="utf-8")
    _tell(f"wrote {asked.out.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
