"""The rows of a store as values. Times are aware and in UTC; None is "not known".

They decide nothing: what makes two entries one is decided by those who write them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple


@dataclass(frozen=True)
class Feed:
    """A row of `feeds`. What a feed shall become is written as `dataclasses.replace(feed, …)`."""

    feed_id: int
    feed_url: str
    added_at: datetime
    title: str = ""
    etag: str | None = None
    last_modified: str | None = None
    validators_url: str | None = None
    """The URL that gave `etag` and `last_modified`: they are worth nothing at another one."""
    body_hash: str | None = None
    last_checked_at: datetime | None = None
    last_success_at: datetime | None = None
    next_check_at: datetime | None = None
    status: str = "active"
    """`active` or `gone`."""
    http_status: int | None = None
    error: str | None = None
    failures: int = 0
    """How often in a row it failed."""
    waiting: bool = False
    """The server itself demanded `next_check_at`."""
    moved_to: str | None = None
    moved_seen_at: datetime | None = None
    former: tuple[str, ...] = ()
    """Addresses it had before, whose guid keys still match."""


@dataclass(frozen=True)
class Entry:
    """A row of `entries`, with the address of the feed that brought it ("" where none did)."""

    entry_id: int
    feed_url: str
    guid: str
    link: str
    canonical_url: str
    dedupe_key: str
    title: str
    author: str
    published: str
    updated: str
    summary: str
    content_hash: str
    match_confidence: str
    first_seen_at: datetime
    last_seen_at: datetime


class Identity(NamedTuple):
    """One key of an entry: a row of `entry_identities` without the entry."""

    key_type: str
    key_value: str
