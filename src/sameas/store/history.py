"""What a store keeps of the past, a row a day: how feeds and registries did. For charts alone.

Rows as values, and the Protocol with its meaning, for all stores. Nothing is decided by them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Protocol

from sameas.store.types import Identity

KEPT_FOR = timedelta(days=400)
"""What is older goes when something is noted: a year can be compared with the one before."""

COUNTS = ("asked", "failed", "new", "updated")

FINE, WRONG = "fine", "wrong"
"""Kinds beside the problems: links with nothing wrong, and those with something."""


@dataclass(frozen=True)
class FeedDay:
    """A row of `feed_days`: the runs of one day over one feed, counted together."""

    feed_id: int
    day: date
    asked: int = 0
    failed: int = 0
    new: int = 0
    updated: int = 0


@dataclass(frozen=True)
class CheckDay:
    """A row of `check_days`: how many links of a host were of a kind, in the day's last check."""

    place: str
    day: date
    host: str
    kind: str
    links: int


class HistoryStore(Protocol):
    """A call is one transaction: it is kept whole or raises `StoreError`."""

    def note_feeds(self, days: Sequence[FeedDay]) -> None:
        """Adds to what these days have. A feed that has been removed is left out."""

    def feed_days(self, since: date, feed_id: int | None = None) -> list[FeedDay]:
        """By day, then by feed."""

    def note_check(self, place: str, day: date, kinds: Mapping[tuple[str, str], int]) -> None:
        """Writes a check of a registry by host and kind, in the place of the day's earlier one."""

    def check_places(self) -> list[tuple[str, date]]:
        """The registries that were checked, each with its last day, the latest first."""

    def check_days(self, place: str, since: date) -> list[CheckDay]:
        """By day, host and kind."""

    def identities_of(self, entry_ids: Collection[int]) -> dict[int, list[Identity]]:
        """The keys each of these entries is known by."""
