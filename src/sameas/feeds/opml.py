"""Lists of feeds as readers exchange them (OPML 1.0 and 2.0), in and out.

An outline whose address is refused costs the others nothing. Folders and the order of readers are
not kept: a store has one list.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import BinaryIO
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

from sameas.errors import OPMLError
from sameas.feeds.decode import decoded, legal

LARGEST = 10 * 1024 * 1024


@dataclass(frozen=True)
class Outline:
    """One feed of a list, as it is spelled there."""

    line: int
    url: str
    title: str


def read_opml(stream: BinaryIO, place: str) -> list[Outline]:
    body = stream.read(LARGEST + 1)
    if len(body) > LARGEST:
        raise OPMLError(place, f"has more than {LARGEST:,} bytes", "split it")
    return _Reading(place).read(body)


class _Reading:
    """One document on its way through the parser, which tells the lines."""

    def __init__(self, place: str) -> None:
        self._place, self._found, self._root = place, list[Outline](), ""
        self._parser = expat.ParserCreate("utf-8")
        self._parser.StartElementHandler = self._start
        self._parser.StartDoctypeDeclHandler = self._doctype

    def read(self, body: bytes) -> list[Outline]:
        try:
            self._parser.Parse(legal(decoded(body, "")).encode(), True)
        except expat.ExpatError as error:
            reason = f"is broken XML: {expat.ErrorString(error.code)}"
            raise OPMLError(f"{self._place}:{error.lineno}", reason, "nothing was added") from None
        return self._found

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        line = self._parser.CurrentLineNumber
        if not self._root:
            self._root = name
            if name.lower() != "opml":
                hint = "`sameas feeds add` takes a feed's own address"
                raise OPMLError(f"{self._place}:{line}", f"is not OPML but <{name}>", hint)
        given = {key.lower(): value.strip() for key, value in attributes.items()}
        if name.lower() == "outline" and given.get("xmlurl"):
            title = given.get("title") or given.get("text") or ""
            self._found.append(Outline(line, given["xmlurl"], title))

    def _doctype(self, *_: object) -> None:
        reason = "has a document type, which no list of feeds needs"
        hint = "take the <!DOCTYPE …> out"
        raise OPMLError(f"{self._place}:{self._parser.CurrentLineNumber}", reason, hint)


def opml(feeds: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The lines of a list, from addresses and titles."""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<opml version="2.0">'
    yield "  <head><title>Feeds</title></head>"
    yield "  <body>"
    for url, title in feeds:
        named = _quoted(title or url)
        yield f'    <outline type="rss" text={named} title={named} xmlUrl={_quoted(url)}/>'
    yield "  </body>"
    yield "</opml>"


def _quoted(text: str) -> str:
    return quoteattr(legal(" ".join(text.split())))
