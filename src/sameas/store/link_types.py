"""What a store knows of links: how they answered, what holds for a domain, what people decide.

They decide nothing. Times are aware and in UTC.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any

_ID = 12

ORDER = ("asked_at", "file", "line", "kind", "review_id")
"""How questions stand in a list: by their run, then by their place."""


@dataclass(frozen=True)
class Link:
    """A row of `links`: how a link answered when it was last asked."""

    key: str
    url: str
    status: str
    checked_at: datetime
    final_url: str = ""
    """The address to store: where it led."""
    final_key: str = ""
    flags: tuple[str, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)
    chain: tuple[tuple[str, int | None], ...] = ()
    evidence: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Domain:
    """A row of `domains`: what was found out about a host, or what a person said of it."""

    host: str
    www_form: str | None
    https: bool | None
    checked_at: datetime
    decided: bool = False


@dataclass(frozen=True)
class Review:
    """A row of `reviews`: a question, and its answer once somebody has given one."""

    kind: str
    key: str
    """What is asked about: a link's key, a host, or a parameter of a host."""
    url: str
    file: str
    """Where it was found first in the last run that asked, whole; "" for nowhere."""
    line: int
    suggestion: str
    reason: str
    """Why that is suggested, or why nothing is."""
    evidence: tuple[str, ...]
    asked_at: datetime
    seen_at: datetime
    """When a run last came upon it."""
    decision: str | None = None
    value: str = ""
    decided_by: str | None = None
    """Who decided, or took the decision back."""
    decided_at: datetime | None = None
    field: str = ""
    """The name of the field it was found in; "" where nobody knows."""

    @property
    def review_id(self) -> str:
        return review_id(self.kind, self.key)


def review_id(kind: str, key: str) -> str:
    """The same question has the same number in every store."""
    return sha256(f"{kind}\0{key}".encode("utf-8", "surrogatepass")).hexdigest()[:_ID]


def later(one: Review, other: Review) -> Review:
    """Of two questions that became one: the one decided last, else the one asked first."""
    if one.decided_at != other.decided_at:
        times = [(r.decision is not None, r.decided_at or r.asked_at) for r in (one, other)]
        return one if times[0] > times[1] else other
    return one if one.asked_at <= other.asked_at else other


def moves(link: Any, key_of: Callable[[str], str]) -> bool:
    """Whether another policy gives a link, or where it led, another key."""
    if key_of(link.url) != link.key:
        return True
    return bool(link.final_key) and key_of(link.final_url) != link.final_key
