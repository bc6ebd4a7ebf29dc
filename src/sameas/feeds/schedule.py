"""When a feed is to be asked again: what its server and document say, within bounds; after failures
less and less often.

Pure: the time now is given, and what comes out is kept in the store.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from sameas.net.politeness import retry_after
from sameas.store.types import Feed

USUAL = timedelta(hours=1)
SHORTEST = timedelta(minutes=15)
LONGEST = timedelta(days=1)
LONGEST_WAIT = timedelta(days=7)
"""However long a server wants to be left alone."""
_DOUBLINGS = 10

_MAX_AGE = re.compile(r'(?:^|[,\s])max-age\s*=\s*"?([0-9]{1,9})', re.IGNORECASE)
_NOT_KEPT = re.compile(r"(?:^|[,\s])no-(?:store|cache)(?:[,;\s=]|$)", re.IGNORECASE)


def after_document(now: datetime, headers: Mapping[str, str], ttl: timedelta | None) -> datetime:
    """The longest of what was said: a server's minute does not overrule a document's day."""
    said = [one for one in (_freshness(now, headers), ttl) if one]
    return now + _bounded(max(said, default=USUAL))


def after_no_change(now: datetime, headers: Mapping[str, str], feed: Feed) -> datetime:
    """Without a document the last one's word holds, which is in how long the feed was left."""
    before = None
    if feed.next_check_at and feed.last_checked_at and not (feed.failures or feed.waiting):
        before = feed.next_check_at - feed.last_checked_at
    return now + _bounded(_freshness(now, headers) or before or USUAL)


def after_failure(now: datetime, failures: int) -> datetime:
    return now + _backed_off(failures)


def after_refusal(now: datetime, headers: Mapping[str, str], failures: int) -> datetime:
    """After a 429 or 503: when the server says; where it says nothing, as after a failure."""
    said = retry_after(headers.get("retry-after", ""), now)
    return now + (_backed_off(failures) if said is None else min(said, LONGEST_WAIT))


def _backed_off(failures: int) -> timedelta:
    return min(USUAL * (1 << min(max(failures - 1, 0), _DOUBLINGS)), LONGEST)


def _bounded(interval: timedelta) -> timedelta:
    return min(max(interval, SHORTEST), LONGEST)


def _freshness(now: datetime, headers: Mapping[str, str]) -> timedelta | None:
    """`max-age`, or `Expires` against the server's own clock (RFC 9111, 4.2.1)."""
    control = headers.get("cache-control", "")
    if _NOT_KEPT.search(control):
        return None
    if age := _MAX_AGE.search(control):
        return timedelta(seconds=int(age[1]))
    expires = _date(headers.get("expires", ""))
    if expires is None:
        return None
    interval = expires - (_date(headers.get("date", "")) or now)
    return interval if interval > timedelta() else None


def _date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text)
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
