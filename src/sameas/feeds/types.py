"""What one feed document says, as plain values: the seam between reading a feed and keeping it.

Nothing here knows how a document was fetched, or whether its entries are known already.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True)
class Item:
    """One entry as the document has it. An empty string is a missing value.

    `link` is absolute, resolved against the feed's base, and as spelled. Dates are ISO 8601 in
    UTC (`2026-11-19T20:00:00Z`) where they could be read, else empty."""

    guid: str = ""
    link: str = ""
    title: str = ""
    author: str = ""
    published: str = ""
    updated: str = ""
    summary: str = ""


@dataclass(frozen=True)
class Document:
    title: str = ""
    items: tuple[Item, ...] = ()
    ttl: timedelta | None = None


@dataclass(frozen=True)
class Counts:
    """What one answer of a feed came to.

    `new`, `updated` and `duplicates` are the entries of a document: not known, known with other
    content, known as they are. `seen` is how many known entries were seen again as they are:
    the duplicates of a document, or after an unchanged answer every entry of the last one.
    `conflicts` are entries whose keys match several known ones; `repeated_guids` are items whose
    guid another item of the same document has too, the first of each guid not counted."""

    new: int = 0
    updated: int = 0
    duplicates: int = 0
    seen: int = 0
    conflicts: int = 0
    repeated_guids: int = 0
