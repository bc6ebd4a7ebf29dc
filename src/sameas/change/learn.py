"""Rules learned from URLs and what came from them: host by host, then hosts that are one.

What speaks for a rule is decided in evidence.py and hosts.py; how it is written, in proposal.py.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sameas.change.evidence import Seen, judged
from sameas.change.fetches import Fetches
from sameas.change.hosts import ALIAS, Learned, key, learned
from sameas.errors import InvalidURL
from sameas.policy import Policy
from sameas.records.source import Refused

Told = Callable[[int, InvalidURL | Refused], None]
"""Hears of every pair that is skipped, by its number."""


@dataclass
class Lesson:
    """What was learned, and of what."""

    pairs: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    """By code."""
    hosts: int = 0
    rules: list[Learned] = field(default_factory=list)
    rejected: list[Learned] = field(default_factory=list)
    names: dict[str, list[str]] = field(default_factory=dict)
    """How each host of a rule stands in URLs."""


def lesson(
    policy: Policy, pairs: Iterable[tuple[int, Mapping[str, Any] | Refused]], tell: Told
) -> Lesson:
    """`pairs`: rows with `url` and `content`."""
    found = Lesson()
    with Fetches(policy) as fetches:
        for number, row in pairs:
            found.pairs += 1
            _add(fetches, number, row, found, tell)
        fetches.flush()
        dropped: dict[str, frozenset[str]] = {}
        for host, held in fetches.hosts():
            found.hosts += 1
            of_host = learned(host, held)
            dropped[host] = of_host.dropped()
            found.rules += of_host.rules
            found.rejected += of_host.rejected
        _aliases(fetches, dropped, found)
        for rule in found.rules:
            hosts = (rule.host, rule.name) if rule.kind == ALIAS else (rule.host,)
            found.names |= {host: fetches.names(host) for host in hosts if host not in found.names}
    return found


def _add(
    fetches: Fetches, number: int, row: Mapping[str, Any] | Refused, found: Lesson, tell: Told
) -> None:
    try:
        if isinstance(row, Refused):
            raise InvalidURL(row.code, row.message)
        url, content = (_text(row.get(name)) for name in ("url", "content"))
        if not content:
            raise InvalidURL("no_content", "it has no content hash")
        fetches.add(number, url, content)
    except InvalidURL as error:
        found.skipped[error.code] = found.skipped.get(error.code, 0) + 1
        tell(number, error)


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return "" if value is None else str(value)


def _aliases(fetches: Fetches, dropped: Mapping[str, frozenset[str]], found: Lesson) -> None:
    """Hosts of which each page of one is that of the other. Of several that are one, the shortest
    name stands for all."""
    one_of: dict[str, str] = {}

    def root(host: str) -> str:
        while host in one_of:
            host = one_of[host]
        return host

    for pair in fetches.alike():
        short, long = sorted(map(root, pair), key=lambda host: (len(host), host))
        if short == long:
            continue
        classes: dict[Hashable, list[Seen]] = defaultdict(list)
        for host in pair:
            for fetch in fetches.of(host):
                seen = Seen(host, fetch.content, fetch.row, fetch.url)
                classes[fetch.path, key(fetch, dropped[host])].append(seen)
        evidence = judged(classes.values())
        if evidence.convinces:
            one_of[long] = short
            found.rules.append(Learned(ALIAS, long, short, evidence))
        elif evidence.speaks_against:
            found.rejected.append(Learned(ALIAS, long, short, evidence))
    found.rules = [
        replace(rule, name=root(rule.name)) if rule.kind == ALIAS else rule for rule in found.rules
    ]
