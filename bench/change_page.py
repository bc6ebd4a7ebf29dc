"""docs/bench/change.md: what a change of the rules cost, as tables and sentences of figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bench.markdown import figure, table


@dataclass(frozen=True)
class Reading:
    """One process: seconds, and the most memory it had, everything it loads included."""

    what: str
    where: str
    size: int
    seconds: float
    megabytes: float
    changed: int
    merged: int


_PARTS = {
    "diff": (
        "Comparing two policies",
        "One URL in ten changes its key, one in a hundred meets another. Made-up URLs; making them "
        "is part of the time.",
        ("URLs", "keys that change", "groups that merge"),
    ),
    "rekey": (
        "Moving a store",
        "Every entry is rewritten, one in a hundred becomes a part of an earlier one. One "
        "transaction; a server's own memory is not counted.",
        ("entries", "rewritten", "merged"),
    ),
    "undo": (
        "Taking that back",
        "The same stores.",
        ("entries", "rewritten", "parted"),
    ),
    "learn": (
        "Learning",
        "Sites of all kinds that [lessons](lessons.md) has, 800 fetches each; making them is part "
        "of the time.",
        ("pairs", "hosts", "rules"),
    ),
}


def page(facts: Mapping[str, str], readings: Sequence[Reading]) -> str:
    parts = [
        "# A change of the rules: seconds and memory\n",
        "This page is written by the command below, and by nobody's hand.\n",
        table(("", ""), facts.items()),
    ]
    for what, (title, said, names) in _PARTS.items():
        rows = [one for one in readings if one.what == what]
        parts += [f"## {title}\n", said + "\n", _table(rows, names), *_growth(rows)]
    return "\n".join(parts)


def _table(rows: Sequence[Reading], names: Sequence[str]) -> str:
    head = ("", *names, "seconds", "a second", "peak memory")
    made = [
        (
            one.where,
            f"{one.size:,}",
            f"{one.changed:,}",
            f"{one.merged:,}",
            figure(one.seconds),
            figure(one.size / one.seconds),
            f"{figure(one.megabytes)} MB",
        )
        for one in rows
    ]
    return table(head, made, right=range(1, 7))


def _growth(rows: Sequence[Reading]) -> Iterator[str]:
    for where in dict.fromkeys(one.where for one in rows):
        held = [one for one in rows if one.where == where]
        if len(held) > 1:
            first, last = held[0], held[-1]
            more = last.size / first.size
            yield (
                f"{f'{where}: ' if where else ''}{figure(more)} times as many take "
                f"{figure(last.seconds / first.seconds)} times as long and "
                f"{figure(last.megabytes / first.megabytes)} times the memory.\n"
            )
