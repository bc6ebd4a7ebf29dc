"""What is known about links before they are judged: answers, domains, decisions, other places.

It gathers for many links at once; what follows is judge.py's business.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from sameas.engine.names import name_of
from sameas.engine.parse import parse
from sameas.registry.ledger import Entry
from sameas.resolve import address
from sameas.review.kinds import parameter_key
from sameas.store.link_protocol import LinkStore
from sameas.store.link_types import Domain, Link, Review
from sameas.types import Canonical


@dataclass(frozen=True)
class Known:
    """What a run knows about one link."""

    link: Link | None = None
    domain: Domain | None = None
    decided: Mapping[tuple[str, str], Review] = field(default_factory=dict)
    """Decisions by kind and key."""
    elsewhere: Sequence[str] = ()
    """Places of other records with a link to the same page."""
    page: str = ""
    """The key of the page it leads to."""

    def decision(self, kind: str, key: str) -> str | None:
        found = self.decided.get((kind, key))
        return found.decision if found else None

    def replacement(self, key: str) -> str | None:
        """What a person wants written instead, in answer to whatever question about this link."""
        for (_, about), review in self.decided.items():
            if about == key and review.decision == "replace":
                return review.value
        return None


class Knowledge:
    """All that the store knows about some links, asked for once."""

    def __init__(self, store: LinkStore, links: Sequence[tuple[Entry, Canonical | None]]) -> None:
        self._links = store.links({entry.key for entry, _ in links if entry.key})
        self._domains = store.domains({_bare(canonical) for _, canonical in links if canonical})
        self._decided: defaultdict[str, dict[str, Review]] = defaultdict(dict)
        subjects = {subject for link in links for subject in _subjects(*link)}
        for review in store.reviews_of(subjects):
            if review.decision is not None:
                self._decided[review.key][review.kind] = review

    def of(self, entry: Entry, canonical: Canonical | None, elsewhere: Sequence[str]) -> Known:
        decided = {
            (kind, key): review
            for key in _subjects(entry, canonical) & self._decided.keys()
            for kind, review in self._decided[key].items()
        }
        if canonical is None:
            return Known(decided=decided)
        domain = self._domains.get(_bare(canonical))
        return Known(self._links.get(entry.key), domain, decided, elsewhere, entry.page)


def text_key(entry: Entry) -> str:
    """What a value that is no URL is known by."""
    return sha256(entry.found.literal.encode("utf-8", "surrogatepass")).hexdigest()


def _subjects(entry: Entry, canonical: Canonical | None) -> set[str]:
    """Everything about this link that a person may have decided on."""
    if canonical is None:
        return {text_key(entry)}
    parts = parse(canonical.url)
    parameters = {parameter_key(parts.host, name_of(piece)) for piece in parts.query}
    return {entry.key, entry.page, _bare(canonical), *parameters}


def _bare(canonical: Canonical) -> str:
    return address.bare(parse(canonical.url).host)
