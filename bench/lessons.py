"""How well rules are learned on made-up sites: precision, recall, false merges, by kind of site.

What the sites are is the business of sites.py, how fast it is that of change.py.
"""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.sites import ASIDE, KINDS, made
from sameas.change.learn import Lesson, lesson
from sameas.change.proposal import overrides, policy_text
from sameas.policy import Policy


@dataclass(frozen=True)
class Score:
    kind: str
    rules: int
    found: int
    wrong: int
    held_out: int
    false_merges: int
    merges: int
    """Held-out URLs that became one with another spelling of their page."""

    @property
    def precision(self) -> float:
        return self.found / (self.found + self.wrong) if self.found + self.wrong else 1.0

    @property
    def recall(self) -> float:
        return self.found / self.rules if self.rules else 1.0


def score(kind: str, seeds: Sequence[int], pages: int, fetches: int) -> Score:
    """All sites of a kind in one lesson, as a user's data would have them."""
    base = (KINDS | ASIDE)[kind].policy
    sites = [made(kind, seed, pages, fetches) for seed in seeds]
    rows = [fetch for site in sites for fetch in site.fetches]
    pairs = ((n, {"url": url, "content": said}) for n, (url, said) in enumerate(rows, 1))
    learned = lesson(Policy.load(base), pairs, lambda *_: None)
    told = {(rule.kind, rule.host, rule.name) for rule in learned.rules}
    true = {rule for site in sites for rule in site.rules}
    held = [one for site in sites for one in site.held_out]
    false, merged = _merges(learned, base, held)
    return Score(kind, len(true), len(told & true), len(told - true), len(held), false, merged)


def _merges(learned: Lesson, base: str, held: Sequence[tuple[str, str]]) -> tuple[int, int]:
    """Among URLs nobody has learned from: those under one key with another page, and those that
    are one with another spelling only since the lesson."""
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder, "learned.toml"), Path(folder, "learned.json")
        files[0].write_text(policy_text(learned, "learned", base), encoding="utf-8")
        files[1].write_text(overrides(learned), encoding="utf-8")
        policy = Policy.load(files[0], files[1])
    before = Policy.load(base)
    groups: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for url, page in held:
        groups[policy.key(url)].append((before.key(url), page))
    false = merged = 0
    for group in groups.values():
        pages = [page for _, page in group]
        usual = max(set(pages), key=pages.count)
        false += sum(page != usual for page in pages)
        merged += len({key for key, _ in group}) - 1
    return false, merged
