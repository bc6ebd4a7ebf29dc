"""docs/bench/README.md: what was measured, as tables and sentences.

The sentences are made from the figures: none is written before they are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bench.chart import Bar, Chart
from bench.kept import Kept
from bench.markdown import figure, table
from bench.peers import (
    CAN_ADA,
    COMPAT,
    COURLAN,
    DEFAULT_KEY,
    FLOOR,
    NATIVE_KEY,
    NATIVE_RESULT,
    PACKAGE,
    TK_KEY,
    version,
)
from bench.speed import Reading, Start

UNIT = "µs"
_KINDS = [("ours", "sameas"), ("peer", "other libraries"), ("floor", "bare parser, bare hash")]


@dataclass(frozen=True)
class Section:
    """One list of URLs, measured."""

    title: str
    about: str
    readings: Sequence[Reading]

    def best(self, name: str) -> float | None:
        return next((r.best for r in self.readings if r.subject.name == name), None)


@dataclass(frozen=True)
class Run:
    """All that a run found out about speed."""

    date: str
    command: str
    machine: Mapping[str, str]
    rounds: int
    sections: Sequence[Section]
    starts: Sequence[Start]
    missing: Sequence[str]
    kept: Sequence[Kept] = ()


CLAIMS = [
    (DEFAULT_KEY, COURLAN, 1.0, "`default`, its key included, is no slower than courlan's "
     "`normalize_url`"),
    (TK_KEY, PACKAGE, 2.0, "the key of `tk` is had at least twice as fast as the package's form"),
    (COMPAT, PACKAGE, 2.0, "`sameas.compat.TkNormalizer` is at least twice as fast as the package"),
    (NATIVE_KEY, CAN_ADA, 1 / 2, "on the native engine the key of `default` takes at most twice as "
     "long as the bare parser and its `href`"),
    (NATIVE_RESULT, CAN_ADA, 1 / 3, "on the native engine a whole result of `default` takes at "
     "most three times as long"),
]  # fmt: skip
"""Ours, theirs, how many times faster ours must be, and the claim in words."""


def chart(section: Section, rounds: int) -> Chart:
    bars = [Bar(r.subject.name, r.best, max(r.rounds), r.subject.kind) for r in _ranked(section)]
    return Chart(
        title="Microseconds a URL: shorter is better",
        subtitle=f"Best of {_rounds(rounds)}; a thin line reaches to the slowest, "
        f"the dashed one marks {DEFAULT_KEY}.",
        unit=UNIT,
        bars=bars,
        kinds=_KINDS,
        mark=section.best(DEFAULT_KEY) or bars[0].value,
    )


def page(run: Run) -> str:
    return "\n".join(
        [
            "# Speed, side by side\n",
            _opening(run),
            "![Microseconds a URL, one bar a library](speed.svg)\n",
            "## What is claimed\n",
            _claims(run.sections),
            *(f"## {section.title}\n\n{_section(section)}" for section in run.sections),
            "## What the native engine hands back\n",
            _kept(run.kept),
            "## A fresh process\n",
            _starts(run.starts),
            *(["## NOT RUN\n", "".join(f"- {who}\n" for who in run.missing)] * bool(run.missing)),
            "## How it is measured\n",
            _method(run),
        ]
    )


def _rounds(rounds: int) -> str:
    return "one round" if rounds == 1 else f"{rounds} interleaved rounds"


def _opening(run: Run) -> str:
    rows = [*run.machine.items(), ("date", run.date), ("command", f"`{run.command}`")]
    facts = table(("", ""), rows)
    return (
        "This page is written by the command below, and by nobody's hand. What each library makes "
        f"of a URL is another question: see the [failure matrix](traps.md).\n\n{facts}"
    )


def _claims(sections: Sequence[Section]) -> str:
    lines = []
    for ours, theirs, times, words in CLAIMS:
        for section in sections:
            a, b = section.best(ours), section.best(theirs)
            if a is None or b is None:
                lines.append(f"- NOT RUN: {words}.\n")
                continue
            verdict = "**holds**" if a * times <= b else "**does not hold**"
            against = f"{figure(a)} {UNIT} against {figure(b)} {UNIT}"
            lines.append(
                f"- {words[0].upper() + words[1:] if words[0] != '`' else words}: {verdict} on "
                f"{section.title.lower()}, {against}, {b / a:.2f} times as fast.\n"
            )
    return "".join(lines)


def _ranked(section: Section) -> list[Reading]:
    return sorted(section.readings, key=lambda reading: reading.best)


def _section(section: Section) -> str:
    key, floor = section.best(DEFAULT_KEY), section.best(FLOOR)
    head = ("", "version", "what it does", f"{UNIT} a URL", "slowest round", "refused",
            f"× {DEFAULT_KEY}", "× bare Ada")  # fmt: skip
    rows = [
        (
            f"**{r.subject.name}**" if r.subject.kind == "ours" else r.subject.name,
            version(r.subject.package) if r.subject.package else "",
            r.subject.does,
            figure(r.best),
            f"+{r.spread:.0f} %",
            f"{r.refused:,}",
            _times(r.best, key),
            _times(r.best, floor),
        )
        for r in _ranked(section)
    ]
    return f"{section.about}\n\n{table(head, rows, right=range(3, 8))}\n{_losses(section)}"


def _times(value: float, base: float | None) -> str:
    return f"{value / base:.2f}" if base else "NOT RUN"


def _losses(section: Section) -> str:
    """Who is faster than `default`, said in words, so that nobody overlooks it."""
    key = section.best(DEFAULT_KEY)
    if key is None:
        return ""
    faster = [
        f"{r.subject.name} ({key / r.best:.1f} times: {r.subject.does})"
        for r in _ranked(section)
        if r.best < key and r.subject.kind != "ours"
    ]
    if not faster:
        return f"Nobody here is faster than `{DEFAULT_KEY}`.\n"
    return f"Faster than `{DEFAULT_KEY}`: {'; '.join(faster)}.\n"


def _kept(kept: Sequence[Kept]) -> str:
    if not kept:
        return "NOT RUN: the native engine is not installed.\n"
    policies = [*kept[0].back]
    rows = [
        (one.name, f"{one.size:,}", *(f"{one.back[name] / one.size:.2%}" for name in policies))
        for one in kept
    ]
    return (
        "Of each list, the share that the native engine gives to the Python engine, because it "
        "cannot prove what comes of it: mostly hosts that are not ASCII. The figures above have "
        "that in them.\n\n" + table(("", "URLs", *policies), rows, right=range(1, 8))
    )


def _starts(starts: Sequence[Start]) -> str:
    ranked = sorted(starts, key=lambda start: start.milliseconds)
    rows = [
        (s.subject.name, f"{s.milliseconds:.0f} ms", f"{s.megabytes:.0f} MB" if s.megabytes else "")
        for s in ranked
    ]
    return (
        "From a started interpreter to the first result: import, load, one URL. Peak memory is "
        "the whole process, the interpreter's own share included. A policy of sameas is read, "
        "checked and tried on its own examples when it is loaded, which shows here.\n\n"
        + table(("", "until the first URL is done", "peak memory"), rows, right=(1, 2))
    )


def _method(run: Run) -> str:
    return (
        f"All run in one process, one after the other on the same list: {_rounds(run.rounds)}, "
        "each in another order. A figure is the best round's, as processor time of that process; "
        "the next column says how much slower the slowest round was. The list is longer than any "
        "cache a library keeps of whole URLs. A refused URL counts as one. The libraries are "
        "called as their documentation shows it, with what they do by default, so they don't all "
        "do the same: the third column says what.\n\n"
        "`python -m bench --help` tells how to run it on a file, with other sizes, or elsewhere.\n"
    )
