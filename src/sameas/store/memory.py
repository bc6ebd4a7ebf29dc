"""A store in memory, for one run that has no other: the same Protocol, kept until it is closed.

It decides nothing that the databases decide otherwise; tests/store holds them to one suite.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import count

from sameas.errors import StoreError
from sameas.store.memory_history import MemoryHistory
from sameas.store.memory_links import MemoryLinks
from sameas.store.protocol import LostRace
from sameas.store.stamping import foreign
from sameas.store.text import storable
from sameas.store.types import (
    Changes,
    Content,
    Copy,
    Entry,
    Feed,
    Identity,
    Info,
    Known,
    KnownEntry,
    NewEntry,
    Stamp,
)

KEYED = ("entries", "entry_identities")


@dataclass
class _Row:
    """An entry, and how each feed carries it."""

    feed_id: int | None
    content: Content
    first_seen_at: datetime
    last_seen_at: datetime
    copies: dict[int, Copy]
    """How each feed carries it."""


class MemoryStore(MemoryLinks, MemoryHistory):
    """See `protocol.Store`, `link_protocol.LinkStore` and `history.HistoryStore`."""

    def __init__(self, feeds: Iterable[Feed] = ()) -> None:
        MemoryLinks.__init__(self)
        MemoryHistory.__init__(self)
        self.rows: dict[int, _Row] = {}
        self.holders: dict[Identity, int] = {}
        self.snapshots: dict[str, int] = {}
        self.last: dict[int, set[int]] = defaultdict(set)
        """By feed: what stood in its last document."""
        self.by_id = {feed.feed_id: feed for feed in feeds}
        self.numbers = count(1)

    def feeds(self, urls: Collection[str] | None = None) -> list[Feed]:
        found = [self.by_id[feed_id] for feed_id in sorted(self.by_id)]
        if urls is None:
            return found
        return [feed for feed in found if not {feed.feed_url, *feed.former}.isdisjoint(urls)]

    def add_feeds(self, wanted: Sequence[tuple[str, str]], now: datetime) -> list[Feed]:
        added = []
        with self.lock:
            for url, title in wanted:
                if not self.feeds([storable(url)]):
                    feed = _plain(Feed(max(self.by_id, default=0) + 1, url, now, title))
                    self.by_id[feed.feed_id] = feed
                    added.append(feed)
        return added

    def remove_feed(self, feed_id: int) -> None:
        with self.lock:
            self.by_id.pop(feed_id, None)
            self.last.pop(feed_id, None)
            lost = set()
            for entry_id, row in self.rows.items():
                row.copies.pop(feed_id, None)
                if row.feed_id == feed_id:
                    row.feed_id = min(row.copies, default=None)
                    lost |= {entry_id} if row.feed_id is None else set()
            self._forget(lost)

    def entries(
        self, new_since: datetime | None = None, feed_id: int | None = None
    ) -> Iterator[Entry]:
        with self.lock:
            found = [
                self._entry(entry_id, row)
                for entry_id, row in self.rows.items()
                if (new_since is None or row.first_seen_at >= new_since)
                and (feed_id in (None, row.feed_id) or feed_id in row.copies)
            ]
        yield from sorted(found, key=lambda entry: (entry.first_seen_at, entry.entry_id))

    def _entry(self, entry_id: int, row: _Row) -> Entry:
        words = {name: getattr(row.content, name) for name in Content._fields}
        url = self.by_id[row.feed_id].feed_url if row.feed_id in self.by_id else ""
        return Entry(
            entry_id=entry_id,
            feed_url=url,
            first_seen_at=row.first_seen_at,
            last_seen_at=row.last_seen_at,
            **words,
        )

    @contextmanager
    def writing(self) -> Iterator[MemoryWriting]:
        with self.lock:
            writing = MemoryWriting(self)
            yield writing
            for write in writing.waiting:
                write()

    def prune(self, older_than: datetime) -> int:
        with self.lock:
            expired = {
                entry_id
                for entry_id, row in self.rows.items()
                if row.last_seen_at < older_than and not self._is_kept(entry_id, older_than)
            }
            self._forget(expired)
        return len(expired)

    def _is_kept(self, entry_id: int, older_than: datetime) -> bool:
        for feed_id in self.rows[entry_id].copies:
            feed, in_last = self.by_id[feed_id], entry_id in self.last[feed_id]
            silent = feed.last_success_at is None or feed.last_success_at < older_than
            if feed.status != "gone" and (feed.failures > 0 or (in_last and silent)):
                return True
        return False

    def _forget(self, lost: Collection[int]) -> None:
        for entry_id in lost:
            del self.rows[entry_id]
        for last in self.last.values():
            last.difference_update(lost)
        self.holders = {key: held for key, held in self.holders.items() if held not in lost}
        self.snapshots = {key: held for key, held in self.snapshots.items() if held not in lost}

    def info(self) -> Info:
        copies = sum(len(row.copies) for row in self.rows.values())
        rows = {
            "feeds": len(self.by_id),
            "entries": len(self.rows),
            "entry_identities": len(self.holders),
            "entry_sources": copies,
            "domains": len(self._domains),
            "links": len(self._links),
            "reviews": len(self._reviews),
        }
        return Info(self.place, "memory", "", rows, tuple(self.stamps.values()), None)

    def close(self) -> None:
        self.rows.clear()
        self.holders.clear()


def _plain(feed: Feed) -> Feed:
    """A feed as a database would give it back."""
    values = {name: getattr(feed, name) for name in Feed.__dataclass_fields__}
    words = {name: storable(value) for name, value in values.items() if isinstance(value, str)}
    times = {
        name: value.astimezone(UTC) for name, value in values.items() if isinstance(value, datetime)
    }
    return Feed(**{**values, **words, **times})


class MemoryWriting:
    """See `protocol.Writing`. What is written waits until the end: a failure has changed nothing,
    and the lock of the store keeps others out until then."""

    def __init__(self, store: MemoryStore) -> None:
        self.store = store
        self.waiting: list[Callable[[], None]] = []

    def stamp(self, policy: str, fingerprint: str, now: datetime) -> None:
        for name in KEYED:
            stamp = self.store.stamps.setdefault(name, Stamp(name, policy, fingerprint, now))
            if stamp.fingerprint != fingerprint:
                words = foreign(name, (stamp.policy, stamp.fingerprint), policy, fingerprint)
                raise StoreError("policy", self.store.place, *words)

    def known(self, keys: Collection[Identity], feed_id: int) -> Known:
        held = self.store.holders
        holders: dict[tuple[str, str], int] = {key: held[key] for key in keys if key in held}
        return Known(holders, {i: self._known(i, feed_id) for i in set(holders.values())})

    def known_by_dedupe_key(self, values: Collection[str], feed_id: int) -> dict[str, KnownEntry]:
        held = self.store.snapshots
        return {text: self._known(held[text], feed_id) for text in values if text in held}

    def _known(self, entry_id: int, feed_id: int) -> KnownEntry:
        row = self.store.rows[entry_id]
        seen = (entry_id, row.feed_id, row.content.canonical_url, row.content.content_hash)
        if feed_id not in row.copies:
            return KnownEntry(*seen)
        copy, in_last = row.copies[feed_id], entry_id in self.store.last[feed_id]
        return KnownEntry(*seen, copy.guid, copy.content_hash, in_last)

    def apply(self, changes: Changes, feed_id: int, now: datetime) -> None:
        held, free = self.store.holders, set(changes.released)
        wanted = [key for _, key in changes.keys] + [key for new in changes.new for key in new.keys]
        taken = any(key in held and key not in free for key in wanted)
        lost = {*changes.seen} - self.store.rows.keys() or free - held.keys()
        if taken or lost or len(set(wanted)) < len(wanted):
            raise LostRace("a key has found another holder, or an entry is gone")
        self.waiting.append(lambda: self._apply(changes, feed_id, now.astimezone(UTC)))

    def _apply(self, changes: Changes, feed_id: int, now: datetime) -> None:
        rows, held = self.store.rows, self.store.holders
        for key in changes.released:
            del held[key]
        if changes.whole:
            self.store.last[feed_id].clear()
        self.store.last[feed_id].update(changes.seen)
        for entry_id in changes.seen:
            rows[entry_id].last_seen_at = max(rows[entry_id].last_seen_at, now)
        for entry_id, content in changes.rewritten:
            rows[entry_id].content, rows[entry_id].feed_id = content, feed_id
            self.store.snapshots.setdefault(content.dedupe_key, entry_id)
        for copy in changes.copies:
            rows[copy.entry_id].copies[feed_id] = copy
        held.update({key: entry_id for entry_id, key in changes.keys})
        for new in changes.new:
            self._add(new, feed_id, now)

    def _add(self, new: NewEntry, feed_id: int, now: datetime) -> None:
        entry_id = next(self.store.numbers)
        copy = Copy(entry_id, new.content.guid, new.content.content_hash)
        self.store.rows[entry_id] = _Row(feed_id, new.content, now, now, {feed_id: copy})
        self.store.last[feed_id].add(entry_id)
        self.store.snapshots.setdefault(new.content.dedupe_key, entry_id)
        self.store.holders.update(dict.fromkeys(new.keys, entry_id))

    def see_again(self, feed_id: int, now: datetime) -> int:
        last = [self.store.rows[entry_id] for entry_id in self.store.last[feed_id]]

        def see() -> None:
            for row in last:
                row.last_seen_at = max(row.last_seen_at, now.astimezone(UTC))

        self.waiting.append(see)
        return len(last)

    def save_feed(self, feed: Feed) -> bool:
        before = self.store.by_id.get(feed.feed_id)
        if before is None:
            return False
        former = tuple(sorted({*before.former, *feed.former}))
        taken = {other.feed_url for other in self.store.by_id.values() if other is not before}
        url = before.feed_url if feed.feed_url in taken else feed.feed_url
        after = _plain(replace(feed, feed_url=url, former=former))
        self.waiting.append(lambda: self.store.by_id.update({feed.feed_id: after}))
        return True
