"""What changes on real data between two policies: keys that change, groups that merge or split.

One pass over the rows. Those that change are kept apart by their keys on disk, and the others too,
as one of them may belong to a group that changes; memory holds a part of the changed ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from heapq import heappush, heappushpop
from typing import NamedTuple

from sameas.change.because import Reason, because
from sameas.change.spool import KEY, PARTS, Row, Spool
from sameas.change.types import Changed, Diff, Group, Grouped, Member
from sameas.engine.parse import shown
from sameas.errors import InvalidURL
from sameas.policy import Policy
from sameas.records.source import Refused, Value

_MOST_MEMBERS = 5

Told = Callable[[int, InvalidURL | Refused], None]
"""Hears of every row that has no key under either policy, by its number."""


def compared(
    old: Policy, new: Policy, rows: Iterable[tuple[int, Value]], samples: int, tell: Told
) -> Diff:
    """`samples`: how many rows and groups of each kind are shown; groups, the largest."""
    return _Comparison(old, new, samples, tell).run(rows)


class _Seen(NamedTuple):
    """The rows that have one key before and one after: how many, and the first of them."""

    rows: int
    number: int
    url: bytes
    changed: bool


class _Comparison:
    def __init__(self, old: Policy, new: Policy, samples: int, tell: Told) -> None:
        self._old, self._new, self._samples, self._tell = old, new, samples, tell
        self._diff = Diff()

    def run(self, rows: Iterable[tuple[int, Value]]) -> Diff:
        with Spool() as spool:
            for number, value in rows:
                self._diff.rows += 1
                self._read(spool, number, value)
            for part in range(PARTS):
                self._group(spool, part, self._diff.merged, merges=True)
                self._group(spool, part, self._diff.split, merges=False)
        for grouped in (self._diff.merged, self._diff.split):
            grouped.samples.sort(key=lambda group: -group.rows)
        return self._diff

    def _read(self, spool: Spool, number: int, value: Value) -> None:
        if isinstance(value, Refused):
            self._diff.refused += 1
            self._tell(number, value)
            return
        before, after = _key(self._old, value), _key(self._new, value)
        if isinstance(before, InvalidURL) and isinstance(after, InvalidURL):
            self._diff.refused += 1
            self._tell(number, after)
            return
        if isinstance(before, bytes) and isinstance(after, bytes):
            row = Row(before, after, number, _stored(value))
            if before == after:
                spool.add("steady", before, row)
                return
            spool.add("by-new", after, row)
            spool.add("by-old", before, row)
        self._diff.newly_refused += isinstance(after, InvalidURL)
        self._diff.no_longer_refused += isinstance(before, InvalidURL)
        self._count(number, value)

    def _count(self, number: int, value: str | bytes) -> None:
        diff = self._diff
        before, after = self._old.explain(value), self._new.explain(value)
        reason = because(before, after)
        diff.changed += 1
        diff.rules[reason.rule] += 1
        diff.clauses.setdefault(reason.rule, reason.clause)
        if len(diff.samples) < self._samples:
            was, becomes = (told.result.form if told.result else "" for told in (before, after))
            diff.samples.append(Changed(number, after.input, was, becomes, reason))

    def _group(self, spool: Spool, part: int, grouped: Grouped, merges: bool) -> None:
        """By the key that is one: the keys that are several, with their rows."""
        found: dict[bytes, dict[bytes, _Seen]] = {}
        for row in spool.part("by-new" if merges else "by-old", part):
            one, several = (row.new, row.old) if merges else (row.old, row.new)
            _add(found.setdefault(one, {}), several, row, changed=True)
        for row in spool.part("steady", part):
            if (seen := found.get(row.old)) is not None:
                _add(seen, row.old, row, changed=False)
        waiting: list[tuple[int, int, list[_Seen]]] = []
        for seen in found.values():
            if len(seen) < 2:
                continue
            members = sorted(seen.values(), key=lambda one: one.number)
            reason = self._reason(members)
            rows = sum(one.rows for one in members)
            grouped.groups += 1
            grouped.rows += rows
            grouped.keys += len(members)
            grouped.rules[reason.rule] += 1
            keep = heappush if len(waiting) < self._samples else heappushpop
            if self._samples:
                keep(waiting, (rows, -members[0].number, members))
        grouped.samples += [self._shown(members, merges) for *_, members in waiting]
        grouped.samples.sort(key=lambda group: -group.rows)
        del grouped.samples[self._samples :]

    def _reason(self, members: list[_Seen]) -> Reason:
        url = next(one.url for one in members if one.changed)
        return because(self._old.explain(url), self._new.explain(url))

    def _shown(self, members: list[_Seen], merges: bool) -> Group:
        one, several = (self._new, self._old) if merges else (self._old, self._new)
        return Group(
            one.canonicalize(members[0].url).form,
            sum(member.rows for member in members),
            len(members),
            tuple(
                Member(shown(seen.url), several.canonicalize(seen.url).form, seen.rows)
                for seen in members[:_MOST_MEMBERS]
            ),
            self._reason(members),
        )


def _add(seen: dict[bytes, _Seen], key: bytes, row: Row, changed: bool) -> None:
    held = seen.get(key)
    if held is None:
        seen[key] = _Seen(1, row.number, row.url, changed)
    else:
        seen[key] = held._replace(rows=held.rows + 1)


def _key(policy: Policy, value: str | bytes) -> bytes | InvalidURL:
    try:
        return bytes.fromhex(policy.key(value)[: 2 * KEY])
    except InvalidURL as error:
        return error


def _stored(value: str | bytes) -> bytes:
    """As bytes, without credentials: they are put aside on disk, and change no key."""
    text = value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")
    return shown(text).encode("utf-8", "surrogateescape") if b"@" in text else text
