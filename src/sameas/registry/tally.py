"""A run counted: what a summary and a page need, and no more however many links there are.

It decides nothing about links.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from sameas.registry.case import PROBLEMS
from sameas.registry.check import Judged

MOST_SHOWN = 100
"""Links a page shows of each problem."""

MOST_HOSTS = 1000
"""Hosts that are counted one by one."""

NOT_ASKED = "not asked"


@dataclass
class Tally:
    links: int = 0
    wrong: int = 0
    problems: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    hosts: Counter[str] = field(default_factory=Counter)
    """Links with something wrong, by host."""
    shown: defaultdict[str, list[Judged]] = field(default_factory=lambda: defaultdict(list))
    unread: list[str] = field(default_factory=list)

    def add(self, judged: Judged) -> None:
        self.links += 1
        self.statuses[judged.status or NOT_ASKED] += 1
        problems = judged.verdict.problems
        if not problems:
            return
        self.wrong += 1
        self.problems.update(problems)
        if judged.host in self.hosts or len(self.hosts) < MOST_HOSTS:
            self.hosts[judged.host or "(no link)"] += 1
        for name in problems:
            if len(self.shown[name]) < MOST_SHOWN:
                self.shown[name].append(judged)

    def by_problem(self) -> list[tuple[str, int]]:
        return [(name, self.problems[name]) for name in PROBLEMS]
