"""Links resolved: exchanges a second and processor time, from the bare client to whole links.

`python -m bench.resolve` measures and writes docs/bench/resolve.md. The server, in
bench/resolve_server.py, has a process of its own; another one counts what politeness is for.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import aiohttp

from bench.resolve_page import BARE, CLIENT, WHOLE, Kind, Polite, Reading, Run, page
from bench.resolve_server import FAR, Counting, Far, Near, answer, serving
from sameas.net.client import Client
from sameas.net.reply import Headers, Method, Reply
from sameas.net.settings import ConnectTo, Settings
from sameas.policy import Policy
from sameas.resolve.facts import DomainFact, MemoryFacts
from sameas.resolve.probe import Resolver

PAGE = Path(__file__).parent.parent / "docs" / "bench" / "resolve.md"
LINKS, ROUNDS, AT_ONCE = 2_000, 5, 200
SPACING, PER_HOST = 0.05, 2
_NOW = datetime(2026, 11, 19, tzinfo=UTC)
_HOSTS = 20


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


def settings(port: int, spacing: float = 0.0, per_host: int = AT_ONCE) -> Settings:
    rule = ConnectTo("", 80, "127.0.0.1", port)
    return Settings(connect_to=(rule,), spacing=spacing, per_host=per_host, connections=AT_ONCE)


def hosts() -> list[str]:
    return [f"sede.host-{n}.test" for n in range(_HOSTS)]


def facts(names: Sequence[str]) -> MemoryFacts:
    """The server speaks no TLS, and that is known, so that nobody tries."""
    known = MemoryFacts()
    for name in names:
        known.save_domain(DomainFact(name, None, False, _NOW))
    return known


Work = Callable[[], Coroutine[None, None, None]]


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


def links(kind: Kind, count: int) -> list[str]:
    names = hosts()
    return [f"http://{names[n % _HOSTS]}{kind.path.format(n)}" for n in range(count)]


async def guarded(port: int, kind: Kind, count: int) -> None:
    """The same exchanges by our client: every address vetted, every limit held."""
    async with Client(settings(port)) as client:

        async def each(link: str) -> None:
            host, number = link.split("/")[2], link.rpartition("/")[2].removesuffix(".pdf")
            for method, path in kind.exchanges:
                url = f"http://{host}{path.format(number)}"
                await client.ask(url, method=method)

        await _all(links(kind, count), each)


async def resolved(
    port: int, kind: Kind, count: int, policy: Policy, polite: Settings | None = None
) -> None:
    async with Client(polite or settings(port)) as client:
        resolver = _resolver(client, policy)

        async def each(link: str) -> None:
            found = await resolver.resolve(link)
            assert found.status == "ok", found

        await _all(links(kind, count), each)


class Prepared:
    """A client that has all answers already: what is left is what resolving costs by itself."""

    def __init__(self) -> None:
        self._replies: dict[tuple[str, str], Reply] = {}

    async def ask(self, url: str, method: Method = "GET", **_: int) -> Reply:
        found = self._replies.get((method, url))
        if found is None:
            found = self._replies[method, url] = _reply(method, url)
        return found


def _reply(method: Method, url: str) -> Reply:
    head, _, body = answer(method, f"/{url.split('/', 3)[3]}").partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    pairs = [(name, value) for name, _, value in (line.partition(b": ") for line in lines)]
    return Reply(url, int(first.split()[1]), Headers(pairs), body)


async def prepared(kind: Kind, count: int, policy: Policy, client: Prepared) -> None:
    resolver = _resolver(client, policy)
    for link in links(kind, count):
        await resolver.resolve(link)


def _resolver(client: Any, policy: Policy) -> Resolver:
    return Resolver(client, policy, facts(hosts()), None, lambda: _NOW)


SERVERS: dict[str, type[asyncio.Protocol]] = {
    "A server that answers at once": Near,
    f"A server that answers after {FAR:g} s": Far,
}


def measure(count: int, rounds: int) -> list[Reading]:
    """Each round has every subject once, so that what else runs disturbs all alike."""
    policy = Policy.load("clara")
    found: dict[tuple[str, int, str], list[tuple[float, float]]] = defaultdict(list)
    for server, protocol in SERVERS.items():
        with serving(protocol) as (port, _):
            for number in range(1, rounds + 1):
                _tell(f"{server}: round {number} of {rounds}, {count:,} links of each kind")
                for i, kind in enumerate(KINDS):
                    for name, run in _runs(port, kind, count, policy).items():
                        gc.collect()
                        begin, spent = perf_counter(), process_time()
                        asyncio.run(run())
                        done = count * len(kind.exchanges) / (perf_counter() - begin)
                        found[server, i, name].append((done, (process_time() - spent) / count))
    return [
        Reading(server, KINDS[i], name, tuple(rate for rate, _ in runs), min(s for _, s in runs))
        for (server, i, name), runs in found.items()
    ]


def _runs(port: int, kind: Kind, count: int, policy: Policy) -> dict[str, Work]:
    return {
        BARE: lambda: bare(port, kind, count),
        CLIENT: lambda: guarded(port, kind, count),
        WHOLE: lambda: resolved(port, kind, count, policy),
    }


def alone(count: int, rounds: int) -> list[float]:
    """Of each kind, seconds a link of a run whose answers are there already."""
    policy, least = Policy.load("clara"), []
    for kind in KINDS:
        client, spent = Prepared(), []
        for _ in range(rounds + 1):
            gc.collect()
            begin = process_time()
            asyncio.run(prepared(kind, count, policy, client))
            spent.append((process_time() - begin) / count)
        least.append(min(spent[1:]))
    return least


def politeness(links: int) -> Polite:
    """Documents of all hosts resolved at once, counted by the server."""
    with serving(Counting) as (port, pipe):
        polite = settings(port, spacing=SPACING, per_host=PER_HOST)
        asyncio.run(resolved(port, KINDS[0], links, Policy.load("clara"), polite))
        pipe.send(None)
        most, mean = pipe.recv()
        return Polite(PER_HOST, SPACING, most, mean)


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.resolve", description=__doc__)
    parser.add_argument("--links", type=int, default=LINKS, help="how many of each kind")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each is measured")
    parser.add_argument("--out", type=Path, default=PAGE, help="the page to write")
    asked = parser.parse_args(given)
    default = (asked.links, asked.rounds) == (LINKS, ROUNDS)
    options = "" if default else f" --links {asked.links} --rounds {asked.rounds}"
    run = Run(
        command=f"python -m bench.resolve{options}",
        links=asked.links,
        hosts=_HOSTS,
        at_once=AT_ONCE,
        rounds=asked.rounds,
        kinds=KINDS,
        servers=tuple(SERVERS),
        readings=measure(asked.links, asked.rounds),
        alone=alone(asked.links, asked.rounds),
        polite=politeness(min(asked.links, 400)),
    )
    text = page(run)
    asked.out.write_text(text, encoding="utf-8")
    _tell(f"wrote {asked.out.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
