"""feedparser, as far as it is used: its two readers of XML, and those of its readers of dates that
ask neither the clock nor the machine's time zone."""

from __future__ import annotations

from sameas.errors import MissingExtra

try:
    from feedparser.api import LooseFeedParser, StrictFeedParser
    from feedparser.datetimes.asctime import _parse_date_asctime
    from feedparser.datetimes.rfc822 import _parse_date_rfc822
    from feedparser.datetimes.w3dtf import _parse_date_w3dtf
except ImportError:
    raise MissingExtra("reading feeds", "feeds") from None

STRICT, LOOSE = StrictFeedParser, LooseFeedParser
DATES = (_parse_date_w3dtf, _parse_date_rfc822, _parse_date_asctime)
