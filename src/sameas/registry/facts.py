"""What is known, from the store: domains found out or decided, and what people said of links.

It only carries facts between the two; what follows from them is decided elsewhere.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from sameas.resolve.facts import Decision, DomainFact, LinkFact
from sameas.review.kinds import KINDS
from sameas.store.link_protocol import LinkStore
from sameas.store.link_types import Domain, Review

_WEIGHED: tuple[Decision, ...] = (
    "replace",
    "keep_slash",
    "accept_home",
    "not_duplicate",
    "keep",
)
"""Of several decisions about one link, the one that says most counts."""


class StoreFacts:
    """`resolve.facts.Facts`, kept in a store."""

    def __init__(self, store: LinkStore) -> None:
        self._store = store

    def domain(self, host: str) -> DomainFact | None:
        found = self._store.domains([host]).get(host)
        return DomainFact(**_values(found)) if found else None

    def save_domain(self, fact: DomainFact) -> None:
        self._store.save_domain(Domain(**_values(fact)))

    def link(self, key: str) -> LinkFact | None:
        decided = {r.decision: r for r in self._store.reviews_of([key]) if _is_about_link(r)}
        for decision in _WEIGHED:
            if (review := decided.get(decision)) is not None and review.decided_at is not None:
                return LinkFact(key, decision, review.value, review.decided_at)
        return None


def _is_about_link(review: Review) -> bool:
    kind = KINDS.get(review.kind)
    return review.decision is not None and kind is not None and kind.about in ("link", "page")


def _values(fact: DomainFact | Domain) -> dict[str, Any]:
    return {field.name: getattr(fact, field.name) for field in fields(Domain)}
