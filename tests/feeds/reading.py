"""Documents read in one line, and small feeds to write them with."""

from __future__ import annotations

import pytest

from sameas.errors import FeedError
from sameas.feeds.parse import parse
from sameas.feeds.types import Document, Item

URL = "https://example.org/feeds/all.xml"
ATOM = 'xmlns="http://www.w3.org/2005/Atom"'
CONTENT = 'xmlns:content="http://purl.org/rss/1.0/modules/content/"'


def read(body: str | bytes, content_type: str = "application/xml") -> Document:
    return parse(body.encode() if isinstance(body, str) else body, content_type, URL)


def rss(items: str, head: str = "<title>News</title>") -> str:
    return f'<rss version="2.0"><channel>{head}{items}</channel></rss>'


def only(body: str | bytes, content_type: str = "application/xml") -> Item:
    (item,) = read(body, content_type).items
    return item


def refused(body: str | bytes, content_type: str = "") -> FeedError:
    with pytest.raises(FeedError) as caught:
        read(body, content_type)
    return caught.value
