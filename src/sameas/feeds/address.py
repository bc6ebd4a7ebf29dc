"""The address of a feed as it is kept: spelled as browsers do, without a fragment, without secrets.

A feed's address drops no parameters: they may be what makes it answer. That is for entries' links.
"""

from __future__ import annotations

import re

import ada_url

from sameas.engine.parse import masked, parse, read
from sameas.errors import FeedError

LONGEST = 2000
"""Bytes of an address: an index of PostgreSQL takes no more than 2,704."""

_FEED = re.compile(r"\s*feed:(?://)?(?=https?://|(?!https?:))", re.IGNORECASE)


def feed_address(raw: str | bytes) -> str:
    """Raises InvalidURL for what is no URL, FeedError for one with a password in it."""
    text = read(raw)
    if scheme := _FEED.match(text):
        text = text[scheme.end() :]
        text = text if "://" in text else f"https://{text}"
    if "credentials" in parse(text).flags:
        hint = "add it without them and put them into a file: see `sameas feeds sync --help`"
        raise FeedError("credentials", f"{masked(text)}: the address holds credentials", hint)
    address = str(ada_url.normalize_url(text)).partition("#")[0]
    if len(address) > LONGEST:
        message = f"{masked(address[:60])}…: the address is longer than {LONGEST:,} bytes"
        raise FeedError("too_long", message, "no feed is known to need that: is it the right one?")
    return address
