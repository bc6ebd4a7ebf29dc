"""Entries as objects: the names that scripts rely on, in every form they are written in.

What is written where is the caller's business.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sameas.store.types import Entry

_TEXTS = (
    "feed_url",
    "guid",
    "link",
    "canonical_url",
    "dedupe_key",
    "match_confidence",
    "title",
    "author",
    "published",
    "updated",
    "summary",
    "content_hash",
)
_TIMES = ("first_seen_at", "last_seen_at")
NAMES = (*_TEXTS, *_TIMES)


def entry_object(entry: Entry) -> dict[str, str]:
    times = {name: written(getattr(entry, name)) for name in _TIMES}
    return {name: getattr(entry, name) for name in _TEXTS} | times


def written(time: datetime) -> str:
    return f"{time:%Y-%m-%dT%H:%M:%SZ}"
