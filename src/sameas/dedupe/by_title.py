"""Duplicates by title: within one language, `difflib` calls two titles alike at 0.85.

Which pairs are worth asking is the business of `compiled`, `similar` (NumPy) or `plain`; they may
offer too many and never too few. Every pair they offer is asked here, the earlier article first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from sameas.dedupe.articles import text_of
from sameas.dedupe.groups import Evidence, Forest

RATIO = 0.85
KERNELS = ("compiled", "similar", "plain")
"""What finds the pairs, the fastest first: with the extras `native`, `titles` and none."""
_LONGEST_SUFFIX = 40

Progress = Callable[[int, int], object]
"""Is told how many titles are done, of how many."""


def unwatched(_done: int, _total: int) -> None:
    """Nobody is waiting."""


_SUBTAGS = re.compile("[-_]")


@dataclass
class TitleMatches:
    evidence: list[Evidence] = field(default_factory=list)
    without: list[int] = field(default_factory=list)


def comparable(title: str) -> str:
    """A title without its source (`… - Gazette`), case-folded, spaces collapsed.

    >>> comparable("Harbour  Bridge opens - The Gazette")
    'harbour bridge opens'
    """
    head, dash, source = title.rpartition(" - ")
    if dash and len(source) <= _LONGEST_SUFFIX and head.strip():
        title = head
    return " ".join(title.casefold().split())


def language_of(article: Any) -> str:
    """The primary subtag: `en` of `en-GB`. None given is a language of its own."""
    return _SUBTAGS.split(text_of(article, "language").strip().lower(), maxsplit=1)[0]


def find(
    rows: Sequence[Any],
    indices: Iterable[int],
    language: str | None = None,
    progress: Progress = unwatched,
) -> TitleMatches:
    found = TitleMatches()
    by_language: dict[str, dict[str, list[int]]] = {}
    for i in indices:
        title = comparable(text_of(rows[i], "title"))
        if not title:
            found.without.append(i)
            continue
        spoken = language_of(rows[i]) if language is None else language
        by_language.setdefault(spoken, {}).setdefault(title, []).append(i)
    total, before = sum(map(len, by_language.values())), 0
    for places in by_language.values():
        for same in places.values():
            found.evidence += [Evidence("title", same[0], i, 1.0) for i in same[1:]]
        for done, pairs in alike(places):
            found.evidence += [evidence for _, _, evidence in pairs]
            progress(before + done, total)
        before += len(places)
    return found


def alike(
    places: Mapping[str, Sequence[int]], apart: int = 0
) -> Iterator[tuple[int, list[tuple[str, str, Evidence]]]]:
    """A spanning forest over titles that differ, piece by piece: how many titles are done, and the
    pairs that came with the last ones, always the shorter title first. `places` are in the order
    of their first ones; the `apart` shortest titles are compared with the others only."""
    _, kernel = tools()
    titles = sorted(places, key=len)
    forest = Forest(len(titles), kernel.labels(len(titles)))
    for done, block in kernel.candidates(titles, forest.label, apart):
        pairs = []
        for x, y in block:
            if forest.label[x] != forest.label[y]:
                one, two = titles[x], titles[y]
                evidence = _pair(one, places[one], two, places[two])
                if evidence is not None:
                    forest.connect(x, y)
                    pairs.append((one, two, evidence))
        yield done, pairs


def _pair(one: str, ones: Sequence[int], two: str, twos: Sequence[int]) -> Evidence | None:
    """Two titles that stand at several places each are alike if, for any two of the places, they
    are in the order of the places: `difflib` is not symmetric."""
    if ones[0] > twos[0]:
        one, ones, two, twos = two, twos, one, ones
    ratio = ratio_of(one, two)
    if ratio >= RATIO:
        return Evidence("title", ones[0], twos[0], ratio)
    if twos[0] < ones[-1] and (ratio := ratio_of(two, one)) >= RATIO:
        return Evidence("title", twos[0], ones[-1], ratio)
    return None


def ratio_of(earlier: str, later: str) -> float:
    matcher, _ = tools()
    ratio: float = matcher(None, earlier, later).ratio()
    return ratio


@cache
def tools() -> tuple[Any, ModuleType]:
    """The matcher, and what finds the pairs: the fastest of each that is installed. The answers are
    the same. Both are loaded when the first titles are compared."""
    try:
        from cydifflib import SequenceMatcher
    except ImportError:
        from difflib import SequenceMatcher
    for name in KERNELS:
        try:
            return SequenceMatcher, import_module(f"sameas.dedupe.{name}")
        except ImportError:
            continue
    raise AssertionError("plain needs nothing")
