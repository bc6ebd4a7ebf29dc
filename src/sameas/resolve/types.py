"""What resolving a link gives: where it led, what that means, and why. It decides nothing.

How an answer comes about is for `chain` to say, how it is shown for the command line.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from sameas.types import Canonical

Status = Literal["ok", "dead", "soft_404", "unknown", "rejected", "error"]


class Hop(NamedTuple):
    """One address of the chain and what it answered; None where it gave no answer."""

    url: str
    status: int | None


class Evidence(NamedTuple):
    """One signal: which, where it was seen, in words; when, in seconds from the first question."""

    signal: str
    url: str
    said: str
    at: float = 0.0
    status: int | None = None


@dataclass(frozen=True)
class Resolution:
    """One link resolved. `key` is `canonical.key`; `url` is the address to store, and empty where
    there is none: for an `error`, and for a shortener that led nowhere."""

    input: str
    """As it may be written anywhere: credentials as `***`."""
    canonical: Canonical | None
    """The policy applied to where the chain ended; None for an `error`."""
    url: str
    key: str
    chain: tuple[Hop, ...]
    status: Status
    flags: tuple[str, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict, hash=False)
    evidence: tuple[Evidence, ...] = ()
