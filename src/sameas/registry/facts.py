"""What is known, from the store: domains found out or decided, and slashes to keep.

It only carries facts between the two; what follows from them is decided elsewhere.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from sameas.resolve.facts import DomainFact
from sameas.store.link_protocol import LinkStore
from sameas.store.link_types import Domain


class StoreFacts:
    """`resolve.facts.Facts`, kept in a store."""

    def __init__(self, store: LinkStore) -> None:
        self._store = store

    def domain(self, host: str) -> DomainFact | None:
        found = self._store.domains([host]).get(host)
        return DomainFact(**_values(found)) if found else None

    def save_domain(self, fact: DomainFact) -> None:
        self._store.save_domain(Domain(**_values(fact)))

    def keeps_slash(self, key: str) -> bool:
        return any(review.decision == "keep_slash" for review in self._store.reviews_of([key]))


def _values(fact: DomainFact | Domain) -> dict[str, Any]:
    return {field.name: getattr(fact, field.name) for field in fields(Domain)}
