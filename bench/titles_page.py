"""docs/bench/titles.md: what `bench/titles.py` measured, as a table and sentences.

The sentences are made from the figures: none is written before they are known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bench.markdown import figure, table

OURS, NUMPY = "sameas", "sameas, NumPy"
PEER, PEER_ON_ALL = "cdist", "cdist, all cores"


@dataclass(frozen=True)
class Reading:
    """One measurement: seconds of processor time and on the clock, and the peak of memory."""

    who: str
    sample: str
    size: int
    processor: float
    slowest: float
    wall: float
    megabytes: float
    limited: bool
    found: int
    """Groups; of the peer, cells of its matrix that are alike: each pair twice, each title once."""


@dataclass(frozen=True)
class Run:
    date: str
    command: str
    machine: Mapping[str, str]
    rounds: int
    readings: Sequence[Reading]


@dataclass(frozen=True)
class Claim:
    """`value` of the first reading may be at most `most` times that of the second."""

    words: str
    first: tuple[str, str]
    second: tuple[str, str]
    most: float
    value: Callable[[Reading], float]
    larger: bool = False
    """The first reading is of the larger sample of its kind."""


def _processor(reading: Reading) -> float:
    return reading.processor


def _wall(reading: Reading) -> float:
    return reading.wall


CLAIMS = [
    Claim("random headlines: at least 20 times as fast as `rapidfuzz.process.cdist` with a length "
          "window, in processor time",
          (OURS, "random"), (PEER, "random"), 1 / 20, _processor),
    Claim("the same on the clock, both on all cores",
          (OURS, "random"), (PEER_ON_ALL, "random"), 1 / 20, _wall),
    Claim("without the wheel, in NumPy on one core, at least 5 times as fast as `cdist` on all",
          (NUMPY, "random"), (PEER_ON_ALL, "random"), 1 / 5, _wall),
    Claim("random headlines take the compiled kernel at most a third of what they take NumPy",
          (OURS, "random"), (NUMPY, "random"), 1 / 3, _processor),
    Claim("templated ones, where most of the time goes into asking `difflib`, at most two thirds",
          (OURS, "templated"), (NUMPY, "templated"), 2 / 3, _processor),
    Claim("four times as many random headlines take at most 18 times as long",
          (OURS, "random"), (OURS, "random"), 18, _processor, larger=True),
]  # fmt: skip


def page(run: Run) -> str:
    facts = [*run.machine.items(), ("date", run.date), ("command", f"`{run.command}`")]
    return "\n".join(
        [
            "# The same story among many headlines\n",
            "This page is written by the command below, and by nobody's hand.\n",
            table(("", ""), facts),
            "## What is claimed\n",
            "".join(_verdict(claim, run.readings) for claim in CLAIMS) + _finished(run.readings),
            "## What was measured\n",
            _measured(run),
            "## How it is measured\n",
            _method(run),
        ]
    )


def _verdict(claim: Claim, readings: Sequence[Reading]) -> str:
    one = _reading(readings, claim.first, claim.larger)
    two = _reading(readings, claim.second)
    a, b = claim.value(one), claim.value(two)
    verdict = "**holds**" if a <= claim.most * b else "**does not hold**"
    times = f"{b / a:.1f} times as fast" if a < b else f"{a / b:.1f} times as long"
    return (
        f"- {claim.words[0].upper()}{claim.words[1:]}: {verdict}, {figure(a)} s against "
        f"{figure(b)} s, {times}.\n"
    )


def _finished(readings: Sequence[Reading]) -> str:
    most = max((r for r in readings if r.who == OURS), key=lambda r: (r.size, r.processor))
    return (
        f"- The longest of all, {most.size:,} headlines in {most.sample}, finishes: "
        f"{figure(most.wall)} s on the clock, {figure(most.processor)} s of processor time.\n"
    )


def _reading(readings: Sequence[Reading], of: tuple[str, str], larger: bool = False) -> Reading:
    found = [r for r in readings if (r.who, r.sample) == of]
    return (max if larger else min)(found, key=lambda reading: reading.size)


def _measured(run: Run) -> str:
    head = ("", "headlines", "how many", "processor s", "slowest", "on the clock s", "peak MB",
            "limit", "found")  # fmt: skip
    rows = [
        (
            f"**{r.who}**" if r.who in (OURS, NUMPY) else r.who,
            r.sample,
            f"{r.size:,}",
            figure(r.processor),
            f"+{100 * (r.slowest / r.processor - 1):.0f} %",
            figure(r.wall),
            f"{r.megabytes:,.0f}",
            "1 GiB" if r.limited else "none",
            f"{r.found:,}" + (" groups" if r.who in (OURS, NUMPY) else " cells"),
        )
        for r in run.readings
    ]
    return table(head, rows, right=range(2, 9))


def _method(run: Run) -> str:
    times = "one process" if run.rounds == 1 else f"the best of {run.rounds} processes"
    return (
        f"Each figure is {times} of its own, started for it alone; the headlines are made before "
        "the time is taken. The limit is one on the address space (`RLIMIT_AS`), set from outside "
        "the code that is measured, and holds for everything the process has. sameas finds its "
        "pairs with the compiled kernel on all cores, or with NumPy on one, and does all of its "
        "work: titles cleaned, pairs found, each verified with `difflib`'s ratio, groups with "
        "their evidence, survivors. `cdist` does only the first half: the similarity of every "
        "pair whose lengths allow a ratio of 0.85, in pieces, with its score cut off.\n\n"
        "The headlines are made by `bench/headlines.py`: random ones of a language's words by "
        "Zipf's law, one in a hundred an earlier one retold; templated ones of six templates, "
        "nearly all of one template alike; in ten languages, and in one, seven parts random, two "
        "templated and one of equal titles.\n"
    )
