"""What an answer's body is: a feed that can be read, or the reason why it is none.

It decides by the body alone which format that is: servers label feeds as anything. How each format
is read is its own module's business.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sameas.errors import FeedError
from sameas.feeds.decode import decoded
from sameas.feeds.json_feed import read_json
from sameas.feeds.links import absolute
from sameas.feeds.types import Document
from sameas.feeds.xml_feed import read_xml

_HEAD = 64 * 1024
_ASIDE = re.compile(r"<!--(?:.*?-->|.*)|<\?(?:.*?\?>|.*)", re.DOTALL)
_DOCTYPE = re.compile(r"""<!DOCTYPE(?:[^\[<>"']|"[^"<]*+"|'[^'<]*+')*+\[|<!ENTITY""", re.IGNORECASE)
_ROOT = re.compile(r"<(?:[\w.\-]+:)?(rss|rdf|feed|channel|html|opml)(?=[\s/>])", re.IGNORECASE)
_FIRST = re.compile(r"<([A-Za-z_][\w.:\-]{0,60})")
_FEEDS = frozenset(("rss", "rdf", "feed", "channel"))
_HTML = re.compile(r"<!DOCTYPE\s+html|<html[\s>]|\s*<(?:head|body)[\s>]", re.IGNORECASE)
_CHALLENGE = re.compile(
    r"just a moment|cf-chl|challenge-platform|captcha|ddos protection|attention required"
    r"|verify(?:ing)? (?:that )?you are (?:a )?human|checking your browser|enable javascript and",
    re.IGNORECASE,
)
_LINK = re.compile(r"<link\s[^>]{0,1000}>", re.IGNORECASE)
_OFFERED = re.compile(r"application/(?:rss\+xml|atom\+xml|feed\+json)", re.IGNORECASE)
_HREF = re.compile(r"""href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""", re.IGNORECASE)


def parse(body: bytes, content_type: str, url: str) -> Document:
    """The document that `url` answered with. Raises FeedError and nothing else."""
    text = decoded(body, content_type).lstrip("\ufeff \t\r\n\0")
    if not text:
        raise FeedError("empty", "the answer is empty")
    if text[0] in "{[":
        return read_json(text, url)
    if "<" not in text[:_HEAD]:
        raise FeedError("format", "the document is plain text, not a feed")
    return read_xml(text[_root(text, url) :], url)


def _root(text: str, url: str) -> int:
    """Where the root element begins. What stands before it is looked at, and not read further."""
    head = _ASIDE.sub(lambda found: " " * len(found[0]), text[:_HEAD])
    root = _ROOT.search(head)
    first = _FIRST.search(head)
    before = head[: root.start()] if root else head
    if _HTML.match(head.lstrip()) or (root and root[1].lower() == "html"):
        raise _page(text[:_HEAD], url)
    if _DOCTYPE.search(before):
        reason = "the document declares entities of its own, which is how small ones grow huge"
        raise FeedError("doctype", reason, "it is refused unread; feeds need none")
    if root is None or root[1].lower() not in _FEEDS:
        named = f"its root is <{first[1]}>" if first else "it has no element"
        hint = "`sameas feeds import` reads OPML" if root else ""
        raise FeedError("format", f"the document is not a feed: {named}", hint)
    return root.start()


def _page(head: str, url: str) -> FeedError:
    if _CHALLENGE.search(head):
        hint = "ask the site to let feed readers in, with the contact in your User-Agent"
        return FeedError("challenge", "the answer is a challenge for browsers, not a feed", hint)
    offered = next(_offers(head, url), "")
    hint = f"the page names {offered} as its feed" if offered else "look for the feed's own address"
    return FeedError("html", "the answer is a web page, not a feed", hint)


def _offers(head: str, url: str) -> Iterator[str]:
    for link in _LINK.findall(head):
        href = _HREF.search(link)
        if _OFFERED.search(link) and href:
            yield absolute(href[1] or href[2] or href[3] or "", url)
