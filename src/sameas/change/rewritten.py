"""What a policy makes of one entry: its link, its snapshot, its hashes, and how that is written
down so that it can be taken back. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sameas.errors import InvalidURL
from sameas.feeds.identity import canonical_key, content_hash, snapshot
from sameas.policy import Policy
from sameas.store.rekey_rows import Source, Sources
from sameas.store.text import storable

_DECIDED = ("canonical_url", "dedupe_key", "content_hash")
"""The columns of an entry that its policy decides."""

_BY_URL = "url:"
_HASHED = "sha256:"


@dataclass(frozen=True)
class Rewritten:
    """An entry under another policy."""

    canonical_url: str
    dedupe_key: str
    content_hash: str | None
    sources: Sources

    def changes(self, row: Any) -> bool:
        return any(getattr(self, name) != getattr(row, name) for name in _DECIDED)

    def row(self, row: Any) -> Mapping[str, Any]:
        return {**row._mapping, **{name: getattr(self, name) for name in _DECIDED}}

    def listed(self, row: Any) -> dict[str, Any]:
        """As the journal has it: by this it is known whether a row has changed since."""
        decided = {name: getattr(self, name) for name in _DECIDED}
        seen = row.last_seen_at.isoformat()
        return {"entry": {**decided, "last_seen_at": seen}, "sources": sources_listed(self.sources)}


def rewritten(row: Any, sources: Sources, new: Any) -> Rewritten:
    """`new` has the form and the url of the entry's link; None where it has no link."""
    if new is None or new.url == row.canonical_url:
        url, hashed, copies = row.canonical_url, row.content_hash, sources
    else:
        url = new.url
        hashed = row.content_hash and content_hash(row, url)
        copies = {
            feed_id: source._replace(content_hash=_copied(source, row, hashed))
            for feed_id, source in sources.items()
        }
    named = new is not None and row.dedupe_key.startswith(_BY_URL)
    key = snapshot(canonical_key(new.form)) if named else row.dedupe_key
    return Rewritten(url, key, hashed, copies)


def _copied(source: Source, row: Any, hashed: str | None) -> str | None:
    """The hash of a feed's copy. What another feed says of the entry is not kept, only its hash:
    that is not known any more, and filled in when the copy is seen again."""
    ours = source.feed_id == row.feed_id and source.content_hash == row.content_hash
    return hashed if ours else None


def form_of(policy: Policy, key: str) -> str | None:
    """What a canonical URL that was a key is under another policy. Some policies compare without
    the scheme; a key that was too long is a hash, and says nothing."""
    if key.startswith(_HASHED):
        return None
    for text in (key, f"https://{key}"):
        try:
            return canonical_key(storable(policy.canonicalize(text).form)).key_value
        except InvalidURL:
            continue
    return None


def entry_before(row: Any, whole: bool = False) -> dict[str, Any]:
    """The columns that a move may change, or all of them, as JSON can hold them."""
    names = row._mapping if whole else (*_DECIDED, "last_seen_at")
    values = {name: getattr(row, name) for name in names}
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in values.items()
    }


def sources_listed(sources: Sources) -> list[list[Any]]:
    return [list(sources[feed_id]) for feed_id in sorted(sources)]


def sources_read(listed: list[list[Any]]) -> Sources:
    return {source.feed_id: source for source in (Source(*words) for words in listed)}


def entry_read(values: Mapping[str, Any]) -> dict[str, Any]:
    """What `entry_before` has written."""
    return {
        name: datetime.fromisoformat(value) if name.endswith("_seen_at") else value
        for name, value in values.items()
    }
