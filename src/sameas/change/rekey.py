"""A store moved to another policy: every entry keeps being found, and nothing of it is lost.

One transaction, so a store is wholly as it was or wholly moved. What was known of each entry is
written down first, and `undo` reads it. How rows are kept is the store's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sameas.change.applicable import check_applicable
from sameas.change.merge import Holder, carried, merges
from sameas.change.rewritten import Rewritten, entry_before, form_of, rewritten, sources_listed
from sameas.errors import InvalidURL, PolicyError, StoreError
from sameas.feeds.identity import canonical_key
from sameas.policy import Policy
from sameas.store import merge_rows
from sameas.store.protocol import LostRace
from sameas.store.rekey_rows import BATCH, NUMBER, SNAPSHOT, RekeyRows, Sources
from sameas.store.sql import SqlStore
from sameas.store.stamping import unstamped
from sameas.store.text import storable
from sameas.store.writing import SqlWriting


@dataclass
class Moved:
    """What a move comes to. Samples are the first few."""

    policy: str
    to: str
    entries: int = 0
    rewritten: int = 0
    merged: int = 0
    """Entries that became a part of an earlier one."""
    apart: int = 0
    """Entries whose link another entry has now, and that stay: one feed tells them apart."""
    split: int = 0
    """Entries that gathered links which are no longer one. Copies of such a link that come later
    are entries of their own."""
    merge_samples: list[tuple[str, str]] = field(default_factory=list)
    """The link of an entry, and the link of the one it became a part of."""
    split_samples: list[tuple[str, str]] = field(default_factory=list)
    """The link of an entry under the new policy, and another it was known by."""


class _TakenBack(Exception):
    """The end of a move that was only tried."""


def rekey(store: SqlStore, policy: Policy, now: datetime, dry: bool, samples: int = 10) -> Moved:
    """All of it, or nothing. `dry` does it and takes it back: it tells what would happen."""
    check_applicable(policy, store.place)
    told: list[Moved] = []
    try:
        with store.writing() as writing:
            told.append(_Move(writing, policy, now, samples).run())
            if dry:
                raise _TakenBack
    except _TakenBack:
        pass
    except LostRace as error:
        hint = "try again when the other programs that write to it have finished"
        raise StoreError("locked", store.place, "others write to it", hint) from error
    return told[-1]


def released_as(name: str, fingerprint: str) -> Policy | None:
    """The policy of a stamp, where its name alone still leads to it."""
    try:
        found = Policy.load(name)
    except PolicyError:
        return None
    return found if found.fingerprint == fingerprint else None


def label(policy: Policy) -> tuple[str, str]:
    """As a stamp has it."""
    return f"{policy.name}@{policy.version}", policy.fingerprint


def read_links(rows: RekeyRows, policy: Policy) -> tuple[int, list[str]]:
    """What the policy makes of every link, put aside. Tells how many entries there are, and which
    of the links that are keys it refuses."""
    count, refused = 0, []
    rows.make_aside()
    for batch in rows.batches():
        count += len(batch)
        holding = rows.holding([row.entry_id for row in batch])
        made = []
        for row in batch:
            held, link = row.entry_id in holding, row.link or row.canonical_url
            if not link:
                continue
            try:
                result = policy.canonicalize(link)
            except InvalidURL as error:
                if held:
                    refused.append(f"{link}: {error.code}")
                continue
            form = canonical_key(storable(result.form)).key_value
            made.append((row.entry_id, form, storable(result.url), held, row.first_seen_at))
        if made:
            rows.put_aside(made)
    return count, refused


class _Move:
    def __init__(self, writing: SqlWriting, policy: Policy, now: datetime, samples: int) -> None:
        self._place, self._policy, self._now, self._most = writing.place, policy, now, samples
        self._rows = RekeyRows(writing)
        self._told = Moved("", label(policy)[0])
        self._survivors: dict[int, dict[str, Any]] = {}
        """What entries were like before others became a part of them."""

    def run(self) -> Moved:
        stamp = self._rows.lock()
        if stamp is None:
            raise StoreError("unstamped", self._place, *unstamped("entries"))
        self._told.policy, self._old = stamp.policy, stamp.fingerprint
        if self._old == self._policy.fingerprint:
            return self._told
        self._number = self._rows.begin(stamp, label(self._policy), self._now)
        self._read()
        self._rows.release_keys(self._number, self._old)
        self._merge()
        self._rows.take_keys()
        self._keep_other_keys()
        self._rewrite()
        self._rows.end(label(self._policy), self._now)
        return self._told

    def _read(self) -> None:
        """One that it refuses would lose its entry a key."""
        self._told.entries, refused = read_links(self._rows, self._policy)
        if refused:
            reason = f"{self._told.to} refuses {len(refused):,} links of entries, as {refused[0]}"
            raise PolicyError(self._place, reason, "nothing is changed; use one that takes them")

    def _merge(self) -> None:
        pairs = list(self._decided())
        for start in range(0, len(pairs), BATCH):
            self._merge_some(pairs[start : start + BATCH])
        self._told.merged = len(pairs)

    def _decided(self) -> Iterator[tuple[int, int]]:
        meeting = self._rows.meeting()
        for group in _by_form(meeting):
            sources = self._rows.sources(group)
            holders = [Holder(number, carried(sources.get(number, {}))) for number in group]
            found = merges(holders)
            self._told.apart += 0 if found else len(group)
            yield from found

    def _merge_some(self, pairs: list[tuple[int, int]]) -> None:
        ids = sorted({number for pair in pairs for number in pair})
        lost = [one for one, _ in pairs]
        rows, sources = self._rows.entries(ids), self._rows.sources(ids)
        aside = self._rows.aside(lost)
        keys = merge_rows.other_keys(self._rows, lost)
        former = merge_rows.former(self._rows, lost)
        last_seen = {number: row.last_seen_at for number, row in rows.items()}
        journal, names = [], []
        for one, into in pairs:
            own = sources.get(one, {})
            before = {
                "entry": entry_before(rows[one], whole=True),
                "sources": sources_listed(own),
                "keys": keys[one],
                "former": former[one],
            }
            journal.append((one, into, before))
            held = sources.setdefault(into, {})
            self._survivors.setdefault(
                into, {"last_seen_at": last_seen[into], "sources": sources_listed(held)}
            )
            sources[into] = _together(held, rewritten(rows[one], own, aside[one]).sources)
            last_seen[into] = max(last_seen[into], last_seen[one])
            names.append((self._old, NUMBER, str(one), into, one, self._number))
            names.append((self._old, SNAPSHOT, rows[one].dedupe_key, into, one, self._number))
            self._sample(self._told.merge_samples, rows[one].link, rows[into].link)
        self._rows.journal(self._number, journal)
        merge_rows.move(self._rows, pairs)
        survivors = {into for _, into in pairs}
        self._rows.write_sources({number: sources[number] for number in survivors})
        self._rows.rewrite(
            [{**rows[number]._mapping, "last_seen_at": last_seen[number]} for number in survivors]
        )
        self._rows.add_former(names)

    def _keep_other_keys(self) -> None:
        """A key that an entry had beside its link's, as the new policy writes it, where it is
        nobody's: the entry goes on being found by what it gathered."""
        split: set[int] = set()
        was = released_as(self._told.policy, self._old)
        for batch in self._rows.left_behind(self._number):
            keys = []
            for value, number, url, own in batch:
                form = form_of(self._policy, value)
                if form is None or form == own:
                    continue
                keys.append((form, number))
                before = url if was is None else form_of(was, url)
                if own is not None and before == value and number not in split:
                    split.add(number)
                    self._sample(self._told.split_samples, own, form)
            self._rows.add_keys(keys)
        self._told.split = len(split)

    def _rewrite(self) -> None:
        for batch in self._rows.batches():
            ids = [row.entry_id for row in batch]
            aside, sources = self._rows.aside(ids), self._rows.sources(ids)
            changed = []
            for row in batch:
                new = aside.get(row.entry_id)
                after = rewritten(row, sources.get(row.entry_id, {}), new)
                if after.changes(row) or row.entry_id in self._survivors:
                    changed.append((row, sources.get(row.entry_id, {}), after))
            self._write(changed)

    def _write(self, changed: list[tuple[Any, Sources, Rewritten]]) -> None:
        self._told.rewritten += len(changed)
        self._rows.journal(self._number, [self._journaled(*one) for one in changed])
        self._rows.rewrite([after.row(row) for row, _, after in changed])
        self._rows.write_sources({row.entry_id: after.sources for row, _, after in changed})
        self._rows.add_former(
            [
                (self._old, SNAPSHOT, row.dedupe_key, row.entry_id, row.entry_id, self._number)
                for row, _, after in changed
                if after.dedupe_key != row.dedupe_key
            ]
        )

    def _journaled(self, row: Any, sources: Sources, after: Rewritten) -> tuple[int, None, Any]:
        was = self._survivors.get(row.entry_id, {})
        before = entry_before(row)
        if "last_seen_at" in was:
            before["last_seen_at"] = was["last_seen_at"].isoformat()
        return (
            row.entry_id,
            None,
            {
                "entry": before,
                "sources": was.get("sources", sources_listed(sources)),
                "after": after.listed(row),
            },
        )

    def _sample(self, samples: list[tuple[str, str]], one: str, other: str) -> None:
        if len(samples) < self._most:
            samples.append((one, other))


def _by_form(meeting: Iterable[tuple[str, int]]) -> Iterator[list[int]]:
    group: list[int] = []
    held = None
    for form, number in meeting:
        if form != held and group:
            yield group
            group = []
        held = form
        group.append(number)
    if group:
        yield group


def _together(one: Sources, other: Sources) -> Sources:
    """How the feeds carry an entry that was two: a feed that carries both, as it did the one that
    stood in its last document."""
    both = dict(one)
    for feed_id, source in other.items():
        held = both.get(feed_id)
        if held is None or (source.in_last and not held.in_last):
            both[feed_id] = (
                source if held is None else source._replace(guid=source.guid or held.guid)
            )
        elif not held.guid:
            both[feed_id] = held._replace(guid=source.guid)
    return both
