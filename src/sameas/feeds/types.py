"""What the steps of a run hand to each other: frozen, comparable. They decide nothing.

A row of the store is the store's own type.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True)
class Item:
    """One entry as the document has it; an empty string is a missing field.

    `link` is absolute, not canonical. Dates are UTC, "2026-11-19T20:00:00Z", where readable."""

    guid: str = ""
    link: str = ""
    title: str = ""
    author: str = ""
    published: str = ""
    updated: str = ""
    summary: str = ""


@dataclass(frozen=True)
class Document:
    """One feed document. `whole` is False where it ends in the middle."""

    title: str
    items: tuple[Item, ...]
    ttl: timedelta | None = None
    whole: bool = True


@dataclass(frozen=True)
class Counts:
    """What one document was to the store."""

    new: int = 0
    updated: int = 0
    duplicates: int = 0
    conflicts: int = 0
    repeated_guids: int = 0
    seen: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.new + other.new,
            self.updated + other.updated,
            self.duplicates + other.duplicates,
            self.conflicts + other.conflicts,
            self.repeated_guids + other.repeated_guids,
            self.seen + other.seen,
        )
