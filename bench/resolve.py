"""Links resolved: exchanges a second, from the bare client to whole links, at 200 connections.

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
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter

import aiohttp

from bench import machine
from bench.markdown import figure, table
from bench.resolve_server import FAR, Counting, Far, Near, serving
from sameas.net.client import Client, Method
from sameas.net.settings import ConnectTo, Settings
from sameas.policy import Policy
from sameas.resolve.facts import DomainFact, MemoryFacts
from sameas.resolve.probe import Resolver

PAGE = Path(__file__).parent.parent / "docs" / "bench" / "resolve.md"
LINKS, ROUNDS, AT_ONCE = 2_000, 5, 200
SPACING, PER_HOST = 0.05, 2
_NOW = datetime(2026, 11, 19, tzinfo=UTC)
_HOSTS = 20


@dataclass(frozen=True)
class Kind:
    """A kind of link: which path it has, and which exchanges it takes."""

    name: str
    about: str
    path: str
    exchanges: tuple[tuple[Method, str], ...]
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
        resolver = Resolver(client, policy, facts(hosts()), None, lambda: _NOW)

        async def each(link: str) -> None:
            found = await resolver.resolve(link)
            assert found.status == "ok", found

        await _all(links(kind, count), each)


BARE, CLIENT, WHOLE = "aiohttp, bare", "the guarded client", "links resolved"
_DOES = {
    BARE: "the exchanges alone, each answer read",
    CLIENT: "the same, every address vetted, every limit held",
    WHOLE: "the same, each link spelled, followed, judged, its page read, with its evidence",
}
SERVERS: dict[str, type[asyncio.Protocol]] = {
    "A server that answers at once": Near,
    f"A server that answers after {FAR:g} s": Far,
}


@dataclass(frozen=True)
class Reading:
    server: str
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
    rates: dict[tuple[str, int, str], list[float]] = defaultdict(list)
    for server, protocol in SERVERS.items():
        with serving(protocol) as (port, _):
            for number in range(1, rounds + 1):
                _tell(f"{server}: round {number} of {rounds}, {count:,} links of each kind")
                for i, kind in enumerate(KINDS):
                    for name, run in _runs(port, kind, count, policy).items():
                        gc.collect()
                        begin = perf_counter()
                        asyncio.run(run())
                        done = count * len(kind.exchanges) / (perf_counter() - begin)
                        rates[server, i, name].append(done)
    return [Reading(s, KINDS[i], name, tuple(found)) for (s, i, name), found in rates.items()]


def _runs(port: int, kind: Kind, count: int, policy: Policy) -> dict[str, Run]:
    return {
        BARE: lambda: bare(port, kind, count),
        CLIENT: lambda: guarded(port, kind, count),
        WHOLE: lambda: resolved(port, kind, count, policy),
    }


def politeness(links: int) -> tuple[int, float]:
    """Most requests at one host at once, and the shortest mean gap between the starts of one, while
    documents of all hosts are resolved at once."""
    with serving(Counting) as (port, pipe):
        polite = settings(port, spacing=SPACING, per_host=PER_HOST)
        asyncio.run(resolved(port, KINDS[0], links, Policy.load("clara"), polite))
        pipe.send(None)
        most, shortest = pipe.recv()
        return most, shortest


def page(readings: Sequence[Reading], polite: tuple[int, float], count: int, rounds: int) -> str:
    default = (count, rounds) == (LINKS, ROUNDS)
    command = "python -m bench.resolve" + ("" if default else f" --links {count} --rounds {rounds}")
    date = datetime.now(UTC).date().isoformat()
    facts = table(("", ""), [*machine.facts().items(), ("date", date), ("command", f"`{command}`")])
    kinds = "".join(f"- **{kind.name}**: {kind.about}.\n" for kind in KINDS)
    subjects = "".join(f"- **{name}**: {does}.\n" for name, does in _DOES.items())
    parts = [
        "# Links resolved\n",
        "This page is written by the command below, and by nobody's hand.\n",
        facts,
        f"{count:,} links of each kind, on {_HOSTS} hosts, {AT_ONCE} connections at a time, "
        "without TLS and without the pause between requests that a real host would be given. What "
        "is counted is exchanges: bare, each link costs exactly the requests that resolving it "
        f"takes. The figure is the middle of {rounds} rounds that take turns.\n",
        kinds,
        subjects,
        *(_section(server, readings) for server in SERVERS),
        f"## Politeness under load\n\n{_HOSTS} hosts, all their links resolved at once, at most "
        f"{PER_HOST} requests to a host at a time and {SPACING:g} s between their starts: the "
        f"server counted at most {polite[0]} at once, and at no host starts that were closer than "
        f"{polite[1]:.3f} s in the mean.\n",
    ]
    return "\n".join(parts)


def _section(server: str, readings: Sequence[Reading]) -> str:
    found = {(r.kind.name, r.name): r for r in readings if r.server == server}
    rows = []
    for kind in KINDS:
        floor = found[kind.name, BARE].middle
        for name in _DOES:
            one = found[kind.name, name]
            spread = f"{figure(min(one.rates))} to {figure(max(one.rates))}"
            links = figure(one.middle / len(kind.exchanges))
            rows.append(
                (kind.name, name, figure(one.middle), spread, links, f"{one.middle / floor:.2f}")
            )
    head = ("links", "", "exchanges a second", "in all rounds", "links a second", "× bare")
    return f"## {server}\n\n{table(head, rows, right=(2, 3, 4, 5))}"


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.resolve", description=__doc__)
    parser.add_argument("--links", type=int, default=LINKS, help="how many of each kind")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each is measured")
    parser.add_argument("--out", type=Path, default=PAGE, help="the page to write")
    asked = parser.parse_args(given)
    readings = measure(asked.links, asked.rounds)
    text = page(readings, politeness(min(asked.links, 400)), asked.links, asked.rounds)
    asked.out.write_text(text, encoding="utf-8")
    _tell(f"wrote {asked.out.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
