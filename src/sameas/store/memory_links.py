"""Links, domains and reviews in memory: see `link_protocol.LinkStore`.

The half of `MemoryStore` that is about links.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from operator import attrgetter
from threading import RLock
from urllib.parse import urlsplit

from sameas.errors import StoreError
from sameas.store.link_types import ORDER, Domain, Link, Review, later, moves
from sameas.store.stamping import foreign_links
from sameas.store.types import Stamp

LINK_KEYED = ("links", "reviews")


class MemoryLinks:
    """See `link_protocol.LinkStore`."""

    place = "memory"

    def __init__(self) -> None:
        self.lock = RLock()
        self.stamps: dict[str, Stamp] = {}
        self._links: dict[str, Link] = {}
        self._domains: dict[str, Domain] = {}
        self._reviews: dict[str, Review] = {}

    def claim_links(self, policy: str, fingerprint: str, now: datetime) -> None:
        for name in LINK_KEYED:
            stamp = self.stamps.setdefault(name, Stamp(name, policy, fingerprint, now))
            if stamp.fingerprint != fingerprint:
                words = foreign_links(name, (stamp.policy, stamp.fingerprint), policy, fingerprint)
                raise StoreError("policy", self.place, *words)

    def links(self, keys: Collection[str]) -> dict[str, Link]:
        return {key: self._links[key] for key in keys if key in self._links}

    def each_link(self, status: str = "", host: str = "") -> Iterator[Link]:
        found = sorted(self._links.values(), key=attrgetter("url", "key"))
        for link in found:
            there = urlsplit(link.url).hostname
            if status in ("", link.status) and host in ("", there):
                yield link

    def save_links(self, saved: Sequence[Link]) -> None:
        rows = (replace(link, checked_at=link.checked_at.astimezone(UTC)) for link in saved)
        self._links.update({link.key: link for link in rows})

    def domains(self, hosts: Collection[str]) -> dict[str, Domain]:
        return {host: self._domains[host] for host in hosts if host in self._domains}

    def save_domain(self, domain: Domain) -> None:
        with self.lock:
            known = self._domains.get(domain.host)
            if domain.decided or known is None or not known.decided:
                self._domains[domain.host] = domain

    def forget_domain(self, host: str) -> None:
        self._domains.pop(host, None)

    def review(self, review_id: str) -> Review | None:
        return self._reviews.get(review_id)

    def reviews(self, decided: bool | None = None) -> Iterator[Review]:
        found = sorted(self._reviews.values(), key=attrgetter(*ORDER))
        return (r for r in found if decided is None or decided == (r.decision is not None))

    def reviews_of(self, keys: Collection[str]) -> list[Review]:
        return [review for review in self._reviews.values() if review.key in keys]

    def ask(self, asked: Sequence[Review]) -> int:
        new = 0
        with self.lock:
            for review in asked:
                known = self._reviews.get(review.review_id)
                new += known is None
                self._reviews[review.review_id] = _asked(review, known)
        return new

    def decide(
        self, review_id: str, decision: str | None, value: str, by: str, now: datetime
    ) -> None:
        with self.lock:
            known = self._reviews.get(review_id)
            if known is not None:
                self._reviews[review_id] = replace(
                    known, decision=decision, value=value, decided_by=by, decided_at=now
                )

    def withdraw(self, before: datetime, is_covered: Callable[[str, str], bool]) -> int:
        with self.lock:
            gone = [
                name
                for name, review in self._reviews.items()
                if review.decision is None
                and review.seen_at < before
                and is_covered(review.file, review.field)
            ]
            for name in gone:
                del self._reviews[name]
        return len(gone)

    def rekey_links(
        self,
        key_of: Callable[[str], str],
        key_of_review: Callable[[Review], str],
        stamp: tuple[str, str],
        now: datetime,
    ) -> int:
        with self.lock:
            gone = [link.key for link in self._links.values() if moves(link, key_of)]
            for key in gone:
                del self._links[key]
            self.stamps.update({name: Stamp(name, *stamp, now) for name in LINK_KEYED})
            moved = 0
            for name, review in list(self._reviews.items()):
                new = replace(review, key=key_of_review(review))
                if new.key != review.key:
                    moved += 1
                    del self._reviews[name]
                    other = self._reviews.get(new.review_id)
                    self._reviews[new.review_id] = new if other is None else later(new, other)
        return len(gone) + moved


def _asked(review: Review, known: Review | None) -> Review:
    if known is None:
        return review
    return replace(
        review,
        asked_at=known.asked_at,
        decision=known.decision,
        value=known.value,
        decided_by=known.decided_by,
        decided_at=known.decided_at,
    )
