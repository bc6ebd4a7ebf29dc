"""What one item of a feed is known by: its keys in the seed's order, its snapshot, its hashes.

Which items of one document are the same is apart.py's business, which entries they are match.py's.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from json.encoder import encode_basestring
from operator import attrgetter
from typing import NamedTuple

from sameas.engine.parse import masked, shown
from sameas.errors import InvalidURL
from sameas.feeds.types import Item
from sameas.policy import Policy
from sameas.store.text import short_key, storable
from sameas.store.types import KEY_TYPES, Content, Identity

GUID, CANONICAL_URL, LEGACY_GUID, FALLBACK_HASH = KEY_TYPES

_WORDS = attrgetter(*Item.__dataclass_fields__)
_SNAPSHOT = {GUID: "guid:", CANONICAL_URL: "url:", LEGACY_GUID: "", FALLBACK_HASH: "hash:"}


class Identified(NamedTuple):
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
    def age(self) -> tuple[str, ...]:
        """Of two wordings of one entry the later one stands, in whatever order they came."""
        item = self.item
        return item.updated, item.published, self.content_hash, item.link, item.title, item.summary


def identified(item: Item, policy: Policy) -> Identified:
    item = _clean(item)
    url = form = ""
    if item.link:
        # A link that is refused counts as missing.
        try:
            result = policy.canonicalize(item.link)
        except InvalidURL as error:
            item = replace(item, link=shown(item.link, error.code))
        else:
            url, form = storable(result.url), storable(result.form)
            if "@" in item.link or "40" in item.link:
                item = replace(item, link=shown(item.link, flags=result.flags))
    return Identified(item, url, form, content_hash(item, url))


def content_hash(one: Item | Content, url: str) -> str:
    """Over what is said of an entry, its link as the policy writes it."""
    return _hash((one.title, url, one.author, one.published, one.updated, one.summary))


def _clean(item: Item) -> Item:
    """As a database can hold it, a blank guid missing, the credentials in one hidden."""
    words = _WORDS(item)
    if storable(text := "".join(words)) != text:
        item = Item(*map(storable, words))
    guid = item.guid
    if guid.isspace():
        return replace(item, guid="")
    if "@" in guid and guid[:8].lower().startswith(("http://", "https://")):
        return replace(item, guid=masked(guid))
    return item


def guid_key(feed_url: str, guid: str) -> Identity:
    return Identity(GUID, short_key(f"{feed_url}:{guid}"))


def canonical_key(form: str) -> Identity:
    return Identity(CANONICAL_URL, short_key(form))


def legacy_key(guid: str) -> Identity:
    return Identity(LEGACY_GUID, f"guid:{short_key(guid)}")


def fallback_key(feed_url: str, one: Item) -> Identity:
    """For an entry that has nothing else: what the feed says of it, in this feed."""
    said = _hash((feed_url, one.title, one.published, one.author, one.summary))
    return Identity(FALLBACK_HASH, said)


def wording_key(feed_url: str, one: Item | Content) -> Identity:
    """For an entry whose guid others of the document have too: the guid, and what is said."""
    said = _hash((one.title, one.published, one.author, one.summary))
    return guid_key(feed_url, f"{one.guid}#{said}")


def snapshot(key: Identity) -> str:
    """The `dedupe_key` that stands for a key."""
    return _SNAPSHOT[key.key_type] + key.key_value


def content(one: Identified, key: Identity, sure: bool = True) -> Content:
    """The row of an entry, known by this key first of all. An edit would change a key that is not
    `sure`."""
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
        match_confidence="high" if sure else "low",
    )


def _hash(words: Iterable[str]) -> str:
    """Over a compact JSON array, spaces collapsed."""
    text = ",".join([encode_basestring(" ".join(word.split())) for word in words])
    return sha256(f"[{text}]".encode()).hexdigest()
