"""The results callers get: frozen, picklable, comparable. They decide nothing.

How a result comes about is the engine's business; how it is shown is the command line's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Canonical:
    """One URL under one policy."""

    url: str
    form: str
    key: str
    original: str | bytes = field(repr=False, compare=False)
    policy: str
    fingerprint: str
    flags: tuple[str, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True)
class Step:
    """One operation at work: which rule, under which clause, what it changed and why."""

    rule: str
    clause: str
    before: str
    after: str
    why: str


@dataclass(frozen=True)
class Explanation:
    """Every step one URL took, and where it ended: a result, or the reason it was refused."""

    input: str
    policy: str
    steps: tuple[Step, ...]
    result: Canonical | None
    error: tuple[str, str] | None = None


@dataclass(frozen=True)
class Comparison:
    """Two URLs side by side: the same or not, the rule that decided it, and one sentence."""

    same: bool
    rule: str
    clause: str
    sentence: str
    a: Explanation
    b: Explanation
