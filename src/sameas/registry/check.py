"""The run over a registry: read, ask what is due, judge every link, put what only people can say.

What is wrong with a link is judge.py's business, how it is mended mend.py's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from sameas.engine.parse import parse, shown
from sameas.errors import InvalidURL
from sameas.policy import Policy
from sameas.registry.files import files_in
from sameas.registry.judge import Judge, Verdict
from sameas.registry.known import Knowledge, text_key
from sameas.registry.ledger import Entry, Ledger
from sameas.registry.questions import Asked
from sameas.registry.read import links_in
from sameas.registry.types import Found, Unread, name_in
from sameas.resolve.allowlist import Allowlist
from sameas.store.link_protocol import LinkStore
from sameas.store.link_types import Link, Review
from sameas.types import Canonical

_BATCH = 500
_SOON = timedelta(days=1)
"""What could not be told is looked at again after this time, and no later than the rest."""


@dataclass(frozen=True)
class Judged:
    entry: Entry
    url: str | None
    """The value as it may be written anywhere: credentials as `***`. None for a null."""
    host: str
    """"" where the value is no URL."""
    verdict: Verdict
    status: str
    """How it answered last; "" where it was never asked."""


class Check:
    """`now` is the time of the run."""

    def __init__(
        self,
        policy: Policy,
        store: LinkStore,
        allow: Allowlist | None,
        ledger: Ledger,
        now: datetime,
    ) -> None:
        self._policy, self._store, self._ledger, self._now = policy, store, ledger, now
        self._judge = Judge(policy, allow)
        self.questions = 0
        """How many are open about these links."""
        self._fields: Collection[str] = ()

    def read(
        self,
        places: Sequence[str],
        fields: Collection[str],
        tell: Callable[[str, Unread], object],
    ) -> None:
        """Every link into the ledger. What cannot be read is told, and costs the rest nothing."""
        self._fields = fields
        for path in files_in(places):
            file_id = self._ledger.add_file(path)
            if file_id is None:
                continue
            for piece in links_in(path, fields):
                if isinstance(piece, Unread):
                    tell(path, piece)
                else:
                    key, host = self._identity(piece)
                    self._ledger.add(file_id, piece, key, host)

    def _identity(self, found: Found) -> tuple[str, str]:
        canonical = self._canonical(found)
        return (canonical.key, parse(canonical.url).host) if canonical else ("", "")

    def _canonical(self, found: Found) -> Canonical | None:
        if found.value is None:
            return None
        try:
            return self._policy.canonicalize(found.value)
        except InvalidURL:
            return None

    def find_due(self, recheck: timedelta) -> int:
        """Marks the links that have to be asked, and tells how many."""
        for keys in self._ledger.keys(_BATCH):
            links = self._store.links(keys)
            decided = self._last_decisions(keys)
            due = [k for k in keys if self._is_due(links.get(k), decided.get(k), recheck)]
            self._ledger.mark_due(due)
        return self._ledger.due()

    def _last_decisions(self, keys: Collection[str]) -> dict[str, datetime]:
        times: dict[str, datetime] = {}
        for review in self._store.reviews_of(keys):
            if review.decided_at is not None:
                times[review.key] = max(times.get(review.key, review.decided_at), review.decided_at)
        return times

    def _is_due(self, link: Link | None, decided: datetime | None, recheck: timedelta) -> bool:
        """Never asked, too long ago, or before a person said something about it. A rejected link
        is asked every time: what is allowed may have changed."""
        if link is None or link.status == "rejected":
            return True
        patience = min(recheck, _SOON) if link.status == "unknown" else recheck
        return link.checked_at + patience <= self._now or (
            decided is not None and decided > link.checked_at
        )

    def turns(self) -> Iterator[tuple[str, Entry]]:
        """The links that are due, each with its host."""
        for entry in self._ledger.take_turns(_BATCH):
            canonical = self._canonical(entry.found)
            assert canonical is not None
            yield parse(canonical.url).host, entry

    def judged(self) -> Iterator[Judged]:
        """Every link in the order of the files. Questions are put on the way."""
        for keys in self._ledger.keys(_BATCH):
            links = self._store.links(keys).values()
            self._ledger.leads_to(
                (link.key, link.final_key) for link in links if link.final_key not in ("", link.key)
            )
        batches = groupby(enumerate(self._ledger.entries(_BATCH)), lambda item: item[0] // _BATCH)
        for _, batch in batches:
            yield from self._judged([entry for _, entry in batch])

    def _judged(self, entries: Sequence[Entry]) -> list[Judged]:
        links = [(entry, self._canonical(entry.found)) for entry in entries]
        knowledge = Knowledge(self._store, links)
        judged = []
        for entry, canonical in links:
            elsewhere = self._ledger.elsewhere(entry) if canonical else ()
            known = knowledge.of(entry, canonical, elsewhere)
            found = entry.found
            if canonical is None or found.value is None:
                verdict = self._judge.invalid(found.value, found.literal, text_key(entry), known)
            else:
                verdict = self._judge.link(found.value, canonical, known)
            status = known.link.status if known.link else ""
            host = parse(canonical.url).host if canonical else ""
            judged.append(Judged(entry, _shown(found, canonical), host, verdict, status))
        self._put(judged)
        return judged

    def _put(self, judged: Sequence[Judged]) -> None:
        """A question is put once a run, for the first link it is about."""
        reviews = [self._review(one.entry, asked) for one in judged for asked in one.verdict.asked]
        first = [review for review in reviews if self._ledger.asks_first(review.review_id)]
        self._store.ask(first)
        self.questions += len(first)

    def _review(self, entry: Entry, asked: Asked) -> Review:
        return Review(
            kind=asked.kind,
            key=asked.key,
            url=asked.url,
            file=os.path.realpath(entry.path),
            line=entry.found.line,
            suggestion=asked.suggestion,
            reason=asked.reason,
            evidence=asked.evidence,
            asked_at=self._now,
            seen_at=self._now,
            field=name_in(entry.found.field, self._fields),
        )

    def withdraw(self, places: Sequence[str]) -> int:
        """Takes back open questions about what no longer stands in the files of this run. Fields
        that it was not told to look at stay as they are."""
        folders = [os.path.join(os.path.realpath(p), "") for p in places if os.path.isdir(p)]

        def is_covered(file: str, field: str) -> bool:
            if self._ledger.has_file(file):
                return field in ("", *self._fields)
            return file.startswith(tuple(folders)) and not os.path.exists(file)

        return self._store.withdraw(self._now, is_covered)


def _shown(found: Found, canonical: Canonical | None) -> str | None:
    if found.value is None:
        return {"null": None, "{": "{…}"}.get(found.literal, found.literal)
    if canonical is None:
        return shown(found.value, "invalid")
    return shown(found.value, flags=canonical.flags)
