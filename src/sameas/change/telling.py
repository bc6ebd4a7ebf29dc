"""Which parameters of a host tell its pages apart: chosen one by one, as far as contents say. Pure.

A parameter tells pages apart where pairs of fetches it parts have different contents, and those it
leaves together do not. One that parts all pairs alike, as the number of a session does, is noise.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from math import sqrt
from typing import NamedTuple

_LEAST_GAIN, _CHANCE = 0.1, 1.5
"""What chance alone may gain shrinks with the root of the number of pairs."""
_LEAST_PAIRS = 3


class Fetch(NamedTuple):
    """A row of the input as the learner sees it: a URL in pieces, and what came."""

    path: str
    query: Mapping[str, str]
    """By name, all its pieces as they stand."""
    content: Hashable
    row: int
    url: str


class _Pairs(NamedTuple):
    """Pairs of fetches in one class: those with one content, and those with two."""

    same: int
    other: int


def telling(fetches: Sequence[Fetch]) -> list[str]:
    """The names of these parameters, the most telling first."""
    names = sorted({name for fetch in fetches for name in fetch.query})
    chosen: list[str] = []
    held = _pairs(fetches, chosen)
    while held.other >= _LEAST_PAIRS:
        gains = [
            (_gain(held, after), name, after)
            for name in names
            if name not in chosen
            for after in (_pairs(fetches, [*chosen, name]),)
            if held.other - after.other >= _LEAST_PAIRS
        ]
        best = max(gains, key=lambda gain: gain[0], default=None)
        if best is None or best[0] < _LEAST_GAIN + _CHANCE / sqrt(held.other):
            break
        chosen.append(best[1])
        held = best[2]
    return chosen


def _gain(before: _Pairs, after: _Pairs) -> float:
    """The share of pairs with two contents that are parted, less that of pairs with one."""
    lost = (before.same - after.same) / before.same if before.same else 1.0
    return (before.other - after.other) / before.other - lost


def _pairs(fetches: Iterable[Fetch], names: Sequence[str]) -> _Pairs:
    classes: dict[Hashable, Counter[Hashable]] = defaultdict(Counter)
    for fetch in fetches:
        classes[fetch.path, tuple(map(fetch.query.get, names))][fetch.content] += 1
    total = same = 0
    for contents in classes.values():
        count = contents.total()
        total += count * (count - 1) // 2
        same += sum(n * (n - 1) // 2 for n in contents.values() if n > 1)
    return _Pairs(same, total - same)
