"""Links and questions moved to a policy that has changed, so that no decision is lost.

Which rows a store forgets and which it moves is the store's business.
"""

from __future__ import annotations

from datetime import datetime

from sameas.errors import InvalidURL
from sameas.policy import Policy
from sameas.review.kinds import KINDS
from sameas.store.link_protocol import LinkStore
from sameas.store.link_types import Review

_WITH_KEYS = {"link", "page"}


def rekey(store: LinkStore, policy: Policy, now: datetime) -> int:
    """How many rows changed. Whoever keeps links under a policy calls this when it changes."""

    def key_of(url: str) -> str:
        try:
            return policy.key(url)
        except InvalidURL:
            return ""

    def key_of_review(review: Review) -> str:
        named = review.kind in KINDS and KINDS[review.kind].about in _WITH_KEYS
        return key_of(review.url) if named and review.url else review.key

    return store.rekey_links(key_of, key_of_review, stamp(policy), now)


def stamp(policy: Policy) -> tuple[str, str]:
    """What a store remembers a policy by."""
    return f"{policy.name}@{policy.version}", policy.fingerprint
