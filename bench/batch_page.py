"""docs/bench/batch.md: what `bench/batch.py` measured, as a table and sentences.

The sentences are made from the figures: none is written before they are known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bench.markdown import figure, table

KEY = "sameas default, key"
TWO = "sameas default, key, two threads"
TK_KEY = "sameas tk, key"
W3LIB = "w3lib canonicalize_url"
PACKAGE = "tk-normalizer"
FLOOR = "bare parse, OpenSSL's hash"
TIGHT = "bare parse, this crate's hash"


@dataclass(frozen=True)
class Reading:
    """Microseconds a URL: processor time of the best and the slowest round, and on the clock."""

    name: str
    version: str
    does: str
    processor: float
    slowest: float
    wall: float
    count: int


@dataclass(frozen=True)
class Run:
    date: str
    command: str
    machine: Mapping[str, str]
    rounds: int
    file: str
    count: int
    handed_back: int | None
    readings: Sequence[Reading]
    missing: Sequence[str]


@dataclass(frozen=True)
class Claim:
    """`value` of ours may be at most `most` times that of the other."""

    words: str
    ours: str
    other: str
    most: float
    value: Callable[[Reading], float]


def _processor(reading: Reading) -> float:
    return reading.processor


def _wall(reading: Reading) -> float:
    return reading.wall


CLAIMS = [
    Claim("a batch of keys takes at most a 20th of w3lib's `canonicalize_url`, which makes no key",
          KEY, W3LIB, 1 / 20, _processor),
    Claim("a batch of keys takes at most a 100th of tk-normalizer", KEY, PACKAGE, 1 / 100,
          _processor),
    Claim("a batch of keys takes at most 1.5 times as long as a bare parse and a bare hash in C++",
          KEY, FLOOR, 1.5, _processor),
    Claim("it takes no longer than those", KEY, FLOOR, 1, _processor),
    Claim("it takes no longer than a bare parse with the compiled engine's own hash", KEY, TIGHT, 1,
          _processor),
    Claim("two threads take at most 1 / 1.7 of the time of one, on the clock", TWO, KEY, 1 / 1.7,
          _wall),
]  # fmt: skip


def page(run: Run) -> str:
    facts = [*run.machine.items(), ("date", run.date), ("command", f"`{run.command}`")]
    return "\n".join(
        [
            "# Many URLs at once\n",
            "This page is written by the command below, and by nobody's hand.\n",
            table(("", ""), facts),
            "## What is claimed\n",
            "".join(_verdict(claim, run.readings) for claim in CLAIMS),
            "## What was measured\n",
            _about(run),
            _measured(run.readings),
            *(["## NOT RUN\n", "".join(f"- {who}\n" for who in run.missing)] * bool(run.missing)),
            "## How it is measured\n",
            _method(run),
        ]
    )


def _verdict(claim: Claim, readings: Sequence[Reading]) -> str:
    found = {reading.name: claim.value(reading) for reading in readings}
    words = f"- {claim.words[0].upper()}{claim.words[1:]}: "
    if not {claim.ours, claim.other} <= set(found):
        return f"{words}NOT RUN.\n"
    a, b = found[claim.ours], found[claim.other]
    verdict = "**holds**" if a <= claim.most * b else "**does not hold**"
    times = f"{b / a:.2f} times as fast" if a < b else f"{a / b:.2f} times as long"
    return f"{words}{verdict}, {a:.3f} µs a URL against {b:.3f} µs, {times}.\n"


def _about(run: Run) -> str:
    urls = f"links of `{run.file}`" if run.file else "links made by `bench/corpus.py`"
    text = f"{run.count:,} {urls}."
    if run.handed_back is not None:
        share = 100 * run.handed_back / run.count
        text += (
            f" Of these the compiled engine hands {run.handed_back:,} ({share:.2f} %) back to the "
            "Python engine; that is part of the time below."
        )
    return f"{text}\n"


def _measured(readings: Sequence[Reading]) -> str:
    head = ("", "version", "what it does", "µs a URL", "slowest round", "on the clock", "URLs")
    rows = [
        (
            f"**{r.name}**" if r.name.startswith("sameas") else r.name,
            r.version,
            r.does,
            f"{r.processor:.3f}" if r.processor < 1 else figure(r.processor),
            f"+{100 * (r.slowest / r.processor - 1):.0f} %",
            f"{r.wall:.3f}" if r.wall < 1 else figure(r.wall),
            f"{r.count:,}",
        )
        for r in sorted(readings, key=_processor)
    ]
    return table(head, rows, right=range(3, 7))


def _method(run: Run) -> str:
    rounds = "one round" if run.rounds == 1 else f"{run.rounds} rounds"
    return (
        f"All run in one process, {rounds}, each in another order, behind one that warms up. A "
        "figure is the best round's: processor time of all threads, and time on the clock. A batch "
        "is one call, from an Arrow column to an Arrow column, the rows that the Python engine has "
        "to answer among them. The libraries without batches are called in a loop, on fewer of the "
        "same URLs where they are slow. The floor is a crate of its own, `bench/floor`: the parser "
        "of the Python engine, in C++, and SHA-256, in a loop over the same column, with no rule, "
        "no form and nothing written down. OpenSSL's hash is the one that programs in C++ have; "
        "the compiled engine has one that costs less to call.\n\n"
        "`python -m bench.batch --help` tells how to run it on a file, with other sizes, or "
        "elsewhere.\n"
    )
