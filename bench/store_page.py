"""docs/bench/store.md: what was measured of the store, as tables and sentences.

The sentences are made from the figures: none is written before they are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from bench.markdown import figure, table

GOAL = 0.5
_PACKAGES = ("sqlalchemy", "psycopg")


@dataclass(frozen=True)
class Reading:
    """Entries a second, ours and the bare upserts', best round."""

    kind: str
    size: int
    what: str
    ours: float
    bare: float

    @property
    def ratio(self) -> float:
        return self.ours / self.bare


@dataclass(frozen=True)
class Growth:
    """Seconds, at one size of the store."""

    kind: str
    entries: int
    seen: float
    new: float
    pruned: float
    nothing: float
    bytes: int


@dataclass(frozen=True)
class Run:
    facts: Mapping[str, str]
    rounds: int
    readings: Sequence[Reading]
    growth: Sequence[Growth]


def page(run: Run) -> str:
    packages = {name: version(name) for name in _PACKAGES}
    facts = table(("", ""), [*run.facts.items(), *packages.items()])
    return "\n".join(
        [
            "# The store: entries a second, and a store that grows\n",
            "This page is written by the command below, and by nobody's hand.\n",
            facts,
            "## Recording parsed entries\n",
            _claim(run.readings),
            _compared(run.readings),
            _method(run.rounds),
            "## As a store grows\n",
            _grown(run.growth),
            "A document of 50 entries known already, one of 50 new ones, a pruning that removes "
            "1,000 entries, and one that finds nothing to remove: the whole table is read for "
            "that, because an index on `last_seen_at` would have to be written for every entry "
            "that is seen again. Best of 5, but for the pruning that removes.\n",
        ]
    )


def _claim(readings: Sequence[Reading]) -> str:
    missed = [one for one in readings if one.ratio < GOAL]
    if not missed:
        worst = min(readings, key=lambda one: one.ratio)
        return (
            "The goal is at least half the speed of the same upserts without any of our logic. "
            f"**It holds** throughout: the least is {worst.ratio:.2f} ({_name(worst)}).\n"
        )
    listed = ", ".join(f"{one.ratio:.2f} for {_name(one)}" for one in missed)
    return (
        "The goal is at least half the speed of the same upserts without any of our logic. "
        f"**It is missed**: {listed}.\n"
    )


def _name(one: Reading) -> str:
    return f"{one.what} entries in {one.kind}, {one.size:,} a document"


def _compared(readings: Sequence[Reading]) -> str:
    head = ("database", "entries a document", "", "sameas", "bare upserts", "ratio")
    rows = [
        (
            one.kind,
            f"{one.size:,}",
            one.what,
            f"{figure(one.ours)}/s",
            f"{figure(one.bare)}/s",
            f"{one.ratio:.2f}",
        )
        for one in readings
    ]
    return table(head, rows, right=(1, 3, 4, 5))


def _method(rounds: int) -> str:
    return (
        "sameas starts from parsed items: it canonicalizes the link, makes keys and hashes, finds "
        "the entries they belong to, decides, and writes entries, keys, sources and the feed, one "
        "transaction a document. The bare upserts write the same rows into the same tables with "
        "SQLAlchemy's `INSERT … ON CONFLICT`, many rows at a time, also one transaction a "
        "document; they are told every key, hash and number beforehand, and write every column "
        f"again whether it changed or not. Best of {rounds} interleaved rounds, each "
        "with new stores: for SQLite as processor time, for PostgreSQL, which works in processes "
        "of its own, by the clock.\n"
    )


def _grown(growth: Sequence[Growth]) -> str:
    head = ("database", "entries", "seen", "new", "prune 1,000", "prune nothing", "size")
    rows = [
        (
            one.kind,
            f"{one.entries:,}",
            *(f"{figure(1000 * s)} ms" for s in (one.seen, one.new, one.pruned, one.nothing)),
            f"{figure(one.bytes / 1e6)} MB",
        )
        for one in growth
    ]
    return table(head, rows, right=range(1, 7))
