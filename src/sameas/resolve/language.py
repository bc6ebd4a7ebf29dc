"""The language of a page and its versions in others: what address, page and header say of it.

Only for policies that note languages. Spanish is what is looked for; nothing is asked here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sameas.resolve import address, kinds, words
from sameas.resolve.answer import Answer
from sameas.resolve.page import Page
from sameas.types import Canonical

NOTE = "lang_variants"


class Languages:
    def __init__(self, canonical: Callable[[str], Canonical]) -> None:
        """`canonical` tells what the policy makes of an address."""
        self._canonical = canonical
        self.own = ""
        """Of the page the chain ends at, as far as anybody says."""
        self.alternates: dict[str, str] = {}
        self._left: list[str] | None = None

    def look(self, end: str, read: Answer | None, allows: Callable[[str], bool]) -> str:
        """A kind of the table's state `language?`."""
        if read is None or read.page is None:
            return ""
        told = self._canonical(end).notes.get(NOTE)
        if told is None:
            return ""
        if self._left is None:
            self._read(end, read, allows, told["language"] or code(read.page.lang))
        if self.own == "es":
            return "spanish"
        if self._left:
            return "offered" if self._left[0] == self.alternates.get("es") else "guessed"
        return "foreign" if self.own else ""

    def next_spanish(self) -> str:
        """It is a version only once it was found to be one."""
        assert self._left
        self.alternates.pop("es", None)
        return self._left.pop(0)

    def moved(self, end: str) -> None:
        """The chain ended at the Spanish version: the one it came from is another now."""
        self.alternates = {self.own: end, **self.alternates} if self.own else self.alternates
        self.own = "es"

    def says_spanish(self, page: Page) -> bool:
        """It says so, or says nothing."""
        return code(page.lang) in ("", "es")

    def _read(self, end: str, read: Answer, allows: Callable[[str], bool], said: str) -> None:
        """The address knows better than the list of versions, and that better than the page, which
        often says what its site began with."""
        offered = versions(read)
        self.own = next((name for name, url in offered if url == end), "") or said
        for name, url in offered:
            if name not in ("", self.own) and address.is_web(url) and allows(url):
                self.alternates.setdefault(name, url)
        self._left = [self.alternates["es"]] if "es" in self.alternates else []
        if self.own not in ("", "es") and not self._left:
            self._left = [url for url in address.in_spanish(end, self.own) if allows(url)]


def versions(answer: Answer) -> list[tuple[str, str]]:
    """Language and absolute address of every version that the header and the page's head name."""
    header = [
        (code(link.hreflang), address.joined(answer.url, link.href))
        for link in answer.links
        if "alternate" in link.relations and link.hreflang
    ]
    at = kinds.base(answer)
    inside = answer.page.alternates if answer.page else ()
    return header + [(code(tag), address.joined(at, href)) for tag, href in inside]


def code(tag: str) -> str:
    """`es` of `es-ES`; nothing of `x-default`."""
    primary = tag.strip().replace("_", "-").lower().partition("-")[0]
    if primary in words.listed("spanish"):
        return "es"
    return primary if primary != "x" else ""


def noted(notes: dict[str, Any], languages: Languages) -> None:
    """The policy's note, with what was found."""
    note = notes.get(NOTE)
    if note is not None:
        notes[NOTE] = {
            "language": languages.own or note["language"],
            "alternates": dict(sorted(languages.alternates.items())),
        }
