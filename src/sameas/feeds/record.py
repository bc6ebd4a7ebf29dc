"""What one answer of a feed becomes in the store: one transaction, validators included.

Whoever calls it has fetched and parsed; what is the same is decided in match.py. Where another
process was quicker, all is read and decided anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from sameas.errors import StoreError
from sameas.feeds.apart import Apart, told_apart
from sameas.feeds.match import (
    add_by_snapshot,
    claims_of,
    decided,
    wanted_keys,
    wanted_snapshots,
)
from sameas.feeds.types import Counts, Document
from sameas.policy import Policy
from sameas.store.protocol import LostRace, Store, Writing
from sameas.store.types import Feed

_TRIES = 10


def record_document(
    store: Store, feed: Feed, document: Document, after: Feed, policy: Policy, now: datetime
) -> Counts:
    """A document's entries, and the feed as it shall be from now on."""
    after = _with_former(feed, after)
    apart = told_apart(document, after, policy)
    label = f"{policy.name}@{policy.version}"

    def write(writing: Writing) -> Counts:
        writing.stamp(label, policy.fingerprint, now)
        return _record(writing, apart, feed, after, now)

    return _written(store, after, write)


def record_unchanged(store: Store, feed: Feed, after: Feed, now: datetime) -> Counts:
    """An unchanged answer: every entry of the feed's last document has been seen again."""
    return _written(
        store,
        _with_former(feed, after),
        lambda writing: Counts(seen=writing.see_again(feed.feed_id, now)),
    )


def record_failure(store: Store, feed: Feed, after: Feed) -> None:
    """A failure changes the feed alone. Its entries wait for it."""
    _written(store, _with_former(feed, after), lambda _: Counts())


def prune(store: Store, older_than: datetime) -> int:
    """Forgets what was last seen before a moment; see `Store.prune` for what is kept."""
    return store.prune(older_than)


def _record(writing: Writing, apart: Apart, before: Feed, feed: Feed, now: datetime) -> Counts:
    known = writing.known(wanted_keys(apart), feed.feed_id)
    claims = claims_of(apart, known, feed)
    snapshots = wanted_snapshots(apart, claims, before)
    if snapshots:
        found = writing.known_by_dedupe_key(snapshots, feed.feed_id)
        add_by_snapshot(apart, claims, snapshots, found, feed)
    changes, counts = decided(apart, claims, known, feed)
    writing.apply(changes, feed.feed_id, now)
    return counts


def _with_former(feed: Feed, after: Feed) -> Feed:
    """A feed that moves keeps the address it had, and with it the keys of its entries."""
    former = {*feed.former, *after.former, feed.feed_url} - {after.feed_url}
    return replace(after, former=tuple(sorted(former)))


def _written(store: Store, after: Feed, write: Callable[[Writing], Counts]) -> Counts:
    """The feed's row is written first, which keeps others away from it, and kept only with the
    rest. A feed that has been removed in the meantime has nothing to be recorded."""
    for _ in range(_TRIES):
        try:
            with store.writing() as writing:
                return write(writing) if writing.save_feed(after) else Counts()
        except LostRace:
            continue
    hint = "try again when the other programs that write to it have finished"
    raise StoreError("locked", store.place, "others keep writing the same entries", hint)
