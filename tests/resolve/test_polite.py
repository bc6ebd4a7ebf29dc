"""Many links of a few hosts, resolved at once: how many a host has at a time, counted by a server,
and how far apart they start, by a clock of the test's own."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from itertools import pairwise

from sameas.net.client import Client
from sameas.net.politeness import Pace
from sameas.net.settings import ConnectTo, Settings
from sameas.policy import named
from sameas.resolve.facts import DomainFact, MemoryFacts
from sameas.resolve.probe import Resolver
from tests.resolve.scenario import NOW

HOSTS = [f"sede{n}.uno.test" for n in range(5)]
LINKS = [f"http://{host}/docs/{n}.pdf" for n in range(40) for host in HOSTS]
SPACING, PER_HOST = 2.0, 3


class Web:
    """Answers every request after a moment, and counts how many of a host it has at once."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self.most: Counter[str] = Counter()
        self._now: Counter[str] = Counter()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while head := await reader.read(65536):
            host = head.decode("latin-1").partition("Host: ")[2].partition("\r\n")[0]
            self.asked[host] += 1
            self._now[host] += 1
            self.most[host] = max(self.most[host], self._now[host])
            await asyncio.sleep(0.005)
            self._now[host] -= 1
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n")
        writer.close()


class Timed(Pace):
    """Notes when each request starts. Time passes when somebody sleeps, and only then."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings, lambda: self.now, self._pass, lambda: 0.0)
        self.now = 0.0
        self.starts: defaultdict[int, list[float]] = defaultdict(list)

    async def _pass(self, seconds: float) -> None:
        until = self.now + seconds
        await asyncio.sleep(0)
        self.now = max(self.now, until)

    async def start(self, at: object) -> None:
        await super().start(at)  # type: ignore[arg-type]
        self.starts[id(at)].append(self.now)


def run_over(spacing: float, per_host: int) -> tuple[Web, Timed]:
    async def run() -> tuple[Web, Timed]:
        web = Web()
        server = await asyncio.start_server(web.serve, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        rule = ConnectTo("", 80, "127.0.0.1", port)
        settings = Settings(
            connect_to=(rule,), spacing=spacing, per_host=per_host, connections=len(LINKS)
        )
        pace, facts = Timed(settings), MemoryFacts()
        for host in HOSTS:
            facts.save_domain(DomainFact(host, None, False, NOW))
        async with Client(settings, pace) as client:
            resolver = Resolver(client, named("clara"), facts, None, lambda: NOW)
            found = await asyncio.gather(*map(resolver.resolve, LINKS))
        server.close()
        await server.wait_closed()
        assert {one.status for one in found} == {"ok"}
        return web, pace

    return asyncio.run(run())


def test_no_host_has_more_requests_at_once_than_it_may_however_many_links_there_are():
    web, _ = run_over(0.0, PER_HOST)
    assert web.asked == dict.fromkeys(HOSTS, 40)
    assert web.most == dict.fromkeys(HOSTS, PER_HOST), "it is used, and not exceeded"


def test_without_the_limit_the_same_server_counts_more():
    web, _ = run_over(0.0, len(LINKS))
    assert min(web.most.values()) > PER_HOST


def test_no_two_requests_to_a_host_start_closer_than_they_may():
    web, pace = run_over(SPACING, PER_HOST)
    assert max(web.most.values()) <= PER_HOST
    assert len(pace.starts) == len(HOSTS)
    for starts in pace.starts.values():
        assert len(starts) == 40
        assert min(later - sooner for sooner, later in pairwise(starts)) >= SPACING
