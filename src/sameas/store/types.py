"""The rows of a store as values. Times are aware and in UTC; None is "not known".

They decide nothing: what makes two entries one is decided by those who write them.
"""

from __future__ import annotations

from collections.abc import Mapping
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


KEY_TYPES = ("guid", "canonical_url", "legacy_guid", "fallback_hash")
"""In the seed's order: the first that matches decides."""


class Identity(NamedTuple):
    """One key of an entry: a row of `entry_identities` without the entry."""

    key_type: str
    key_value: str


class Content(NamedTuple):
    """What a feed says of an entry, and what was made of it: the columns of `entries` that an
    update writes."""

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


class KnownEntry(NamedTuple):
    """An entry that one of the asked keys belongs to, as one feed sees it."""

    entry_id: int
    feed_id: int | None
    """The feed that brought it; None where it was imported without one."""
    canonical_url: str
    content_hash: str | None
    guid: str = ""
    """The guid under which the asking feed carries it, "" where it does not."""
    copy_hash: str | None = None
    """The content hash of the asking feed's copy; None where it carries none."""
    in_last: bool = False
    """Whether it stood in that feed's last document."""


@dataclass(frozen=True)
class Known:
    """What a store knows of some keys."""

    holders: Mapping[tuple[str, str], int]
    """The number of the entry that an identity belongs to."""
    entries: dict[int, KnownEntry]


class NewEntry(NamedTuple):
    content: Content
    keys: tuple[Identity, ...]


class Copy(NamedTuple):
    """How the feed carries an entry."""

    entry_id: int
    guid: str
    content_hash: str


@dataclass(frozen=True)
class Changes:
    """All that one document of one feed changes. What is not named stays as it is."""

    new: tuple[NewEntry, ...] = ()
    rewritten: tuple[tuple[int, Content], ...] = ()
    """Entries of this feed whose row is written anew; one that had no feed becomes its own."""
    seen: tuple[int, ...] = ()
    """Every known entry that stands in the document. Those of the last one that are not among
    them, or new, are no longer in it."""
    copies: tuple[Copy, ...] = ()
    """How this feed carries known entries, where that is new or has changed."""
    keys: tuple[tuple[int, Identity], ...] = ()
    """Further keys of known entries."""
    released: tuple[Identity, ...] = ()
    """Keys that their entry loses before anything else is written."""
    whole: bool = True
    """False where the document ends in the middle: what is not seen in it has not left it."""


@dataclass(frozen=True)
class Stamp:
    """Under what the keys of a table were made."""

    table_name: str
    policy: str
    fingerprint: str
    stamped_at: datetime


@dataclass(frozen=True)
class Info:
    """A store at a glance."""

    place: str
    kind: str
    version: str
    rows: dict[str, int]
    stamps: tuple[Stamp, ...]
    bytes: int | None
