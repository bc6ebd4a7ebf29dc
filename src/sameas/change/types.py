"""What a comparison of two policies finds: counts, and samples of what is behind them.

They decide nothing; URLs in them show no credentials.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from sameas.change.because import Reason


@dataclass(frozen=True)
class Changed:
    """A row whose key changes. A form is empty where the policy refuses the URL."""

    number: int
    url: str
    before: str
    after: str
    reason: Reason


@dataclass(frozen=True)
class Member:
    """One of the groups that become one, or that one becomes: a URL of it, and how many rows."""

    url: str
    form: str
    rows: int


@dataclass(frozen=True)
class Group:
    """Several groups that become one, or one that becomes several. `form` is that of the one."""

    form: str
    rows: int
    count: int
    members: tuple[Member, ...]
    """The first few of `count`."""
    reason: Reason


@dataclass
class Grouped:
    """All groups of one kind: how many, over how many rows and keys, which rule made how many."""

    groups: int = 0
    rows: int = 0
    keys: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    samples: list[Group] = field(default_factory=list)


@dataclass
class Diff:
    """What changes on some data between two policies."""

    rows: int = 0
    refused: int = 0
    """Rows that neither policy takes, and those without a value."""
    changed: int = 0
    newly_refused: int = 0
    no_longer_refused: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    clauses: dict[str, str] = field(default_factory=dict)
    samples: list[Changed] = field(default_factory=list)
    merged: Grouped = field(default_factory=Grouped)
    split: Grouped = field(default_factory=Grouped)
