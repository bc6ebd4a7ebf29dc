"""docs/bench/resolve.md: what was measured, as tables and sentences.

What is measured, and how, is resolve.py's business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bench import machine
from bench.markdown import figure, table
from sameas.net.reply import Method

BARE, CLIENT, WHOLE = "aiohttp, bare", "the guarded client", "links resolved"
GOAL = 0.7
_DOES = {
    BARE: "the exchanges alone, each answer read",
    CLIENT: "the same, every address vetted, every limit held",
    WHOLE: "the same, each link spelled, followed, judged, its page read, with its evidence",
}


@dataclass(frozen=True)
class Kind:
    """A kind of link: which path it has, and which exchanges it takes."""

    name: str
    about: str
    path: str
    exchanges: tuple[tuple[Method, str], ...]
    """Method and path, as the resolver asks; {} is the number of the link."""


@dataclass(frozen=True)
class Reading:
    server: str
    kind: Kind
    name: str
    rates: tuple[float, ...]
    """Exchanges a second, round by round."""
    processor: float
    """Seconds a link, of our process: the least of all rounds."""

    @property
    def best(self) -> float:
        return max(self.rates)


@dataclass(frozen=True)
class Run:
    command: str
    links: int
    hosts: int
    at_once: int
    rounds: int
    kinds: Sequence[Kind]
    servers: Sequence[str]
    readings: Sequence[Reading]
    alone: Sequence[float]
    """Of each kind, seconds a link where all answers are there already."""
    polite: Polite


@dataclass(frozen=True)
class Polite:
    per_host: int
    spacing: float
    most: int
    mean: float
    """The shortest mean of the gaps between the starts of a host, in seconds."""


def page(run: Run) -> str:
    date = datetime.now(UTC).date().isoformat()
    facts = {**machine.facts(), "date": date, "command": f"`{run.command}`"}
    parts = [
        "# Links resolved\n",
        "This page is written by the command below, and by nobody's hand.\n",
        table(("", ""), facts.items()),
        f"{run.links:,} links of each kind, on {run.hosts} hosts, {run.at_once} connections at a "
        "time, without TLS and without the pause between requests that a real host would be given. "
        "Client and server have a process each. What is counted is exchanges: bare, each link "
        "costs exactly the requests that resolving it takes, so a page's HEAD and its GET count "
        f"for both. The figure is the best of {run.rounds} rounds that take turns, since what else "
        "runs on the machine only ever slows; processor time is that of the client's process, and "
        "the least of all rounds.\n",
        "".join(f"- **{kind.name}**: {kind.about}.\n" for kind in run.kinds),
        "".join(f"- **{name}**: {does}.\n" for name, does in _DOES.items()),
        *(_section(run, server) for server in run.servers),
        _where(run),
        _politeness(run),
    ]
    return "\n".join(parts)


def _of(run: Run, server: str, kind: Kind, name: str) -> Reading:
    wanted = (server, kind, name)
    return next(one for one in run.readings if (one.server, one.kind, one.name) == wanted)


def _section(run: Run, server: str) -> str:
    rows, reached = [], []
    for kind in run.kinds:
        floor = _of(run, server, kind, BARE).best
        for name in _DOES:
            one = _of(run, server, kind, name)
            spread = f"{figure(min(one.rates))} to {figure(max(one.rates))}"
            share = one.best / floor
            each = figure(one.best / len(kind.exchanges))
            rows.append((kind.name, name, figure(one.best), spread, each, f"{share:.2f}"))
            if name == WHOLE and share >= GOAL:
                reached.append(kind.name)
    head = ("links", "", "exchanges a second", "in all rounds", "links a second", "× bare")
    said = f"At least {GOAL:.2f} of bare: {', '.join(reached) or 'none of them'}.\n"
    return f"## {server}\n\n{table(head, rows, right=(2, 3, 4, 5))}\n{said}"


def _where(run: Run) -> str:
    """From the server that answers at once: the other one leaves time for all of it."""
    rows = []
    for kind, alone in zip(run.kinds, run.alone, strict=True):
        bare, client, whole = (_of(run, run.servers[0], kind, name).processor for name in _DOES)
        parts = (bare, client - bare, alone, whole - client - alone, whole)
        told = (f"{1e6 * seconds:,.0f} µs" for seconds in parts)
        rows.append((kind.name, *told, f"{bare / whole:.2f}"))
    head = ("links", BARE, "guard", "resolving", "many at once", "in all", "× bare")
    return (
        f"## Where the time goes\n\nProcessor time a link. **{BARE}** and **guard** are its "
        "exchanges; **resolving** is spelling, judging, reading and writing down, measured with "
        "answers that are there already; **many at once** is what is left over: "
        f"{run.at_once} links that push one another out of the caches. The last column is the "
        "share of bare that is left where the processor is all that counts.\n\n"
        f"{table(head, rows, right=range(1, 7))}\n"
        "A server that answers at once, with no network between, makes an exchange cost next to "
        "nothing, and then whatever is done besides shows. One that takes its time leaves room "
        "for it.\n"
    )


def _politeness(run: Run) -> str:
    polite = run.polite
    return (
        f"## Politeness under load\n\n{run.hosts} hosts, all their links resolved at once, at most "
        f"{polite.per_host} requests to a host at a time and {polite.spacing:g} s between their "
        f"starts: the server counted at most {polite.most} at once, and at no host starts that "
        f"were closer than {polite.mean:.3f} s in the mean.\n"
    )
