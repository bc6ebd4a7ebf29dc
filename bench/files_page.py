"""docs/bench/files.md: what `bench/files.py` measured, as a table, a chart and sentences.

The sentences are made from the figures: none is written before they are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.curve import Line, Series, draw, fitted
from bench.markdown import figure, table

FLOOR, CANON, DEDUPE = "read, hash, write", "canon", "dedupe"
IN_MEMORY, BY_SET = "dedupe in memory", "a set of keys"
OURS = (CANON, DEDUPE)
MILLION = 1_000_000


@dataclass(frozen=True)
class Reading:
    """One measurement: seconds on the clock and of processor time, and the peak of memory."""

    who: str
    size: int
    wall: float
    slowest: float
    processor: float
    megabytes: float
    limited: bool


@dataclass(frozen=True)
class Run:
    """`same`: of how many links the survivors were compared, with whose, and if they are equal."""

    date: str
    command: str
    machine: Mapping[str, str]
    engine: str
    readings: Sequence[Reading]
    same: Sequence[tuple[int, str, bool]]

    def of(self, who: str) -> list[Reading]:
        return sorted((r for r in self.readings if r.who == who), key=lambda r: r.size)

    def line(self, who: str) -> Line:
        """Processor seconds by links."""
        return fitted([(r.size, r.processor) for r in self.of(who)])


MOST_TIMES, MOST_MEGABYTES, MOST_OFF = 2.0, 300, 0.1


def page(run: Run) -> str:
    facts = [*run.machine.items(), ("engine", run.engine), ("date", run.date),
             ("command", f"`{run.command}`")]  # fmt: skip
    return "\n".join(
        [
            "# Long files\n",
            "This page is written by the command below, and by nobody's hand.\n",
            table(("", ""), facts),
            "![Processor seconds by millions of links: points on straight lines](files.svg)\n",
            "## What is claimed\n",
            "".join(f"- {claim}\n" for claim in _claims(run)),
            "## What was measured\n",
            _measured(run),
            "## How it is measured\n",
            _METHOD,
        ]
    )


def _claims(run: Run) -> list[str]:
    [floor] = run.of(FLOOR)
    beside = next(r for r in run.of(CANON) if r.size == floor.size)
    times = beside.wall / floor.wall
    peak = max(r.megabytes for r in run.of(CANON))
    longest = run.of(DEDUPE)[-1]
    claims = [
        f"`canon` on {floor.size:,} lines takes at most {MOST_TIMES:g} times as long as reading, "
        f"hashing and writing each line in Python: {_verdict(times <= MOST_TIMES)}, "
        f"{figure(beside.wall)} s against {figure(floor.wall)} s, {times:.2f} times as long.",
        f"`canon` takes less than {MOST_MEGABYTES} MB: {_verdict(peak < MOST_MEGABYTES)}, "
        f"{peak:,.0f} MB at the most.",
        f"`dedupe --by url --memory-limit 1GB` ends with {longest.size:,} links where the system "
        f"gives it no more than 1 GB of addresses: {_verdict(longest.limited)}, in "
        f"{figure(longest.wall)} s, with {longest.megabytes:,.0f} MB of memory.",
    ]
    for size, who, equal in run.same:
        claims.append(f"Its survivors of {size:,} links are those of {who}: {_verdict(equal)}.")
    for who in OURS:
        off = run.line(who).off([(r.size, r.processor) for r in run.of(who)])
        claims.append(
            f"The cost of `{who}` grows in a straight line: {_verdict(off <= MOST_OFF)}, no size "
            f"is more than {100 * off:.0f} % of the longest file's cost off it."
        )
    return claims


def _verdict(holds: bool) -> str:
    return "**holds**" if holds else "**does not hold**"


def _measured(run: Run) -> str:
    head = ("", "links", "on the clock s", "slowest", "processor s", "µs a link", "peak MB",
            "limit")  # fmt: skip
    rows = [
        (
            f"**{r.who}**" if r.who in OURS else r.who,
            f"{r.size:,}",
            figure(r.wall),
            f"+{100 * (r.slowest / r.wall - 1):.0f} %",
            figure(r.processor),
            f"{r.processor / r.size * MILLION:.2f}",
            f"{r.megabytes:,.0f}",
            "1 GB" if r.limited else "none",
        )
        for r in sorted(run.readings, key=lambda r: (r.who, r.size))
    ]
    return table(head, rows, right=range(1, 8))


def chart(run: Run) -> str:
    kinds = {CANON: "ours", DEDUPE: "floor"}
    series = [
        Series(who, kinds[who], [(r.size / MILLION, r.processor) for r in run.of(who)])
        for who in OURS
    ]
    subtitle = "Processor seconds by millions of links; each line is the nearest to its points."
    return draw("Twice the links, twice the work", subtitle, ("million links", "s"), series)


_METHOD = (
    "The links are made on the spot by `bench/crawl.py` out of ordinary ones: every other link is "
    "a page that was there before, at another address. Each measurement is a process of its own, "
    "started by a small one that takes its time and its peak of memory. The limit is one on the "
    "address space (`RLIMIT_AS`), which holds for all that the process has, DuckDB and libraries "
    "included. The floor is four lines of Python: each line read, hashed with SHA-256 and written. "
    "`canon` reads, parses and canonicalizes each link, and writes what it has become; beside the "
    "floor the best of some processes counts, elsewhere the only one. Survivors are compared by "
    "the hash of the whole output: with the same command without a limit where that has the time, "
    "and with a set of the keys of all links, in memory.\n"
)
