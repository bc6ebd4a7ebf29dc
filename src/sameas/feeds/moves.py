"""When a redirect moves a feed for good. A wrong 301 is common, and would lose the feed.

Only 301 and 308 are permanent. They take effect when seen again after a week, and at once where
they only lead from http to https. Pure: hops and the time are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from sameas.errors import Hop
from sameas.feeds.address import LONGEST
from sameas.store.types import Feed

SETTLED = timedelta(days=7)
_PERMANENT = frozenset((301, 308))


def permanent(hops: Sequence[Hop]) -> str:
    """Where the permanent redirects lead that begin at the feed's own address, or nowhere. What is
    too long for an address is only followed."""
    target = ""
    for hop in hops:
        if hop.status not in _PERMANENT:
            break
        target = hop.location.partition("#")[0]
    return target if len(target) <= LONGEST else ""


def moved(feed: Feed, hops: Sequence[Hop], now: datetime) -> Feed:
    """The feed after an answer that these redirects led to."""
    target = permanent(hops)
    if not target or target == feed.feed_url:
        return replace(feed, moved_to=None, moved_seen_at=None)
    if target != feed.moved_to or feed.moved_seen_at is None:
        feed = replace(feed, moved_to=target, moved_seen_at=now)
    settled = feed.moved_seen_at is not None and now - feed.moved_seen_at >= SETTLED
    return at(feed, target) if settled or _only_https(feed.feed_url, target) else feed


def at(feed: Feed, address: str) -> Feed:
    """The same feed at another address. It keeps its old ones: their guid keys still match."""
    former = [one for one in (*feed.former, feed.feed_url) if one != address]
    return replace(
        feed,
        feed_url=address,
        former=tuple(dict.fromkeys(former)),
        moved_to=None,
        moved_seen_at=None,
    )


def _only_https(old: str, new: str) -> bool:
    return old.startswith("http://") and new == f"https://{old.removeprefix('http://')}"
