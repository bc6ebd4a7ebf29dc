"""docs/bench/serve.md: what was measured of the service, as tables and sentences.

The sentences are made from the figures: none is written before they are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from bench.markdown import table

GOAL = 3.0
_PACKAGES = ("fastapi", "starlette", "uvicorn", "h11")
_MIB = 2**20


@dataclass(frozen=True)
class Reading:
    """Requests a second, and the time of a request: half of them, all but one in a hundred."""

    what: str
    who: str
    rate: float
    half: float
    tail: float


@dataclass(frozen=True)
class Run:
    facts: Mapping[str, str]
    connections: int
    large: int
    rounds: int
    readings: Sequence[Reading]
    batch: tuple[float, float]
    """Seconds of the large batch: the engine alone, and over HTTP."""
    samples: Sequence[tuple[int, int]]
    """Requests answered, and the bytes that the process held then."""


def page(run: Run) -> str:
    packages = {name: version(name) for name in _PACKAGES}
    return "\n".join(
        [
            "# The service: requests a second, and the tail\n",
            "This page is written by the command below, and by nobody's hand.\n",
            table(("", ""), [*run.facts.items(), *packages.items()]),
            f"## {run.connections} connections on loopback\n",
            table(("", "", "rate", "p50", "p99"), map(_row, run.readings), (2, 3, 4)),
            _told(run) + "\n",
            f"## A batch of {run.large:,}\n",
            _batch(run) + "\n",
            "## Memory\n",
            _memory(run) + "\n",
        ]
    )


def _row(reading: Reading) -> tuple[str, ...]:
    return (
        reading.what,
        reading.who,
        f"{reading.rate:,.0f}/s",
        f"{reading.half * 1000:,.1f} ms",
        f"{reading.tail * 1000:,.1f} ms",
    )


def _told(run: Run) -> str:
    by = {(one.what, one.who): one.rate for one in run.readings}
    ratios = ", ".join(
        f"{what} {rate / by[what, 'bare route']:.2f}"
        for (what, who), rate in by.items()
        if who == "sameas"
    )
    return (
        f"Of the bare route's rate the service has: {ratios}. "
        "One process serves, one asks. The bare route is of the same framework on the same server, "
        "without checks, log, metrics or headers of its own; it reads what it is sent and answers "
        f"about as many bytes. With {run.connections} requests always under way, a latency is "
        f"mostly the time in the queue: {run.connections} divided by the rate."
    )


def _batch(run: Run) -> str:
    alone, served = run.batch
    ratio = served / alone
    met = "It is met" if ratio < GOAL else "**It is missed**"
    return (
        f"The goal is less than {GOAL:g} times the engine alone. {met}: {served * 1000:,.0f} ms "
        f"over HTTP, {alone * 1000:,.0f} ms for `canonicalize_many` of the same URLs without it, "
        f"{ratio:.2f} times. The rest is JSON, there and back. Best of {run.rounds}."
    )


def _memory(run: Run) -> str:
    count, held = run.samples[-1]
    grown = slope(run.samples)
    return (
        f"After {count:,} requests the process held {held / _MIB:.1f} MiB. Over the last half "
        f"of them it grew by {grown:.2f} bytes a request, which is {grown * 1e6 / _MIB:+.2f} MiB "
        "in a million."
    )


def slope(samples: Sequence[tuple[int, int]]) -> float:
    """Bytes a request over the last half, by least squares."""
    last = samples[len(samples) // 2 :]
    x, y = (sum(pair[i] for pair in last) / len(last) for i in (0, 1))
    spread = sum((count - x) ** 2 for count, _ in last)
    return sum((count - x) * (held - y) for count, held in last) / spread if spread else 0.0
