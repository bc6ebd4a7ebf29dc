"""What stands in the files: a link with its place, or a place where nothing can be read.

They decide nothing; every offset counts bytes from the beginning of the file.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

FIELD = "fuente_url"
"""The field that holds a link, unless others are named."""


_ITEMS = re.compile(r"(?:\[[0-9]+\])+$")


def name_in(path: str, fields: Collection[str]) -> str:
    """Which of the fields a path like `a[0].fuente_url[2]` ends with."""
    path = _ITEMS.sub("", path)
    found = [name for name in fields if f".{path}".endswith(f".{name}")]
    return max(found, key=len, default="")


@dataclass(frozen=True, slots=True)
class Span:
    """Where a value stands in its file, quotes included."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Found:
    """A value of a field that holds links."""

    line: int
    field: str
    record: int
    """Which record of the file it belongs to: 0 in a JSON file, which is one."""
    value: str | None
    """The text; None where the value is none."""
    span: Span
    literal: str
    """The value as it is spelled in the file."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A place where a file cannot be read; `line` 0 is the whole file."""

    line: int
    reason: str


Piece = Found | Unread
