"""The last move of a store taken back: entries that had become one are several again.

What has come or changed since the move stays, and is keyed under the policy from before. A row
nobody has touched is exactly as it was.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sameas.change.rekey import label, read_links, released_as
from sameas.change.rewritten import entry_read, rewritten, sources_read
from sameas.errors import PolicyError, SettingError, StoreError
from sameas.policy import Policy
from sameas.store import merge_rows, undo_rows
from sameas.store.protocol import LostRace
from sameas.store.rekey_rows import SNAPSHOT, RekeyRows, Source, Sources
from sameas.store.sql import SqlStore
from sameas.store.undo_rows import Journaled
from sameas.store.writing import SqlWriting


@dataclass
class Undone:
    """What taking a move back comes to."""

    policy: str
    """The policy the store has again."""
    undone: str
    """The one it had."""
    entries: int = 0
    rewritten: int = 0
    parted: int = 0
    """Entries that had become a part of another one."""


def undo(store: SqlStore, policy: Policy | None, now: datetime) -> Undone:
    """`policy`: the one from before, where its name alone does not lead to it."""
    try:
        with store.writing() as writing:
            return _Undo(writing, now).run(policy)
    except LostRace as error:
        hint = "try again when the other programs that write to it have finished"
        raise StoreError("locked", store.place, "others write to it", hint) from error


class _Undo:
    def __init__(self, writing: SqlWriting, now: datetime) -> None:
        self._place, self._now, self._rows = writing.place, now, RekeyRows(writing)
        self._parted: set[int] = set()

    def run(self, policy: Policy | None) -> Undone:
        stamp, self._last = self._rows.lock(), self._rows.last()
        if self._last is None or stamp.fingerprint != self._last.to_fingerprint:
            raise SettingError(self._place, "there is no move to take back", "rekey it instead")
        old = self._policy(policy)
        self._told = Undone(self._last.policy, self._last.to_policy)
        self._told.entries, _ = read_links(self._rows, old)
        self._rows.release_keys(self._last.rekey_id, self._last.to_fingerprint)
        feeds = undo_rows.feed_ids(self._rows)
        for batch in undo_rows.merged(self._rows, self._last.rekey_id):
            self._part(batch, feeds)
        undo_rows.give_keys_back(self._rows, self._last.rekey_id, self._last.fingerprint)
        for rows in self._rows.batches():
            self._restore([row for row in rows if row.entry_id not in self._parted])
        self._rows.end(label(old), self._now)
        undo_rows.forget(self._rows, self._last.rekey_id, self._last.fingerprint, self._now)
        self._told.parted = len(self._parted)
        return self._told

    def _policy(self, given: Policy | None) -> Policy:
        found = given or released_as(self._last.policy, self._last.fingerprint)
        if found is None or found.fingerprint != self._last.fingerprint:
            fingerprint = self._last.fingerprint[:12]
            reason = f"its keys were made under {self._last.policy} ({fingerprint})"
            raise PolicyError(self._place, reason, "give that policy as it was then, with --to")
        return found

    def _part(self, batch: list[Journaled], feeds: set[int]) -> None:
        """Entries as they were, with what of theirs is still there."""
        into = {one.merged_into for one in batch if one.merged_into is not None}
        held = undo_rows.journaled(self._rows, self._last.rekey_id, into)
        survivors, sources = self._rows.entries(into), self._rows.sources(into)
        gone: set[tuple[int, int]] = set()
        for one in batch:
            number = one.merged_into
            if number is None or number not in survivors:
                continue  # it has expired with the entry it was a part of
            row, after = entry_read(one.before["entry"]), held[number].before["after"]
            if row["feed_id"] not in feeds:
                row["feed_id"] = None
            if survivors[number].last_seen_at != entry_read(after["entry"])["last_seen_at"]:
                row["last_seen_at"] = max(row["last_seen_at"], survivors[number].last_seen_at)
            own = _its_own(
                sources_read(one.before["sources"]),
                sources_read(held[number].before["sources"]),
                sources_read(after["sources"]),
                sources.get(number, {}),
                {feed_id for other, feed_id in gone if other == number},
            )
            gone |= {(number, feed_id) for feed_id in own}
            merge_rows.write_entry(self._rows, row)
            self._rows.write_sources({one.entry_id: own})
            merge_rows.move_back(
                self._rows, one.entry_id, number, one.before["keys"], one.before["former"]
            )
            self._parted.add(one.entry_id)

    def _restore(self, batch: list[Any]) -> None:
        ids = [row.entry_id for row in batch]
        journal = undo_rows.journaled(self._rows, self._last.rekey_id, ids)
        aside, sources = self._rows.aside(ids), self._rows.sources(ids)
        written: list[Any] = []
        copies: dict[int, Sources] = defaultdict(dict)
        snapshots, keys, lost = [], [], []
        for row in batch:
            number, new, held = row.entry_id, aside.get(row.entry_id), sources.get(row.entry_id, {})
            before = journal.get(number)
            computed = rewritten(row, held, new)
            values, own = computed.row(row), computed.sources
            is_old = before is not None and _untouched(row, before)
            if before is not None:
                values, own = _as_it_was(row, held, before, values if not is_old else None, own)
                lost += [(number, feed_id) for feed_id in held.keys() - own.keys()]
            touched = computed.changes(row) if before is None else not is_old
            since = touched or number > self._last.last_entry
            if new is not None and new.held and since:
                keys.append((new.form, number))
            if values != dict(row._mapping) or own != held:
                written.append(values)
                copies[number] = own
            if values["dedupe_key"] != row.dedupe_key:
                snapshots.append(self._former(row))
        self._told.rewritten += len(written)
        merge_rows.forget_sources(self._rows, lost)
        self._rows.rewrite(written)
        self._rows.write_sources(copies)
        self._rows.add_keys(keys)
        self._rows.add_former(snapshots)

    def _former(self, row: Any) -> tuple[str, str, str, int, int, int]:
        number, move = row.entry_id, self._last
        return (move.to_fingerprint, SNAPSHOT, row.dedupe_key, number, number, move.rekey_id)


def _untouched(row: Any, before: Journaled) -> bool:
    """Nobody has written what the policy decides of it since the move."""
    after = before.before["after"]["entry"]
    return all(getattr(row, name) == after[name] for name in after if name != "last_seen_at")


def _as_it_was(
    row: Any, held: Sources, journaled: Journaled, computed: Any, copies: Sources
) -> tuple[dict[str, Any], Sources]:
    """An entry that stayed. `computed`, where it has been rewritten since; `copies`, for what
    feeds have come to carry it since."""
    before, after = journaled.before, journaled.before["after"]
    was, seen = entry_read(before["entry"]), entry_read(after["entry"])["last_seen_at"]
    values = dict(row._mapping) | (was if computed is None else dict(computed))
    values["last_seen_at"] = was["last_seen_at"] if row.last_seen_at == seen else row.last_seen_at
    old, new = sources_read(before["sources"]), sources_read(after["sources"])
    own = {}
    for feed_id, source in held.items():
        if feed_id in new and feed_id not in old:
            continue  # it came with an entry that is one of its own again
        same = source == new.get(feed_id)
        own[feed_id] = old[feed_id] if same and feed_id in old else copies[feed_id]
    return values, own


def _its_own(
    own: Sources, survivor: Sources, together: Sources, now: Sources, given: Iterable[int]
) -> Sources:
    """How feeds carry an entry that is no longer a part of another: as they did, or where one has
    brought it again since, as that one does. A feed that carries it no more is left out."""
    found: dict[int, Source] = {}
    taken = set(given)
    for feed_id, source in own.items():
        if feed_id not in now:
            continue
        if now[feed_id] == together.get(feed_id):
            found[feed_id] = source
        elif feed_id in survivor or feed_id in taken:
            found[feed_id] = source._replace(in_last=False)
        else:
            found[feed_id] = now[feed_id]
    return found
