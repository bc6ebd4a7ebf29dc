"""A run counted: what a summary and a page need, and no more however many links there are.

It decides nothing about links.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from sameas.registry.case import PROBLEMS
from sameas.registry.check import Judged
from sameas.store.history import FINE, WRONG

MOST_SHOWN = 100
"""Links a page shows of each problem."""

MOST_HOSTS = 1000
"""Hosts that are counted one by one."""

NOT_ASKED, NO_LINK, OTHERS = "not asked", "(no link)", "(others)"


@dataclass
class Tally:
    links: int = 0
    wrong: int = 0
    problems: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    hosts: Counter[str] = field(default_factory=Counter)
    """Links with something wrong, by host."""
    kinds: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By host and kind: each problem, and `fine` or `wrong` for the link itself."""
    shown: defaultdict[str, list[Judged]] = field(default_factory=lambda: defaultdict(list))
    unread: list[str] = field(default_factory=list)
    _hosts: set[str] = field(default_factory=set)

    def add(self, judged: Judged) -> None:
        self.links += 1
        self.statuses[judged.status or NOT_ASKED] += 1
        problems = judged.verdict.problems
        host = self._named(judged.host or NO_LINK)
        self.kinds.update((host, kind) for kind in (*problems, WRONG if problems else FINE))
        if not problems:
            return
        self.wrong += 1
        self.problems.update(problems)
        if host != OTHERS:
            self.hosts[host] += 1
        for name in problems:
            if len(self.shown[name]) < MOST_SHOWN:
                self.shown[name].append(judged)

    def _named(self, host: str) -> str:
        if host not in self._hosts and len(self._hosts) >= MOST_HOSTS:
            return OTHERS
        self._hosts.add(host)
        return host

    def by_problem(self) -> list[tuple[str, int]]:
        return [(name, self.problems[name]) for name in PROBLEMS]
