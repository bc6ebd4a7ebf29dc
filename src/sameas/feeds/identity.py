"""What one item of a feed is known by: its keys in the seed's order, its snapshot, its hashes.

Which items of one document are the same is apart.py's business, which entries they are match.py's.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256

from sameas.engine.parse import masked, shown
from sameas.errors import InvalidURL
from sameas.feeds.types import Item
from sameas.policy import Policy
from sameas.store.text import short_key, storable
from sameas.store.types import Content, Identity

GUID, CANONICAL_URL = "guid", "canonical_url"
LEGACY_GUID, FALLBACK_HASH = "legacy_guid", "fallback_hash"

ORDER = (GUID, CANONICAL_URL, LEGACY_GUID, FALLBACK_HASH)
"""Which key decides where several match."""

_SNAPSHOT = {GUID: "guid:", CANONICAL_URL: "url:", LEGACY_GUID: "", FALLBACK_HASH: "hash:"}


@dataclass(frozen=True, slots=True)
class Identified:
    """An item with what the policy made of its link: `form` is compared, `url` is stored. Both are
    empty where the link is missing or refused."""

    item: Item
    url: str
    form: str
    content_hash: str

    @property
    def guid(self) -> str:
        return self.item.guid

    @property
    def age(self) -> tuple[str, str, str]:
        """Of two wordings of one entry the later one stands, in whatever order they came."""
        return self.item.updated, self.item.published, self.content_hash


def identified(item: Item, policy: Policy) -> Identified:
    guid = "" if not item.guid or item.guid.isspace() else storable(item.guid)
    if "@" in guid and guid[:8].lower().startswith(("http://", "https://")):
        guid = masked(guid)
    link, url, form = _link(item.link, policy)
    words = (item.title, item.author, item.published, item.updated, item.summary)
    title, author, published, updated, summary = map(storable, words)
    clean = Item(guid, link, title, author, published, updated, summary)
    return Identified(clean, url, form, _hash(title, url, author, published, updated, summary))


def _link(link: str, policy: Policy) -> tuple[str, str, str]:
    """As it may be shown, as it is stored, as it is compared. A refused one counts as missing."""
    if not link:
        return "", "", ""
    try:
        result = policy.canonicalize(link)
    except InvalidURL as error:
        return storable(shown(link, error.code)), "", ""
    return storable(shown(link, flags=result.flags)), storable(result.url), storable(result.form)


def guid_key(feed_url: str, guid: str) -> Identity:
    return Identity(GUID, short_key(f"{feed_url}:{guid}"))


def canonical_key(form: str) -> Identity:
    return Identity(CANONICAL_URL, short_key(form))


def legacy_key(guid: str) -> Identity:
    return Identity(LEGACY_GUID, short_key(f"guid:{guid}"))


def fallback_key(feed_url: str, one: Identified) -> Identity:
    """For an entry that has nothing else: what the feed says of it, in this feed."""
    item = one.item
    return Identity(
        FALLBACK_HASH, _hash(feed_url, item.title, item.published, item.author, item.summary)
    )


def snapshot(key: Identity) -> str:
    """The `dedupe_key` that stands for a key."""
    return _SNAPSHOT[key.key_type] + key.key_value


def content(one: Identified, key: Identity) -> Content:
    """The row of an entry, known by this key first of all."""
    item = one.item
    return Content(
        guid=item.guid,
        link=item.link,
        canonical_url=one.url,
        dedupe_key=snapshot(key),
        title=item.title,
        author=item.author,
        published=item.published,
        updated=item.updated,
        summary=item.summary,
        content_hash=one.content_hash,
        match_confidence="low" if key.key_type == FALLBACK_HASH else "high",
    )


def _hash(*words: str) -> str:
    """Over a compact JSON array, spaces collapsed."""
    plain = [" ".join(word.split()) for word in words]
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()
