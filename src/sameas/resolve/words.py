"""What pages and hosts are known by: the lists of words.toml, ready to be asked.

Which of them matters where is for `kinds` to say.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Any

_WORD = re.compile(r"[^\W_]+")
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
def _pages() -> re.Pattern[str]:
    words = _words()["pages"]
    before, between = ("|".join(map(re.escape, words[name])) for name in ("before", "between"))
    return re.compile(rf"\b(?:{before})\.? ([0-9]{{1,6}}) ?(?:{between}) ?([0-9]{{1,6}})\b")


def total_pages(text: str) -> int | None:
    """12, of a page that says "Página 1 de 12"."""
    for found in _pages().finditer(" ".join(_unaccented(text).split())):
        page, pages = int(found[1]), int(found[2])
        if 1 <= page <= pages:
            return pages
    return None
