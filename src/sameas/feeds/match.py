"""Which known entry each entry of a document is, and what that changes. Pure: no store, no clock.

The first key in the seed's order decides. Nothing is merged: an entry of the store is one entry
of the document, or none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sameas.feeds.apart import Apart, Candidate
from sameas.feeds.identity import CANONICAL_URL, LEGACY_GUID, snapshot, wording_key
from sameas.feeds.types import Counts
from sameas.store.types import (
    KEY_TYPES,
    Changes,
    Content,
    Copy,
    Feed,
    Identity,
    Known,
    KnownEntry,
    NewEntry,
)

_RANK = {key_type: rank for rank, key_type in enumerate(KEY_TYPES)}
_SNAPSHOT_RANK = len(KEY_TYPES)


class Claim(NamedTuple):
    """An entry that a candidate may be, and how good its reason is: 0 is the best."""

    rank: int
    entry: KnownEntry


Claims = dict[Identity, list[Claim]]
"""By a candidate's own key, one for each entry it may be."""


def wanted_keys(apart: Apart) -> list[Identity]:
    """Every key by which a known entry could be found."""
    keys = [key for candidate in apart.candidates for key in _sought(candidate)]
    return list(dict.fromkeys(keys))


def _sought(candidate: Candidate) -> Iterator[Identity]:
    yield from candidate.keys
    yield from candidate.former
    if candidate.repeated is not None:
        yield candidate.repeated


def claims_of(apart: Apart, known: Known, feed: Feed) -> Claims:
    return {
        candidate.own: _claims(candidate, known, feed, apart.guids)
        for candidate in apart.candidates
    }


def _claims(candidate: Candidate, known: Known, feed: Feed, guids: Collection[str]) -> list[Claim]:
    """One for each entry that the candidate may be, with the best of its reasons."""
    found: dict[int, Claim] = {}
    for key in _sought(candidate):
        entry_id = known.holders.get(key)
        if entry_id is None:
            continue
        entry, rank = known.entries[entry_id], _RANK[key.key_type]
        better = entry_id not in found or rank < found[entry_id].rank
        if better and _may_be(candidate, key, entry, feed, guids):
            found[entry_id] = Claim(rank, entry)
    return list(found.values())


def _may_be(
    candidate: Candidate,
    key: Identity,
    entry: KnownEntry,
    feed: Feed,
    guids: Collection[str],
) -> bool:
    if key == candidate.repeated:
        return candidate.content.content_hash in (entry.content_hash, entry.copy_hash)
    if key == candidate.own:
        return True
    same_guid = entry.guid in ("", candidate.content.guid)
    if key.key_type == CANONICAL_URL:
        # An entry whose guid is gone may have a new one, and two with a guid each are two. So
        # are two of which one has taken the address that the other had before.
        ours = entry.feed_id == feed.feed_id
        left = ours and entry.canonical_url not in ("", candidate.content.canonical_url)
        return same_guid or (entry.guid not in guids and not left)
    if key.key_type == LEGACY_GUID:
        # It names no feed, so another feed's means another entry.
        return same_guid and entry.feed_id in (None, feed.feed_id)
    return True


def wanted_snapshots(
    apart: Apart, claims: Claims, feed: Feed
) -> dict[str, tuple[Candidate, Identity]]:
    """By the snapshots of an entry that no key has found, what it would be found by. Where its
    guid was repeated before, it was known by what it says; `feed` is as it was before this run,
    and one that was never asked has had no guid yet."""
    found: dict[str, tuple[Candidate, Identity]] = {}
    for candidate in apart.candidates:
        if not claims[candidate.own] and candidate.repeated is None:
            for key in (*candidate.keys, *candidate.former, *_wordings(candidate, feed)):
                found.setdefault(snapshot(key), (candidate, key))
    return found


def _wordings(candidate: Candidate, feed: Feed) -> Iterator[Identity]:
    if candidate.content.guid and feed.last_checked_at is not None:
        for address in (feed.feed_url, *feed.former):
            yield wording_key(address, candidate.content)


def add_by_snapshot(
    apart: Apart,
    claims: Claims,
    wanted: Mapping[str, tuple[Candidate, Identity]],
    known: Mapping[str, KnownEntry],
    feed: Feed,
) -> None:
    """The seed's fallback: rows from before there were identities."""
    for text, (candidate, key) in wanted.items():
        entry = known.get(text)
        if entry is not None and _may_be(candidate, key, entry, feed, apart.guids):
            claims[candidate.own].append(Claim(_SNAPSHOT_RANK, entry))


def decided(apart: Apart, claims: Claims, known: Known, feed: Feed) -> tuple[Changes, Counts]:
    """What the document changes, and what that comes to."""
    taken = _assigned(apart.candidates, claims)
    written = _Written(known, feed)
    for candidate in apart.candidates:
        entry = taken.get(candidate.own)
        if entry is None:
            written.add(candidate)
        else:
            written.meet(candidate, entry)
    conflicts = sum(len(found) > 1 for found in claims.values())
    duplicates = len(taken) - written.updated + apart.doubles
    counts = Counts(
        new=len(written.new),
        updated=written.updated,
        duplicates=duplicates,
        seen=duplicates,
        conflicts=conflicts,
        repeated_guids=apart.repeated_guids,
    )
    return written.changes(apart.whole), counts


def _assigned(candidates: Sequence[Candidate], claims: Claims) -> dict[Identity, KnownEntry]:
    """Each known entry goes to the candidate with the best reason. Of two with equal reasons, to
    the one that has the entry's guid, or its link."""
    wanted = Counter(claim.entry.entry_id for found in claims.values() for claim in found)
    taken: dict[Identity, KnownEntry] = {}
    contenders = []
    for candidate in candidates:
        found = claims[candidate.own]
        if len(found) == 1 and wanted[found[0].entry.entry_id] == 1:
            taken[candidate.own] = found[0].entry
        else:
            contenders += [(*_reason(candidate, claim), claim.entry) for claim in found]
    gone: set[int] = set()
    for *_, own, entry in sorted(contenders, key=lambda contender: contender[:-1]):
        if own not in taken and entry.entry_id not in gone:
            taken[own] = entry
            gone.add(entry.entry_id)
    return taken


def _reason(candidate: Candidate, claim: Claim) -> tuple[int, bool, bool, Identity]:
    """The smaller, the better."""
    content, entry = candidate.content, claim.entry
    other_guid = entry.guid != content.guid
    other_link = entry.canonical_url != content.canonical_url
    return claim.rank, other_guid, other_link, candidate.own


@dataclass
class _Written:
    """The changes, as they come together."""

    known: Known
    feed: Feed
    updated: int = 0
    new: list[NewEntry] = field(default_factory=list)
    rewritten: list[tuple[int, Content]] = field(default_factory=list)
    seen: list[int] = field(default_factory=list)
    copies: list[Copy] = field(default_factory=list)
    keys: list[tuple[int, Identity]] = field(default_factory=list)
    released: list[Identity] = field(default_factory=list)

    def add(self, candidate: Candidate) -> None:
        """A new entry. Its own key is its own, also where an entry had it that is another one of
        this document now."""
        if candidate.own in self.known.holders:
            self.released.append(candidate.own)
        free = [key for key in candidate.keys[1:] if key not in self.known.holders]
        self.new.append(NewEntry(candidate.content, (candidate.own, *free)))

    def meet(self, candidate: Candidate, entry: KnownEntry) -> None:
        content, entry_id = candidate.content, entry.entry_id
        ours = entry.feed_id in (None, self.feed.feed_id)
        before = entry.content_hash if ours else entry.copy_hash
        changed = before is not None and before != content.content_hash
        self.updated += changed
        self.seen.append(entry_id)
        other_guid = entry.guid != content.guid
        if ours and (changed or other_guid or before is None or entry.feed_id is None):
            self.rewritten.append((entry_id, content))
        if other_guid or not entry.in_last or entry.copy_hash != content.content_hash:
            self.copies.append(Copy(entry_id, content.guid, content.content_hash))
        self.keys += [
            (entry_id, key)
            for key in candidate.keys
            if key not in self.known.holders and (ours or key.key_type != LEGACY_GUID)
        ]

    def changes(self, whole: bool) -> Changes:
        return Changes(
            tuple(self.new),
            tuple(self.rewritten),
            tuple(self.seen),
            tuple(self.copies),
            tuple(self.keys),
            tuple(self.released),
            whole,
        )
