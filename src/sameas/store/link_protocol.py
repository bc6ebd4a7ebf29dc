"""What a store is to the registry and to reviews: a Protocol with its meaning, for all stores.

It decides nothing about links; tests/store holds one suite that every store passes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from typing import Protocol

from sameas.store.history import HistoryStore
from sameas.store.link_types import Domain, Link, Review


class LinkStore(HistoryStore, Protocol):
    """Links, domains and reviews. A call is one transaction: it is kept whole or raises
    `StoreError`. Text comes back as it was given, but for NUL and lone surrogates."""

    place: str

    def claim_links(self, policy: str, fingerprint: str, now: datetime) -> None:
        """Claims links and reviews for a policy. `StoreError` `policy` if they are another's."""

    def links(self, keys: Collection[str]) -> dict[str, Link]:
        """How these links answered, as far as they were asked."""

    def each_link(self, status: str = "", host: str = "") -> Iterator[Link]:
        """All of them by address, or those that answered so, those of a host."""

    def save_links(self, links: Sequence[Link]) -> None:
        """Writes rows, each in the place of the one that has its key."""

    def domains(self, hosts: Collection[str]) -> dict[str, Domain]:
        """What is known of these hosts."""

    def save_domain(self, domain: Domain) -> None:
        """Writes a row. What a person decided gives way to a decision alone."""

    def forget_domain(self, host: str) -> None: ...

    def review(self, review_id: str) -> Review | None: ...

    def reviews(self, decided: bool | None = None) -> Iterator[Review]:
        """All of them, those open or those decided, by the run that asked first, then by place."""

    def reviews_of(self, keys: Collection[str]) -> list[Review]:
        """Those about these keys, open and decided."""

    def ask(self, reviews: Sequence[Review]) -> int:
        """Puts questions, and tells how many are new. One that is there keeps when it was first
        asked and what was decided; the rest is written anew."""

    def decide(
        self, review_id: str, decision: str | None, value: str, by: str, now: datetime
    ) -> None:
        """Writes a decision, or takes it back (None). No such question: nothing happens."""

    def withdraw(self, before: datetime, is_covered: Callable[[str, str], bool]) -> int:
        """Forgets open questions last seen before a moment, in a file and a field of it that are
        covered."""

    def rekey_links(
        self,
        key_of: Callable[[str], str],
        key_of_review: Callable[[Review], str],
        stamp: tuple[str, str],
        now: datetime,
    ) -> int:
        """Moves links and reviews to another policy, its name and fingerprint in `stamp`. A link
        whose key changes is forgotten, and will be asked again; a question moves, and of two that
        meet the one decided last stays. Tells how many rows changed."""
