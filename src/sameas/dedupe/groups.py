"""Groups of duplicates and the evidence for them.

What makes two articles one is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableSequence, Sequence
from dataclasses import dataclass, field
from typing import Any

from sameas.errors import InvalidURL


@dataclass(frozen=True)
class Evidence:
    """One pair of articles, told by their places in the input, `a` before `b`: why they are one."""

    rule: str
    a: int
    b: int
    ratio: float
    shared: str = ""
    """By URL: the text both are compared by."""


@dataclass(frozen=True)
class Group:
    """Articles that are one. The evidence connects all of them and holds no pair too many."""

    survivor: int
    members: tuple[int, ...]
    evidence: tuple[Evidence, ...]


@dataclass(frozen=True)
class Duplicates:
    """What was found among `total` articles. Everything is told by its place in the input."""

    total: int
    survivors: tuple[int, ...]
    groups: tuple[Group, ...]
    without_url: tuple[int, ...] = ()
    refused_urls: Mapping[int, InvalidURL] = field(default_factory=dict)
    without_title: tuple[int, ...] = ()


class Forest:
    """Which of `0 … size-1` are connected. `label` names each one's component.

    The smaller component takes the larger one's label, so joining costs n log n in total and
    asking costs nothing; a NumPy array as `label` lets whole blocks of pairs be asked at once.
    """

    def __init__(
        self, size: int, label: MutableSequence[int] | dict[int, int] | None = None
    ) -> None:
        self.label: Any = list(range(size)) if label is None else label
        self._members: dict[int, list[int]] = {}

    def connect(self, a: int, b: int) -> bool:
        """Make one component of two; False where they are one already."""
        one, other = int(self.label[a]), int(self.label[b])
        if one == other:
            return False
        kept = self._members.pop(one, [one])
        gone = self._members.pop(other, [other])
        if len(kept) < len(gone):
            kept, gone, one = gone, kept, other
        for i in gone:
            self.label[i] = one
        kept += gone
        self._members[one] = kept
        return True


def grouped(size: int, evidence: Iterable[Evidence], ranks: Sequence[Any]) -> tuple[Group, ...]:
    """The connected components, in the order of their first members. The best rank survives; among
    equals the earliest."""
    pairs = sorted(evidence, key=lambda pair: (pair.b, pair.a))
    forest = Forest(size)
    for pair in pairs:
        forest.connect(pair.a, pair.b)
    members: dict[int, list[int]] = {}
    for i in sorted({i for pair in pairs for i in (pair.a, pair.b)}):
        members.setdefault(forest.label[i], []).append(i)
    proofs: dict[int, list[Evidence]] = {}
    for pair in pairs:
        proofs.setdefault(forest.label[pair.a], []).append(pair)
    return tuple(
        Group(max(ids, key=ranks.__getitem__), tuple(ids), tuple(proofs[label]))
        for label, ids in members.items()
    )


def survivors(size: int, groups: Iterable[Group]) -> tuple[int, ...]:
    gone = {i for group in groups for i in group.members if i != group.survivor}
    return tuple(i for i in range(size) if i not in gone)
