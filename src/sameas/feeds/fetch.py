"""One feed asked for: what is sent along, and what an answer means for the feed.

Both are decided without I/O, `fetch` puts them around one exchange. What a body holds is for
`parse`, when to ask again for `schedule`, where the feed lives for `moves`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from typing import Literal

from sameas.errors import FeedError, NetError
from sameas.feeds import schedule
from sameas.feeds.moves import at, moved, permanent
from sameas.feeds.passwords import Passwords
from sameas.feeds.types import Document
from sameas.net.client import Client
from sameas.net.reply import Headers, Reply
from sameas.store.types import Feed

ACCEPT = (
    "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml, "
    "application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.1"
)
_TO_DO = {
    401: "wants a password: name a file with --passwords",
    403: "refuses to answer: tell it who asks with --contact, or ask the site to let you in",
    404: "is not there: is the address right?",
}


@dataclass(frozen=True)
class Fetched:
    """What came of asking: `after` is what the feed becomes by it.

    A `body` has yet to be read: `document` or `failed` say what becomes of it."""

    kind: Literal["body", "unchanged", "waiting", "gone", "failed"]
    before: Feed
    after: Feed
    body: bytes = field(default=b"", repr=False)
    content_type: str = ""
    url: str = ""
    headers: Headers = field(default_factory=Headers, repr=False)


def headers_for(feed: Feed, passwords: Passwords) -> Callable[[str], dict[str, str]]:
    """What each hop is sent. Validators go to the URL that gave them, as they were given."""

    def headers(url: str) -> dict[str, str]:
        sent = {"Accept": ACCEPT, **passwords.header(feed.feed_url, url)}
        if url == feed.validators_url:
            if feed.etag is not None:
                sent["If-None-Match"] = feed.etag
            if feed.last_modified is not None:
                sent["If-Modified-Since"] = feed.last_modified
        return sent

    return headers


async def fetch(client: Client, feed: Feed, passwords: Passwords, now: datetime) -> Fetched:
    """A feed whose old address is gone is asked for where its redirect led when it had one."""
    first, is_gone = await _asked(client, feed, passwords, now)
    if not is_gone or feed.moved_to is None:
        return first
    new = replace(feed, validators_url=None, status="active")
    there, _ = await _asked(client, at(new, feed.moved_to), passwords, now)
    return replace(there, before=feed) if there.kind in ("body", "unchanged") else first


async def _asked(
    client: Client, feed: Feed, passwords: Passwords, now: datetime
) -> tuple[Fetched, bool]:
    """And whether the address itself is gone."""
    try:
        reply = await client.follow(feed.feed_url, headers_for(feed, passwords))
    except NetError as error:
        gone = error.code == "dns" and not error.hops
        leads = f"leads to {error.url}: " if error.hops else ""
        return failed(feed, f"{leads}{error.message}", now), gone
    return judged(feed, reply, now), reply.status in (404, 410) and not reply.hops


def judged(feed: Feed, reply: Reply, now: datetime) -> Fetched:
    """What an answer means."""
    if reply.status == 200:
        return _body(feed, reply, now)
    if reply.status == 304:
        return _not_modified(feed, reply, now)
    if reply.status == 429 or (reply.status == 503 and "retry-after" in reply.headers):
        return _waiting(feed, reply, now)
    if reply.status == 410 and _is_its_own(feed, reply):
        error = "is gone for good, says its server, and will not be asked for again"
        gone = failed(feed, error, now, 410, gone=True)
        # Its entries will be forgotten, so that nothing has changed would be no answer.
        return replace(gone, kind="gone", after=_in_full(gone.after))
    return failed(feed, f"{_reason(reply)} (status {reply.status})", now, reply.status)


def _reason(reply: Reply) -> str:
    if reply.headers.get("cf-mitigated") == "challenge":
        return "answers with a challenge for browsers: ask the site to let feed readers in"
    if reply.status >= 500:
        return "has trouble of its own: it will be asked for again later"
    return _TO_DO.get(reply.status, "does not give a feed: look at the address in a browser")


def _is_its_own(feed: Feed, reply: Reply) -> bool:
    """What answered is the feed, not a place it is redirected to for the time being."""
    return reply.url in (feed.feed_url, permanent(reply.hops))


def _body(feed: Feed, reply: Reply, now: datetime) -> Fetched:
    """Validators are those of this answer: one that is missing now is forgotten."""
    digest = sha256(reply.body).hexdigest()
    after = replace(
        _answered(moved(feed, reply.hops, now), reply, now),
        etag=reply.headers.get("etag") or None,
        last_modified=reply.headers.get("last-modified") or None,
        validators_url=reply.url,
        body_hash=digest,
    )
    if digest == feed.body_hash:
        after = replace(after, next_check_at=schedule.after_no_change(now, reply.headers, feed))
        return Fetched("unchanged", feed, after)
    kind = reply.headers.get("content-type", "")
    return Fetched("body", feed, after, reply.body, kind, reply.url, reply.headers)


def _not_modified(feed: Feed, reply: Reply, now: datetime) -> Fetched:
    asked = reply.url == feed.validators_url and (feed.etag or feed.last_modified) is not None
    if not asked:
        error = "says that nothing has changed, and was not asked that: its server is at fault"
        return failed(feed, f"{error} (status 304)", now, 304)
    after = _answered(moved(feed, reply.hops, now), reply, now)
    next_check = schedule.after_no_change(now, reply.headers, feed)
    return Fetched("unchanged", feed, replace(after, next_check_at=next_check))


def _answered(feed: Feed, reply: Reply, now: datetime) -> Feed:
    return replace(
        feed,
        last_checked_at=now,
        last_success_at=now,
        status="active",
        http_status=reply.status,
        error=None,
        failures=0,
        waiting=False,
    )


def _waiting(feed: Feed, reply: Reply, now: datetime) -> Fetched:
    failures = feed.failures + 1
    until = schedule.after_refusal(now, reply.headers, failures)
    after = replace(
        feed,
        last_checked_at=now,
        next_check_at=until,
        http_status=reply.status,
        error=f"asks to be left alone until {until:%Y-%m-%d %H:%M} UTC (status {reply.status})",
        failures=failures,
        waiting=True,
    )
    return Fetched("waiting", feed, after)


def failed(
    feed: Feed, error: str, now: datetime, status: int | None = None, gone: bool = False
) -> Fetched:
    """The feed after a failure: all that is known of it stays, validators too."""
    failures = feed.failures + 1
    after = replace(
        feed,
        last_checked_at=now,
        next_check_at=None if gone else schedule.after_failure(now, failures),
        status="gone" if gone else feed.status,
        http_status=status,
        error=error,
        failures=failures,
        waiting=False,
    )
    return Fetched("failed", feed, after)


def unreadable(fetched: Fetched, error: FeedError, now: datetime) -> Fetched:
    """A body that is no feed: the validators it came with are not kept."""
    return failed(fetched.before, str(error), now, fetched.after.http_status)


def settled(fetched: Fetched, document: Document, now: datetime) -> Feed:
    """The feed after its document has been read. One that is torn will be asked for in full, and
    does not count as an answer: what it leaves out would expire, and come back as new."""
    after = replace(
        fetched.after,
        title=document.title or fetched.after.title,
        next_check_at=schedule.after_document(now, fetched.headers, document.ttl),
    )
    if document.whole:
        return after
    return replace(_in_full(after), last_success_at=fetched.before.last_success_at)


def _in_full(feed: Feed) -> Feed:
    """The feed without what would let its server answer that nothing has changed."""
    return replace(feed, etag=None, last_modified=None, validators_url=None, body_hash=None)
