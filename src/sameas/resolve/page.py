"""What a page says about itself: title, headings, language, links in its head, its words.

It reads HTML as loosely as it is written and decides nothing about what it finds.
"""

from __future__ import annotations

import codecs
import hashlib
import re
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple
from urllib.parse import urlsplit

from sameas.net.charset import charset
from sameas.resolve.markup import attributes, pieces, unescaped

READ = 512 * 1024
"""Bytes of a page that are looked at: what is said about a page stands at its beginning."""
_KEPT = 500
_MOST = 200

_META_CHARSET = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:\-]{1,40})""", re.I)
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([\w.:\-]{1,40})""", re.I)
_REFRESH = re.compile(r"""\s*([0-9]{1,6})[0-9.]*\s*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']*)""", re.I)
_WORD = re.compile(r"[^\W\d_]+")
_MARKS = {codecs.BOM_UTF8: "utf-8", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_IN_HEAD = frozenset(
    {"html", "head", "title", "meta", "link", "base", "script", "style", "noscript", "template"}
)
_UNREAD = frozenset({"script", "style", "template", "svg"})
_TELLING = frozenset({"html", "base", "meta", "link"})
"""Tags whose attributes say something about the page; those of `a` do with `rel` among them."""
_REL = re.compile(r"[rR](?i:el)\s*=")
_REFERRING = frozenset({"script", "link"})
"""Beside `a`, `img` and `form`, which stand in the midst of text."""
_RELATIVE = re.compile(
    r"""[hHsSaA](?i:(?<=h)ref|(?<=s)rc|(?<=a)ction)\s*=\s*["']?\s*+"""
    r"""(?!["'/#?>]|[A-Za-z][A-Za-z0-9+.\-]*+:)[^\s]"""
)
"""It begins with a set of letters, which is what the library can look for fast."""
_ENDING = frozenset({*_UNREAD, "title", "h1", "noscript", "head"})
"""Tags whose end matters."""


class Wording(NamedTuple):
    digest: str
    """Of the words, without numbers and without the page's own address: equal for equal pages."""
    words: int


@dataclass(frozen=True)
class Page:
    title: str = ""
    heading: str = ""
    """Every first-level heading, one after another."""
    lang: str = ""
    base: str = ""
    canonicals: tuple[str, ...] = ()
    """As they are written; those outside the head do not count."""
    alternates: tuple[tuple[str, str], ...] = ()
    """Of other languages: hreflang and href, as they are written."""
    last: tuple[str, ...] = ()
    """Where `rel=last` leads."""
    refresh: tuple[int, str] | None = None
    """Seconds, and where to."""
    relative: bool = False
    """It refers to something by a relative address."""
    url: str = ""
    text: str = field(default="", repr=False)
    kept: Wording | None = None

    @cached_property
    def wording(self) -> Wording:
        """Made when two pages are compared, which most never are."""
        digest = _digest(f"{self.title} {self.text}", self.url)
        return self.kept or Wording(digest, len(self.text.split()))

    def without_text(self) -> Page:
        """To be kept for as long as others are compared with it."""
        return replace(self, text="", kept=self.wording)


def read(body: bytes, content_type: str, url: str) -> Page:
    reader = _Reader()
    reader.read(_text(body[:READ], content_type))
    return reader.page(url)


def _text(body: bytes, content_type: str) -> str:
    for mark, encoding in _MARKS.items():
        if body.startswith(mark):
            return body.decode(encoding, "replace")
    said = _CHARSET.search(content_type)
    meta = None if said else _META_CHARSET.search(body[:2048])
    name = said[1] if said else meta[1].decode("ascii") if meta else "utf-8"
    return body.decode(charset(name) or "utf-8", "replace")


class _Reader:
    def __init__(self) -> None:
        self._head = True
        self._inside = ""
        self._unread = ""
        self._texts: list[str] = []
        self._title: list[str] = []
        self._heading: list[str] = []
        self._found: dict[str, str] = {}
        self._canonicals: list[str] = []
        self._alternates: list[tuple[str, str]] = []
        self._last: list[str] = []
        self._refresh: tuple[int, str] | None = None
        self._noscript = False
        self._relative = False

    def read(self, text: str) -> None:
        for words, start, inside, end, quiet in pieces(text):
            if words and not self._unread:
                self._words(words)
            if quiet is not None:
                self._quiet(quiet)
            if start:
                self._start(start, inside)
            elif end in _ENDING:
                self._end(end)

    def _quiet(self, referring: list[str]) -> None:
        """Tags in the midst of text, which no head has."""
        self._head = False
        together = ">".join(referring)
        if not self._relative:
            self._relative = _RELATIVE.search(together) is not None
        if _REL.search(together):
            for tag in referring:
                if tag[0] in "aA" and _REL.search(tag):
                    self._link("a", attributes(tag[1:]))

    def _start(self, tag: str, inside: str) -> None:
        if self._head and tag not in _IN_HEAD:
            self._head = False
        if tag in _ENDING:
            self._open(tag)
        if not self._relative and tag in _REFERRING:
            self._relative = _RELATIVE.search(inside) is not None
        if tag in _TELLING:
            self._look(tag, attributes(inside))

    def _open(self, tag: str) -> None:
        if tag in _UNREAD:
            self._unread = tag
        elif tag in ("title", "h1"):
            self._inside = tag
        elif tag == "noscript":
            self._noscript = True

    def _look(self, tag: str, given: dict[str, str]) -> None:
        if tag in ("html", "base"):
            name = "lang" if tag == "html" else "href"
            self._found.setdefault(tag, given.get(name, "").strip())
        elif tag == "link":
            self._link(tag, given)
        elif tag == "meta" and given.get("http-equiv", "").strip().lower() == "refresh":
            found = _REFRESH.match(given.get("content", ""))
            if found and self._refresh is None and found[2].strip() and not self._noscript:
                self._refresh = int(found[1]), found[2].strip()

    def _end(self, tag: str) -> None:
        if tag == "head":
            self._head = False
        elif tag == "noscript":
            self._noscript = False
        if tag == self._unread:
            self._unread = ""
        if tag == self._inside:
            self._inside = ""

    def _words(self, text: str) -> None:
        if self._inside == "title":
            self._title.append(text)
            return
        if self._inside == "h1":
            self._heading.append(text)
        self._texts.append(text)

    def _link(self, tag: str, given: dict[str, str]) -> None:
        if "rel" not in given:
            return
        relations = given["rel"].lower().split()
        if "last" in relations:
            self._last.append(given.get("href", ""))
        if tag != "link" or not self._head or "href" not in given:
            return
        if "canonical" in relations and len(self._canonicals) < _MOST:
            self._canonicals.append(given["href"])
        if "alternate" in relations and given.get("hreflang") and len(self._alternates) < _MOST:
            self._alternates.append((given["hreflang"], given["href"]))

    def page(self, url: str) -> Page:
        title, heading, text = (
            " ".join(unescaped(" ".join(words)).split())
            for words in (self._title, self._heading, self._texts)
        )
        return Page(
            title=title[:_KEPT],
            heading=heading[:_KEPT],
            lang=self._found.get("html", ""),
            base=self._found.get("base", ""),
            canonicals=tuple(self._canonicals),
            alternates=tuple(self._alternates),
            last=tuple(self._last[:1]),
            refresh=self._refresh,
            relative=self._relative,
            url=url,
            text=text,
        )


def _digest(text: str, url: str) -> str:
    parts = urlsplit(url)
    for own in (url, f"{parts.path}?{parts.query}", parts.path):
        if len(own) > 1:
            text = text.replace(own, " ")
    return hashlib.sha256(" ".join(_WORD.findall(text)).encode()).hexdigest()
