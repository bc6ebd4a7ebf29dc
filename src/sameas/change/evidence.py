"""What speaks for and against a rule: pages fetched under URLs that the rule would make one. Pure.

A page may change between two fetches, so that two contents differ proves little. That one URL has
a content, another URL another one, and the first its own again, is a strong counter-example.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import sqrt
from typing import NamedTuple

LEAST_SUPPORT = 4
LEAST_CONTENTS = 3
"""Different contents that have to speak for a rule: a site with one content proves nothing."""

_CHANGING = 0.15
"""How many of two fetches of one page may differ, with some of others between them."""
_LEAST_CONFIDENCE = 0.75
_MOST_COMPARED = 40
_LEAST_ALONE, _MOST_SPREADS = 8, 2.6


class Seen(NamedTuple):
    """One fetch: the variant of a URL, what came, and when in the order of the input."""

    variant: Hashable
    content: Hashable
    row: int
    url: str


@dataclass
class Evidence:
    """`support` and `against` count fetches of one variant that gave what the fetch of another one
    just before had given, or something else."""

    support: int = 0
    against: int = 0
    unchanged: int = 0
    changed: int = 0
    """The same of fetches of one variant, one after the other: how much pages change by
    themselves."""
    contents: set[Hashable] = field(default_factory=set)
    examples: list[tuple[str, str]] = field(default_factory=list)
    strong: tuple[str, str] | None = None
    """Two URLs that surely are two pages."""

    @property
    def confidence(self) -> float:
        return self.support / (self.support + self.against) if self.support else 0.0

    @property
    def convinces(self) -> bool:
        total = self.support + self.against
        expected = _CHANGING * total
        return (
            self.strong is None
            and self.support >= LEAST_SUPPORT
            and len(self.contents) >= LEAST_CONTENTS
            and self.confidence >= _LEAST_CONFIDENCE
            and self.against <= expected + 3 * sqrt(expected * (1 - _CHANGING)) + 1
            and not self._changes_more
        )

    @property
    def speaks_against(self) -> bool:
        return self.strong is not None or self.against > self.support

    @property
    def _changes_more(self) -> bool:
        """Whether pages differ more between variants than by themselves, and hardly by chance."""
        one, other = self.support + self.against, self.unchanged + self.changed
        if other < _LEAST_ALONE:
            return False
        both = (self.against + self.changed) / (one + other)
        spread = sqrt(both * (1 - both) * (1 / one + 1 / other))
        return self.against / one - self.changed / other > _MOST_SPREADS * spread


def judged(classes: Iterable[Sequence[Seen]], examples: int = 3) -> Evidence:
    """`classes`: the fetches of URLs that a rule makes one, together. Compared is each fetch with
    the one before it, where that was of another variant: the less time, the less has changed."""
    found = Evidence()
    for seen in classes:
        in_order = sorted(seen, key=lambda one: one.row)
        for before, after in pairwise(in_order):
            if before.variant == after.variant:
                found.unchanged += before.content == after.content
                found.changed += before.content != after.content
                continue
            if before.content != after.content:
                found.against += 1
                continue
            found.support += 1
            if after.content not in found.contents:
                found.contents.add(after.content)
                if len(found.examples) < examples:
                    found.examples.append((before.url, after.url))
        if found.strong is None:
            found.strong = _two_pages(in_order)
    return found


def _two_pages(seen: Sequence[Seen]) -> tuple[str, str] | None:
    """Two contents, each seen again, each under variants of its own, taking turns in time."""
    all_of = Counter(one.content for one in seen)
    again = [content for content, count in all_of.most_common(_MOST_COMPARED) if count > 1]
    if len(again) < 2:
        return None
    held: dict[Hashable, list[Seen]] = {content: [] for content in again}
    for one in seen:
        if one.content in held:
            held[one.content].append(one)
    groups = list(held.values())
    for i, first in enumerate(groups):
        variants = {one.variant for one in first}
        for second in groups[i + 1 :]:
            apart = variants.isdisjoint(one.variant for one in second)
            if apart and _take_turns(first, second):
                return first[0].url, second[0].url
    return None


def _take_turns(one: Sequence[Seen], other: Sequence[Seen]) -> bool:
    first, second = [seen.row for seen in one], [seen.row for seen in other]
    return min(first) < max(second) and min(second) < max(first)
