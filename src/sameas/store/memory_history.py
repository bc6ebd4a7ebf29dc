"""The past of feeds and registries in memory: see `history.HistoryStore`.

The part of `MemoryStore` that is about the past.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from threading import RLock
from typing import Any

from sameas.store.history import COUNTS, KEPT_FOR, CheckDay, FeedDay
from sameas.store.types import KEY_TYPES, Identity


class MemoryHistory:
    """See `history.HistoryStore`."""

    lock: RLock
    by_id: dict[int, Any]
    holders: dict[Identity, int]

    def __init__(self) -> None:
        self._feed_days: dict[tuple[date, int], FeedDay] = {}
        self._check_days: dict[tuple[str, date], list[CheckDay]] = {}

    def note_feeds(self, days: Sequence[FeedDay]) -> None:
        with self.lock:
            for more in (day for day in days if day.feed_id in self.by_id):
                key = (more.day, more.feed_id)
                held = self._feed_days.get(key, FeedDay(more.feed_id, more.day))
                sums = {name: getattr(held, name) + getattr(more, name) for name in COUNTS}
                self._feed_days[key] = replace(held, **sums)
                self._feed_days = {
                    key: row for key, row in self._feed_days.items() if key[0] >= _oldest(more.day)
                }

    def feed_days(self, since: date, feed_id: int | None = None) -> list[FeedDay]:
        found = (row for _, row in sorted(self._feed_days.items()) if row.feed_id in self.by_id)
        return [row for row in found if row.day >= since and feed_id in (None, row.feed_id)]

    def note_check(self, place: str, day: date, kinds: Mapping[tuple[str, str], int]) -> None:
        with self.lock:
            self._check_days[place, day] = [
                CheckDay(place, day, host, kind, links)
                for (host, kind), links in sorted(kinds.items())
            ]
            for key in [key for key in self._check_days if key[1] < _oldest(day)]:
                del self._check_days[key]

    def check_places(self) -> list[tuple[str, date]]:
        last: dict[str, date] = {}
        for (place, day), rows in self._check_days.items():
            if rows:
                last[place] = max(last.get(place, day), day)
        return sorted(last.items(), key=lambda item: (-item[1].toordinal(), item[0]))

    def check_days(self, place: str, since: date) -> list[CheckDay]:
        days = sorted(key for key in self._check_days if key[0] == place and key[1] >= since)
        return [row for key in days for row in self._check_days[key]]

    def identities_of(self, entry_ids: Collection[int]) -> dict[int, list[Identity]]:
        found: dict[int, list[Identity]] = {}
        for key_type in KEY_TYPES:
            for key in sorted(k for k in self.holders if k[0] == key_type):
                if self.holders[key] in entry_ids:
                    found.setdefault(self.holders[key], []).append(Identity(*key))
        return found


def _oldest(today: date) -> date:
    return today - KEPT_FOR
