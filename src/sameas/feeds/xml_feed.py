"""RSS, RDF and Atom: feedparser reads them, told to leave every value as the document has it.

Its repairs of ids, links, authors and summaries are switched off here: they would move identities.
"""

from __future__ import annotations

import html.entities
import io
import re
import sys
import xml.sax
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from sameas.errors import FeedError
from sameas.feeds.dates import from_feed
from sameas.feeds.decode import legal
from sameas.feeds.feedparsers import LOOSE, STRICT
from sameas.feeds.links import absolute
from sameas.feeds.types import Document, Item

MOST_ITEMS, MOST_ELEMENTS = 50_000, 300_000
MOST_ATTRIBUTES, MOST_NAMESPACES = 500, 200
DEEPEST = 100_000
LONGEST_BASE = 4096
LONGEST_BROKEN = 2 * 1024 * 1024
"""Characters of broken XML that are read leniently, which takes ten times as long."""

_READ = frozenset(("", "content", "dc", "dcterms", "itunes", "rdf", "sy", "xhtml"))
"""The vocabularies that entries are read from, by the prefixes feedparser gives them."""
_BASES = frozenset(("base", "xml:base"))
_ROOTS = ("rss", "rdf", "feed", "channel")
_MINUTES = {"hourly": 60, "daily": 1440, "weekly": 10080, "monthly": 43200, "yearly": 525600}
_REFERENCE = re.compile(
    r"<!\[CDATA\[(?:.*?\]\]>|.*)|<!--(?:.*?-->|.*)"
    r"|&(?:([A-Za-z][A-Za-z0-9]{1,31})|#([0-9]+)|#[xX]([0-9A-Fa-f]+));",
    re.DOTALL,
)
"""A named or numbered character, where it is one."""
_ESCAPED = re.compile(r"&(amp|lt|gt|quot|apos|#[0-9]{2,6}|#[xX][0-9A-Fa-f]{2,6});")
_PERMALINK = re.compile("https?://", re.IGNORECASE)
_OF_XML = frozenset(("amp", "lt", "gt", "quot", "apos"))


def _as_written(feedparsers: Any) -> Any:
    """One of feedparser's two readers, told what to do otherwise."""

    class Reader(feedparsers):  # type: ignore[misc]
        can_be_relative_uri = frozenset[str]()
        closed = False
        elements = 0

        def startElementNS(self, name: Any, qname: Any, attrs: Any) -> None:
            if attrs.getLength() > MOST_ATTRIBUTES:
                raise _too_much(f"an element with more than {MOST_ATTRIBUTES} attributes")
            super().startElementNS(name, qname, attrs)

        def track_namespace(self, prefix: Any, uri: str) -> None:
            if len(self.namespaces_in_use) > MOST_NAMESPACES:
                raise _too_much(f"more than {MOST_NAMESPACES} namespaces")
            super().track_namespace(prefix, uri)

        def unknown_starttag(self, tag: str, attrs: Any) -> Any:
            self.elements += 1
            if self.elements > MOST_ELEMENTS or self.depth > DEEPEST:
                raise _too_much(f"more than {MOST_ELEMENTS:,} elements, or tags that never close")
            if len(self.entries) > MOST_ITEMS:
                raise _too_much(f"more than {MOST_ITEMS:,} entries")
            if any(name.lower() in _BASES for name, _ in attrs):
                attrs = [pair for pair in attrs if self._is_short(*pair)]
            return super().unknown_starttag(self._read(tag), attrs)

        def unknown_endtag(self, tag: str) -> None:
            super().unknown_endtag(self._read(tag))
            self.closed = self.closed or tag.rpartition(":")[2].lower() in _ROOTS

        def _read(self, tag: str) -> str:
            """What other vocabularies say (maps, chapters, pictures) is nobody's business here."""
            prefix, _, name = tag.rpartition(":")
            return tag if self.namespacemap.get(prefix, prefix) in _READ else f"other:{name}"

        def _is_short(self, name: str, value: str) -> bool:
            """Bases that grow with each element would cost the square of their number."""
            return name.lower() not in _BASES or len(self.baseuri) + len(value) < LONGEST_BASE

        def resolve_uri(self, uri: str) -> str:
            return absolute(uri, self.baseuri)

        def _end_link(self) -> None:
            found, links = self.pop("link"), self._get_context().get("links")
            if found and links:
                links[-1]["href"] = self.resolve_uri(found)

        def _end_item(self) -> None:
            if self.entries:
                self.entries[-1]["closed"] = True
            super()._end_item()

        _end_entry = _end_item

        def _start_id(self, attrs: Mapping[str, str]) -> None:
            self._start_guid({**attrs, "ispermalink": "false"})

        def _end_author(self) -> None:
            name = self.pop("author")
            self.inauthor = 0
            names = self._get_context().setdefault("authors", [{}])
            if name and names:
                names[-1].setdefault("name", name)

        _end_managingeditor = _end_author

        def _sync_author_detail(self, key: str = "author") -> None:
            """It seeks an e-mail address in time that grows with the square of the name."""

        def _add_tag(self, *_: Any) -> None:
            """It compares each with all before it."""

        def _end_category(self) -> None:
            self.pop("category")

        _end_keywords = _end_category

        def _end_content(self) -> None:
            """Content is full text: it does not stand in for a summary."""
            self.pop_content("content")

        _end_body = _end_xhtml_body = _end_content_encoded = _end_fullitem = _end_content

    return Reader


_Strict = _as_written(STRICT)


class _Loose(_as_written(LOOSE)):  # type: ignore[misc]
    """The one for broken XML. It leaves references as they are outside of content: a feed that
    breaks would get other guids."""

    def decode_entities(self, _: str, data: str) -> str:
        as_xml = self.incontent and self.contentparams.get("type", "xml").endswith("xml")
        return data if as_xml else _ESCAPED.sub(_character, data)

    @staticmethod
    def _normalize_attributes(pair: tuple[str, str]) -> tuple[str, str]:
        name, value = pair[0].lower(), _ESCAPED.sub(_character, pair[1])
        return name, value.lower() if name in ("rel", "type") else value


def _character(found: re.Match[str]) -> str:
    return html.unescape(found[0])


def read_xml(text: str, url: str) -> Document:
    """`text` begins with the root element: what stands before it has been looked at."""
    text = legal(_REFERENCE.sub(_plain, text))
    try:
        return _document(_strictly(text, url) or _leniently(text, url))
    except FeedError:
        raise
    except Exception as error:  # feedparser promises nothing about what it raises
        reason = f"the document cannot be read: {type(error).__name__}"
        raise FeedError(
            "xml", reason, "validator.w3.org/feed shows what is wrong with it"
        ) from error


def _too_much(what: str) -> FeedError:
    return FeedError("too_much", f"the document has {what}")


def _plain(found: re.Match[str]) -> str:
    """What would cost a whole document: HTML's names, and numbers of what is no character."""
    name, decimal, hexadecimal = found.groups()
    if name and name not in _OF_XML:
        char = html.entities.html5.get(f"{name};", "")
        return "".join(f"&#{ord(c)};" for c in char) or f"&amp;{name};"
    if decimal or hexadecimal:
        digits = (decimal or hexadecimal).lstrip("0")
        number = (
            int(digits or "0", 10 if decimal else 16) if len(digits) < 8 else sys.maxunicode + 1
        )
        return found[0] if number <= sys.maxunicode and legal(chr(number)) == chr(number) else ""
    return found[0]


def _strictly(text: str, url: str) -> Any:
    reader = _Strict(url, None, "utf-8")
    _switch_off(reader)
    parser = xml.sax.make_parser(["xml.sax.expatreader"])
    parser.setFeature(xml.sax.handler.feature_namespaces, 1)
    parser.setFeature(xml.sax.handler.feature_external_ges, 0)
    parser.setContentHandler(reader)
    parser.setErrorHandler(reader)
    try:
        parser.parse(io.BytesIO(text.encode()))
    except xml.sax.SAXException:
        return None
    return reader


def _leniently(text: str, url: str) -> Any:
    if len(text) > LONGEST_BROKEN:
        raise FeedError("xml", "the document is broken XML, and too long to be read leniently")
    reader = _Loose(url, None, "utf-8", {})
    _switch_off(reader)
    reader.feed(text)
    return reader


def _switch_off(reader: Any) -> None:
    reader.resolve_relative_uris = reader.sanitize_html = False
    reader.encoding = ""  # else text that looks like torn UTF-8 would be changed


def _document(reader: Any) -> Document:
    entries = reader.entries
    if not reader.closed and entries and not entries[-1].get("closed"):
        entries = entries[:-1]
    items = tuple(map(_item, entries))
    return Document(_text(reader.feeddata, "title"), items, _ttl(reader.feeddata), reader.closed)


def _item(entry: Any) -> Item:
    return Item(
        guid=_text(entry, "id"),
        link=_link(entry),
        title=_text(entry, "title"),
        author=_authors(entry),
        published=from_feed(_text(entry, "published")),
        updated=from_feed(_text(entry, "updated")),
        summary=_text(entry, "summary"),
    )


def _text(values: dict[str, Any], name: str) -> str:
    """`dict.get`, because feedparser's own gives other fields in place of missing ones."""
    value = dict.get(values, name)
    return legal(value.strip()) if isinstance(value, str) else ""


def _link(entry: dict[str, Any]) -> str:
    """The first alternate, an HTML page before others; then a guid that says it is a permalink."""
    links = [one for one in entry.get("links", ()) if one.get("rel") == "alternate"]
    links.sort(key=lambda one: one.get("type") not in ("text/html", "application/xhtml+xml"))
    for one in links:
        if found := _text(one, "href"):
            return found
    guid = _text(entry, "link")
    return guid if _PERMALINK.match(guid) else ""


def _authors(entry: dict[str, Any]) -> str:
    return ", ".join(
        dict.fromkeys(filter(None, (_text(a, "name") for a in entry.get("authors", ()))))
    )


def _ttl(feed: dict[str, Any]) -> timedelta | None:
    """`ttl` in minutes, or what the syndication module says."""
    minutes = _number(_text(feed, "ttl"))
    period = _MINUTES.get(_text(feed, "sy_updateperiod").lower(), 0)
    if not minutes and period:
        minutes = period // (_number(_text(feed, "sy_updatefrequency")) or 1)
    return timedelta(minutes=minutes) if minutes else None


def _number(text: str) -> int:
    return int(text) if re.fullmatch(r"[0-9]{1,7}", text) else 0
