"""The pinned table of public suffixes, ICANN section (C18). Host names are ASCII, in small letters.

Where the table comes from and how it is refreshed: tools/suffix_table.py.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

_MOST_LABELS = 5
_TABLE = (files("sameas.policies") / "public_suffixes.txt").read_text("ascii")
_RULES = frozenset(line for line in _TABLE.splitlines() if line and line[0] != "#")
_ANY_BELOW = frozenset(rule[2:] for rule in _RULES if rule.startswith("*."))


def rules() -> list[str]:
    return sorted(_RULES)


@cache
def fingerprint() -> str:
    """The rules alone: a comment in the table changes no result."""
    return hashlib.sha256("\n".join(rules()).encode()).hexdigest()


def public_suffix_length(host: str) -> int:
    """How many labels, from the right, the public suffix of a host has."""
    labels = host.removesuffix(".").rsplit(".", _MOST_LABELS)
    if len(labels) > _MOST_LABELS:
        del labels[0]
    for i in range(len(labels)):
        suffix = ".".join(labels[i:])
        if f"!{suffix}" in _RULES:
            return len(labels) - i - 1
        if suffix in _RULES or ".".join(labels[i + 1 :]) in _ANY_BELOW:
            return len(labels) - i
    return 1


def is_public_suffix(host: str) -> bool:
    """Is the whole host a public suffix? An unknown last label alone counts as one."""
    host = host.removesuffix(".")
    if host in _RULES:
        return True
    _, dot, parent = host.partition(".")
    return not dot or (parent in _ANY_BELOW and f"!{host}" not in _RULES)
