"""The past of feeds and registries in a database: see `history.HistoryStore`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import date

import sqlalchemy as sa

from sameas.store.history import COUNTS, KEPT_FOR, CheckDay, FeedDay
from sameas.store.schema import check_days, entry_identities, feed_days, feeds
from sameas.store.text import storable
from sameas.store.types import KEY_TYPES, Identity
from sameas.store.writing import SqlWriting

_BATCH = 500
_CHECK = ("place", "day", "host", "kind", "links")


class SqlHistory:
    """The part of `SqlStore` that is about the past."""

    def reading(self) -> AbstractContextManager[sa.Connection]:
        raise NotImplementedError

    def _retried(self, write: Callable[[SqlWriting], int]) -> int:
        raise NotImplementedError

    def note_feeds(self, days: Sequence[FeedDay]) -> None:
        def note(writing: SqlWriting) -> int:
            there = {row.feed_id for row in writing.connection.execute(sa.select(feeds.c.feed_id))}
            rows = [day for day in days if day.feed_id in there]
            if not rows:
                return 0
            _forget(writing, feed_days, max(day.day for day in rows))
            begun = [(day.feed_id, day.day.isoformat()) for day in rows]
            writing.rows.insert(feed_days, begun, ("feed_id", "day"))
            added = {name: feed_days.c[name] + sa.bindparam(f"more_{name}") for name in COUNTS}
            statement = (
                feed_days.update()
                .where(feed_days.c.feed_id == sa.bindparam("which"))
                .where(feed_days.c.day == sa.bindparam("when"))
                .values(added)
            )
            counts = [
                {"which": day.feed_id, "when": day.day.isoformat()}
                | {f"more_{name}": getattr(day, name) for name in COUNTS}
                for day in rows
            ]
            writing.connection.execute(statement, counts)
            return len(rows)

        self._retried(note)

    def feed_days(self, since: date, feed_id: int | None = None) -> list[FeedDay]:
        query = sa.select(feed_days).where(feed_days.c.day >= since.isoformat())
        if feed_id is not None:
            query = query.where(feed_days.c.feed_id == feed_id)
        with self.reading() as connection:
            found = connection.execute(query.order_by(feed_days.c.day, feed_days.c.feed_id))
            rows = found.mappings().all()
        return [FeedDay(**{**row, "day": date.fromisoformat(row["day"])}) for row in rows]

    def note_check(self, place: str, day: date, kinds: Mapping[tuple[str, str], int]) -> None:
        place = storable(place)

        def note(writing: SqlWriting) -> int:
            _forget(writing, check_days, day)
            today = (check_days.c.place == place) & (check_days.c.day == day.isoformat())
            writing.connection.execute(check_days.delete().where(today))
            rows = [
                (place, day.isoformat(), storable(host), kind, links)
                for (host, kind), links in kinds.items()
            ]
            return writing.rows.insert(check_days, rows, _CHECK) if rows else 0

        self._retried(note)

    def check_places(self) -> list[tuple[str, date]]:
        last = sa.func.max(check_days.c.day)
        query = (
            sa.select(check_days.c.place, last)
            .group_by(check_days.c.place)
            .order_by(last.desc(), check_days.c.place)
        )
        with self.reading() as connection:
            return [(place, date.fromisoformat(day)) for place, day in connection.execute(query)]

    def check_days(self, place: str, since: date) -> list[CheckDay]:
        wanted = (check_days.c.place == storable(place)) & (check_days.c.day >= since.isoformat())
        order = (check_days.c.day, check_days.c.host, check_days.c.kind)
        with self.reading() as connection:
            found = connection.execute(sa.select(check_days).where(wanted).order_by(*order))
            rows = found.mappings().all()
        return [CheckDay(**{**row, "day": date.fromisoformat(row["day"])}) for row in rows]

    def identities_of(self, entry_ids: Collection[int]) -> dict[int, list[Identity]]:
        found: dict[int, list[Identity]] = defaultdict(list)
        ids = sorted(entry_ids)
        with self.reading() as connection:
            for start in range(0, len(ids), _BATCH):
                wanted = entry_identities.c.entry_id.in_(ids[start : start + _BATCH])
                for row in connection.execute(sa.select(entry_identities).where(wanted)):
                    found[row.entry_id].append(Identity(row.key_type, row.key_value))
        return {number: sorted(keys, key=in_order) for number, keys in found.items()}


def in_order(key: Identity) -> tuple[int, str]:
    """In the seed's order of kinds."""
    return KEY_TYPES.index(key.key_type), key.key_value


def _forget(writing: SqlWriting, table: sa.Table, today: date) -> None:
    oldest = (today - KEPT_FOR).isoformat()
    writing.connection.execute(table.delete().where(table.c.day < oldest))
