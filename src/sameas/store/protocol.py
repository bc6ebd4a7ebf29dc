"""What a store is to everybody else: a Protocol with its meaning, the same for all three stores.

It decides nothing about identity. tests/store holds one suite that every store passes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from sameas.store.history import HistoryStore
from sameas.store.types import Changes, Entry, Feed, Identity, Info, Known, KnownEntry


class LostRace(Exception):
    """Another process wrote what this one was about to write: nothing is written, so read again.

    It never leaves `feeds.record` and the store's own methods."""


class Writing(Protocol):
    """One transaction: all of it is kept, or nothing.

    Read first, then write: whether a read sees what the same transaction has written is not
    promised. A store of the file kind keeps other writers out from the beginning; in a server
    they are noticed at the end, as `LostRace`."""

    def stamp(self, policy: str, fingerprint: str, now: datetime) -> None:
        """Claims the tables with keys for a policy. `StoreError` `policy` if they are another's,
        `unstamped` if they hold rows and nobody's stamp."""

    def known(self, keys: Collection[Identity], feed_id: int) -> Known:
        """Which entries hold these keys, and how this feed carries them: one query."""

    def known_by_dedupe_key(self, values: Collection[str], feed_id: int) -> dict[str, KnownEntry]:
        """Entries by their snapshot, for rows from before there were identities. Of several
        with one snapshot, the oldest."""

    def apply(self, changes: Changes, feed_id: int, now: datetime) -> None:
        """Writes what a document changes. `first_seen_at` never changes, `last_seen_at` never
        goes back. `LostRace` if a key has found another holder since, or an entry is gone."""

    def see_again(self, feed_id: int, now: datetime) -> int:
        """Sees every entry of the feed's last document again, and tells how many."""

    def save_feed(self, feed: Feed) -> bool:
        """Writes the row of a feed, and keeps others from writing it until the end. False if there
        is no such feed. Former addresses are added, never taken away. An address that
        another feed has is not taken: then this one keeps the address it has."""


class Store(HistoryStore, Protocol):
    """Feeds, entries and their keys. A call that fails raises `StoreError` and changes nothing.

    Several threads and processes may use one store at once. Times are aware; they come back in
    UTC. Text comes back as it was given, but for NUL and lone surrogates."""

    place: str
    """Where it is, as it may be shown: a password stands as ***."""

    def feeds(self, urls: Collection[str] | None = None) -> list[Feed]:
        """All feeds, or those with these addresses, former ones included, in the order in which
        they were added."""

    def add_feeds(self, wanted: Sequence[tuple[str, str]], now: datetime) -> list[Feed]:
        """Adds feeds by address and title, and gives those that were added. An address that a
        feed has, or had before it moved, is left alone."""

    def remove_feed(self, feed_id: int) -> None:
        """Forgets a feed, and the entries that no other feed carries. The rest pass to the feed
        that has carried them, the one added first."""

    def entries(
        self, new_since: datetime | None = None, feed_id: int | None = None
    ) -> Iterator[Entry]:
        """Entries in the order in which they came, a batch at a time: those first seen at or
        after a moment, those a feed carries."""

    def writing(self) -> AbstractContextManager[Writing]:
        """A transaction, committed when the block ends and rolled back when it fails."""

    def prune(self, older_than: datetime) -> int:
        """Forgets what was last seen before a moment, and tells how many entries that were.

        Kept are the entries of a feed that fails, and those in the last document of a feed that
        has not answered since: nobody has seen them go, and they would come back as new. A feed
        that is gone keeps nothing."""

    def info(self) -> Info:
        """What there is, counted."""

    def close(self) -> None:
        """Gives back what the store holds open. It is not used again."""
