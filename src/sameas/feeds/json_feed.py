"""JSON Feed 1 and 1.1: the fields a feed entry is known by.

What is not of the type it should be is missing; an id may be a number and is kept as spelled.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sameas.errors import FeedError
from sameas.feeds.dates import from_iso
from sameas.feeds.decode import legal
from sameas.feeds.links import absolute
from sameas.feeds.types import Document, Item
from sameas.feeds.xml_feed import MOST_ITEMS

_VERSIONS = ("https://jsonfeed.org/version/1", "http://jsonfeed.org/version/1")


def read_json(text: str, url: str) -> Document:
    try:
        feed = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise FeedError("json", f"the document is broken JSON: {error.msg} at {place}") from None
    except RecursionError:
        raise FeedError("json", "the document is JSON nested too deep") from None
    if not isinstance(feed, dict) or not _text(feed, "version").startswith(_VERSIONS):
        hint = 'its "version" would begin with https://jsonfeed.org/version/1'
        raise FeedError("format", "the document is JSON, but not a JSON Feed", hint)
    items = feed.get("items")
    if not isinstance(items, list):
        raise FeedError("format", 'the JSON Feed has no list of "items"')
    if len(items) > MOST_ITEMS:
        raise FeedError("too_much", f"the document has more than {MOST_ITEMS:,} entries")
    found = tuple(_item(item, url) for item in items if isinstance(item, dict))
    return Document(_text(feed, "title"), found)


def _item(item: Mapping[str, Any], url: str) -> Item:
    return Item(
        guid=_text(item, "id"),
        link=absolute(_text(item, "url") or _text(item, "external_url"), url),
        title=_text(item, "title"),
        author=_authors(item),
        published=from_iso(_text(item, "date_published")),
        updated=from_iso(_text(item, "date_modified")),
        summary=_text(item, "summary"),
    )


def _authors(item: Mapping[str, Any]) -> str:
    """Version 1.1 has a list of them, version 1 a single one."""
    listed = item.get("authors")
    people = listed if isinstance(listed, list) else [item.get("author")]
    names = (_text(person, "name") for person in people if isinstance(person, dict))
    return ", ".join(dict.fromkeys(filter(None, names)))


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    return legal(value.strip()) if isinstance(value, str) else ""
