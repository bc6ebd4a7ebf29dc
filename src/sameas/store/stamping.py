"""What is said to somebody whose keys are not of the kind that a table holds.

When that is asked is the stores' business.
"""

from __future__ import annotations

_SHORT = 12


def unstamped(table: str) -> tuple[str, str]:
    reason = f"nobody knows under which policy the keys in {table} were made"
    return reason, "run `sameas store migrate --policy NAME`; it stamps them"


def foreign(table: str, held: tuple[str, str], policy: str, fingerprint: str) -> tuple[str, str]:
    """`held`: the policy and the fingerprint the table has."""
    theirs, ours = f"{held[0]} ({held[1][:_SHORT]})", f"{policy} ({fingerprint[:_SHORT]})"
    reason = f"the keys in {table} were made under {theirs}, not under {ours}"
    return reason, f"use {held[0]} as it was then, or another --store"


def foreign_links(
    table: str, held: tuple[str, str], policy: str, fingerprint: str
) -> tuple[str, str]:
    """The same for links, whose policy changes with every overrides file."""
    reason, _ = foreign(table, held, policy, fingerprint)
    return reason, "give the --policy and --overrides they were made with, or another --store"
