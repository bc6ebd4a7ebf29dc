"""Which items of one document are one entry, and which only look like it.

Pure, and the order of the items changes nothing. What is known of them already is not asked here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sameas.feeds.identity import (
    Identified,
    canonical_key,
    content,
    fallback_key,
    guid_key,
    identified,
    legacy_key,
    wording_key,
)
from sameas.feeds.types import Document, Item
from sameas.policy import Policy
from sameas.store.types import Content, Feed, Identity


class Candidate(NamedTuple):
    """One entry of a document."""

    content: Content
    keys: tuple[Identity, ...]
    """In the seed's order. The first is its own: no other candidate has it."""
    former: tuple[Identity, ...] = ()
    """What its own key was at the feed's former addresses."""
    repeated: Identity | None = None
    """The key of its guid, where other entries of the document have the same guid."""

    @property
    def own(self) -> Identity:
        return self.keys[0]


@dataclass(frozen=True)
class Apart:
    candidates: tuple[Candidate, ...]
    """Sorted by their own keys."""
    guids: frozenset[str]
    repeated_guids: int
    items: int
    whole: bool
    """Whether the document has been read to its end."""

    @property
    def doubles(self) -> int:
        """Items that are an entry which the document has already."""
        return self.items - len(self.candidates)


def told_apart(document: Document, feed: Feed, policy: Policy) -> Apart:
    items = [identified(item, policy) for item in document.items]
    guids = Counter(one.guid for one in items if one.guid)
    bearers = _Bearers(items, feed)
    found: dict[Identity, Candidate] = {}
    for group in bearers.groups.values():
        # A guid that stands for several items is no key for any of them.
        for candidate in bearers.torn(group) if len(group) > 1 else (bearers.whole(group[0]),):
            found[candidate.own] = candidate
    for candidate in bearers.without_guid():
        found[candidate.own] = candidate
    repeated = sum(count - 1 for count in guids.values())
    candidates = tuple(found[key] for key in sorted(found))
    return Apart(candidates, frozenset(guids), repeated, len(items), document.whole)


class _Bearers:
    """The items that have a guid, and how many different ones of them bear each link."""

    def __init__(self, items: Sequence[Identified], feed: Feed) -> None:
        self.feed, self.items = feed, items
        wordings: dict[str, dict[tuple[str, str], Identified]] = defaultdict(dict)
        for one in items:
            if one.guid:
                same = wordings[one.guid].setdefault((one.form, one.content_hash), one)
                if same.age < one.age:
                    wordings[one.guid][one.form, one.content_hash] = one
        self.groups = {guid: list(ones.values()) for guid, ones in wordings.items()}
        self.links = Counter(one.form for group in self.groups.values() for one in group)

    def _alone(self, one: Identified) -> bool:
        return bool(one.form) and self.links[one.form] == 1

    def whole(self, one: Identified) -> Candidate:
        own = guid_key(self.feed.feed_url, one.guid)
        link = (canonical_key(one.form),) if self._alone(one) else ()
        former = tuple([guid_key(address, one.guid) for address in self.feed.former])
        return Candidate(content(one, own), (own, *link, legacy_key(one.guid)), former)

    def torn(self, group: Sequence[Identified]) -> Iterable[Candidate]:
        """Each is known by its link where no other item bears it, else by what it says."""
        repeated = guid_key(self.feed.feed_url, group[0].guid)
        by_wording = defaultdict(list)
        for one in group:
            if self._alone(one):
                own = canonical_key(one.form)
                yield Candidate(content(one, own), (own,), repeated=repeated)
            else:
                by_wording[wording_key(self.feed.feed_url, one.item)].append(one)
        for same in by_wording.values():
            yield self._by_wording(same, wording_key, repeated)

    def _by_wording(
        self,
        same: Sequence[Identified],
        key: Callable[[str, Item], Identity],
        repeated: Identity | None = None,
    ) -> Candidate:
        one = max(same, key=lambda one: one.age)
        own = key(self.feed.feed_url, one.item)
        former = tuple([key(address, one.item) for address in self.feed.former])
        return Candidate(content(one, own, sure=False), (own,), former, repeated)

    def without_guid(self) -> Iterable[Candidate]:
        """An item without a guid is the one other item that bears its link, if there is just one;
        else the link is its own key. Without a link, it is known by what it says."""
        linked: dict[str, list[Identified]] = defaultdict(list)
        bare: dict[Identity, list[Identified]] = defaultdict(list)
        for one in self.items:
            if one.guid:
                continue
            if one.form:
                linked[one.form].append(one)
            else:
                bare[fallback_key(self.feed.feed_url, one.item)].append(one)
        for form, same in linked.items():
            if self.links[form] != 1:
                own = canonical_key(form)
                yield Candidate(content(max(same, key=lambda one: one.age), own), (own,))
        for same in bare.values():
            yield self._by_wording(same, fallback_key)
