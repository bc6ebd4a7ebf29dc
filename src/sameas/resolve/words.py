"""What pages and hosts are known by: the lists of words.toml, ready to be asked.

Which of them matters where is for `kinds` to say.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

_WORD = re.compile(r"[^\W_]+")
_BEFORE = 12
"""Characters before a number that may tell that it counts pages."""
_ACCENTS = re.compile("[\u0300-\u036f]")


def plain(text: str) -> str:
    """Small letters without accents, words parted by one space: how texts are compared here."""
    return " ".join(_WORD.findall(_unaccented(text)))


def _unaccented(text: str) -> str:
    text = text.casefold()
    if text.isascii():
        return text
    return _ACCENTS.sub("", unicodedata.normalize("NFKD", text))


@cache
def _words() -> dict[str, Any]:
    return tomllib.loads((files("sameas.resolve") / "words.toml").read_text("utf-8"))


@cache
def listed(name: str) -> frozenset[str]:
    return frozenset(_words()[name])


def is_shortener(host: str) -> bool:
    return host.removeprefix("www.") in listed("shorteners")


@cache
def _absent() -> re.Pattern[str]:
    phrases = {plain(phrase) for group in _words()["not_found"].values() for phrase in group}
    longest_first = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return re.compile(
        rf"\b(?:{'|'.join(longest_first)})\b|^(?:404|410|not found)$|^(?:404|410) (?!\d)"
    )


@lru_cache(maxsize=4096)
def not_found(text: str) -> str:
    """The words with which a title or a heading says that its page is not there; or nothing."""
    found = _absent().search(plain(text))
    return found.group().strip() if found else ""


@cache
def _procedure() -> re.Pattern[str]:
    words = _words()["procedure"]
    nouns, joined_by, verbs = ("|".join(words[name]) for name in ("nouns", "joined_by", "verbs"))
    return re.compile(rf"^(?:(?:{nouns}) (?:{joined_by}) |(?:{verbs}) )\w")


def names_procedure(title: str) -> bool:
    return _procedure().match(plain(title)) is not None


@cache
def _pages() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """The numbers with what stands between them, and what has to stand before."""
    words = _words()["pages"]
    before, between = ("|".join(map(re.escape, words[name])) for name in ("before", "between"))
    numbers = rf"([0-9][0-9]{{0,5}}) ?(?:{between}) ?([0-9]{{1,6}})\b"
    return re.compile(numbers, re.IGNORECASE), re.compile(rf"\b(?:{before})\.? $")


def total_pages(text: str) -> int | None:
    """12, of a page that says "Página 1 de 12"; its words parted by one space."""
    numbers, before = _pages()
    for found in numbers.finditer(text):
        page, pages = int(found[1]), int(found[2])
        start = text[max(found.start() - _BEFORE, 0) : found.start()]
        if 1 <= page <= pages and before.search(_unaccented(start)):
            return pages
    return None
