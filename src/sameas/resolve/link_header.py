"""The `Link` header read (RFC 8288): where each link leads, and what it is to this page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

_LINK = re.compile(
    r"""<([^>]*)>((?:\s*;\s*[\w!*\-]++(?:\s*=\s*(?:"(?:[^"\\]|\\.)*+"|[^\s;,"]*+))?)*+)"""
)
_PARAMETER = re.compile(r""";\s*([\w!*\-]++)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*+)"|([^\s;,"]*+)))?""")


class Link(NamedTuple):
    href: str
    relations: tuple[str, ...]
    hreflang: str


def links(values: Iterable[str]) -> tuple[Link, ...]:
    return tuple(
        Link(found[1].strip(), *_what(found[2]))
        for value in values
        for found in _LINK.finditer(value)
    )


def _what(parameters: str) -> tuple[tuple[str, ...], str]:
    """Of a parameter that is given twice, the first counts."""
    said: dict[str, str] = {}
    for found in _PARAMETER.finditer(parameters):
        said.setdefault(found[1].lower(), found[2] if found[2] is not None else found[3] or "")
    return tuple(said.get("rel", "").lower().split()), said.get("hreflang", "")
