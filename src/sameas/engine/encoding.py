"""Percent triplets: how they are spelled, and which of them are decoded (C9, C10).

No function here merges two values: only spellings that RFC 3986 calls equivalent become one.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote_to_bytes

from sameas.engine.parts import Operation, Parts

_TRIPLET = re.compile(r"%[0-9A-Fa-f]{2}")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_HEX = frozenset("0123456789ABCDEFabcdef")


def capitals(text: str) -> str:
    return _TRIPLET.sub(lambda found: found.group().upper(), text)


def rfc3986(text: str) -> str:
    return _TRIPLET.sub(_plain, text)


def _plain(found: re.Match[str]) -> str:
    triplet = found.group()
    char = chr(int(triplet[1:], 16))
    if char not in _UNRESERVED or (char in _HEX and _after_torn(found.string, found.start())):
        return triplet.upper()
    return char


def _after_torn(text: str, start: int) -> bool:
    """A `%` or `%4` right before, which a decoded hex digit would complete."""
    before = text[max(0, start - 2) : start]
    return before[-1:] == "%" or (before[:1] == "%" and before[1:] in _HEX)


def decoded(name: str) -> str:
    """A parameter's name as lists see it (C7): percent-decoded, ASCII letters small.

    The characters are the decoded bytes, so that no table of Unicode is involved.
    """
    if "%" in name:
        return unquote_to_bytes(name).lower().decode("latin-1")
    return name.lower()


_SPELLINGS: dict[str, Callable[[str], str]] = {"capitals": capitals, "rfc3986": rfc3986}


def path_triplets(spelling: str) -> Operation:
    """The path's, and a kept fragment's."""
    spell = _SPELLINGS[spelling]

    def run(u: Parts) -> None:
        if "%" in u.path:
            u.path = spell(u.path)
        if "%" in u.fragment:
            u.fragment = spell(u.fragment)

    return run


def query_triplets(spelling: str) -> Operation:
    spell = _SPELLINGS[spelling]

    def run(u: Parts) -> None:
        for i, piece in enumerate(u.query):
            if "%" in piece:
                u.query[i] = spell(piece)

    return run
