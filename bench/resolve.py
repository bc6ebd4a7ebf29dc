"""Links resolved: exchanges a second, from the bare client to whole links, at 200 connections.

`python -m bench.resolve` measures and writes docs/bench/resolve.md. The server answers from memory,
in a process of its own; a second one counts what politeness is for.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import sys
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from time import perf_counter

import aiohttp

from bench import machine
from bench.markdown import figure, table
from sameas.net.client import Client
from sameas.net.settings import ConnectTo, Settings
from sameas.policy import Policy
from sameas.resolve.facts import DomainFact, MemoryFacts
from sameas.resolve.probe import Resolver

PAGE = Path(__file__).parent.parent / "docs" / "bench" / "resolve.md"
LINKS, ROUNDS, AT_ONCE = 4_000, 7, 200
_NOW = datetime(2026, 11, 19, tzinfo=UTC)
_HOSTS = 20


@dataclass(frozen=True)
class Kind:
    """A kind of link: which path it has, and which exchanges it takes."""

    name: str
    about: str
    path: str
    exchanges: tuple[tuple[str, str], ...]
    """Method and path, as the resolver asks; {} is the number of the link."""


KINDS = (
    Kind(
        "documents",
        "one HEAD",
        "/docs/a/{}.pdf",
        (("HEAD", "/docs/a/{}.pdf"),),
    ),
    Kind(
        "moved documents",
        "three redirects, four HEADs",
        "/r/3/{}.pdf",
        tuple(("HEAD", f"/r/{left}/{{}}.pdf") for left in (3, 2, 1, 0)),
    ),
    Kind(
        "pages",
        "HEAD, and GET of 2 KB of HTML that is read; one sibling a folder",
        "/es/tramites/{}",
        (("HEAD", "/es/tramites/{}"), ("GET", "/es/tramites/{}")),
    ),
)
_TEXT = "".join(f"<p>Requisito {n}: <a href='/es/{n}'>ver</a> lo que hace falta.</p>" for n in range(30))
_HEAD = "<html lang=es><head><title>Trámite</title><link rel=canonical href='{}'></head><h1>Trámite {}</h1>"


def _answer(method: str, path: str) -> bytes:
    parts = path.split("/")
    if parts[1] == "r" and parts[2] != "0":
        left, name = int(parts[2]) - 1, parts[3]
        lines = f"HTTP/1.1 301 Moved\r\nLocation: /r/{left}/{name}\r\nContent-Length: 0"
        return f"{lines}\r\n\r\n".encode()
    if path.endswith(".pdf"):
        return b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 0\r\n\r\n"
    if not parts[-1].isdigit():
        return b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n"
    body = (_HEAD.format(path, parts[-1]) + _TEXT).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + (body if method == "GET" else b"")


class _Server(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport, self._buffer = transport, b""

    def data_received(self, data: bytes) -> None:
        *asked, self._buffer = (self._buffer + data).split(b"\r\n\r\n")
        for one in asked:
            method, path, _ = one.decode("latin-1").split(" ", 2)
            self._transport.write(_answer(method, path))


class _Counting(asyncio.Protocol):
    """Answers after a while, and counts how many of a host's requests it has at once."""

    at_once: Counter[str] = Counter()
    most: Counter[str] = Counter()
    starts: defaultdict[str, list[float]] = defaultdict(list)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        method, path, rest = data.decode("latin-1").split(" ", 2)
        host = rest.partition("Host: ")[2].partition("\r\n")[0]
        self.starts[host].append(perf_counter())
        self.at_once[host] += 1
        self.most[host] = max(self.most[host], self.at_once[host])
        asyncio.get_running_loop().call_later(0.02, self._done, host, _answer(method, path))

    def _done(self, host: str, answer: bytes) -> None:
        self.at_once[host] -= 1
        self._transport.write(answer)


def _serve(pipe: Connection, protocol: type[asyncio.Protocol]) -> None:
    async def forever() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(protocol, "127.0.0.1", 0, backlog=1024)
        pipe.send(server.sockets[0].getsockname()[1])
        await loop.run_in_executor(None, pipe.recv)
        gaps = [b - a for times in _Counting.starts.values() for a, b in zip(times, times[1:], strict=False)]
        pipe.send((max(_Counting.most.values(), default=0), min(gaps, default=0.0)))

    asyncio.run(forever())


@contextmanager
def serving(protocol: type[asyncio.Protocol] = _Server) -> Iterator[tuple[int, Connection]]:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, protocol), daemon=True)
    process.start()
    try:
        yield ours.recv(), ours
    finally:
        process.kill()
        process.join()
        ours.close()


def settings(port: int, **polite: float) -> Settings:
    rule = ConnectTo("", 80, "127.0.0.1", port)
    options = {"spacing": 0.0, "per_host": AT_ONCE, "connections": AT_ONCE, **polite}
    return Settings(connect_to=(rule,), **options)  # type: ignore[arg-type]


def hosts(count: int = _HOSTS) -> list[str]:
    return [f"sede.host-{n}.test" for n in range(count)]


def facts(names: Sequence[str]) -> MemoryFacts:
    """The server speaks no TLS, and that is known, so that nobody tries."""
    known = MemoryFacts()
    for name in names:
        known.save_domain(DomainFact(name, None, False, _NOW))
    return known


Run = Callable[[], Coroutine[None, None, None]]


async def _all(items: Sequence[str], each: Callable[[str], Awaitable[None]]) -> None:
    waiting = iter(items)

    async def work() -> None:
        for item in waiting:
            await each(item)

    await asyncio.gather(*(work() for _ in range(AT_ONCE)))


async def bare(port: int, kind: Kind, count: int) -> None:
    """Every exchange of every link, by aiohttp alone, each answer read."""
    numbers = [str(n) for n in range(count)]
    connector = aiohttp.TCPConnector(limit=0)
    jar = aiohttp.DummyCookieJar()
    async with aiohttp.ClientSession(connector=connector, cookie_jar=jar) as session:

        async def each(number: str) -> None:
            for method, path in kind.exchanges:
                url = f"http://127.0.0.1:{port}{path.format(number)}"
                async with session.request(method, url, allow_redirects=False) as answer:
                    await answer.read()

        await _all(numbers, each)


def _links(kind: Kind, count: int) -> list[str]:
    names = hosts()
    return [f"http://{names[n % _HOSTS]}{kind.path.format(n)}" for n in range(count)]


async def guarded(port: int, kind: Kind, count: int) -> None:
    """The same exchanges by our client: every address vetted, every limit held."""
    async with Client(settings(port)) as client:

        async def each(link: str) -> None:
            host, number = link.split("/")[2], link.rpartition("/")[2].removesuffix(".pdf")
            for method, path in kind.exchanges:
                url = f"http://{host}{path.format(number)}"
                await client.ask(url, method=method)  # type: ignore[arg-type]

        await _all(_links(kind, count), each)


async def resolved(port: int, kind: Kind, count: int, policy: Policy) -> None:
    async with Client(settings(port)) as client:
        resolver = Resolver(client, policy, facts(hosts()), None, lambda: _NOW)

        async def each(link: str) -> None:
            found = await resolver.resolve(link)
            assert found.status == "ok", found

        await _all(_links(kind, count), each)


BARE, CLIENT, WHOLE = "aiohttp, bare", "the guarded client", "links resolved"


@dataclass(frozen=True)
class Reading:
    kind: Kind
    name: str
    rates: tuple[float, ...]
    """Exchanges a second, round by round."""

    @property
    def middle(self) -> float:
        return median(self.rates)


def measure(count: int, rounds: int) -> list[Reading]:
    """Each round has every subject once, so that what else runs disturbs all alike."""
    policy = Policy.load("clara")
    rates: dict[tuple[int, str], list[float]] = defaultdict(list)
    with serving() as (port, _):
        for number in range(1, rounds + 1):
            _tell(f"round {number} of {rounds}, {count:,} links of each kind")
            for i, kind in enumerate(KINDS):
                runs: dict[str, Run] = {
                    BARE: lambda kind=kind: bare(port, kind, count),  # type: ignore[misc]
                    CLIENT: lambda kind=kind: guarded(port, kind, count),  # type: ignore[misc]
                    WHOLE: lambda kind=kind: resolved(port, kind, count, policy),  # type: ignore[misc]
                }
                for name, run in runs.items():
                    gc.collect()
                    begin = perf_counter()
                    asyncio.run(run())
                    exchanges = count * len(kind.exchanges)
                    rates[i, name].append(exchanges / (perf_counter() - begin))
    return [Reading(KINDS[i], name, tuple(found)) for (i, name), found in rates.items()]


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    for r in measure(int(sys.argv[1]), int(sys.argv[2])):
        print(r.kind.name, r.name, round(r.middle))
