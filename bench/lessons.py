"""`python -m bench.lessons`: how well rules are learned on made-up sites, by kind of site.

What the sites are is the business of sites.py, how fast it is that of change.py.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from bench.markdown import table
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


OUT = Path(__file__).parent.parent / "docs" / "bench" / "lessons.md"
GOALS = {"precision": 0.98, "recall": 0.9, "false": 0.001}
_NAMES = ("kind of site", "rules", "found", "wrong", "precision", "recall")
_HELD = ("URLs held out", "joined", "falsely")


def page(known: Sequence[Score], aside: Sequence[Score], command: str, said: str) -> str:
    return "\n".join(
        (
            "# Learning rules: what is found, and what is not\n",
            "This page is written by the command below, and by nobody's hand.\n",
            f"`{command}`\n",
            said,
            "## Kinds that the learner was written with\n",
            _table(known),
            *_missed(known),
            "## Kinds kept aside until it was written\n",
            _table(aside),
            *_missed(aside),
        )
    )


def _table(scores: Sequence[Score]) -> str:
    rows = [
        (
            score.kind.replace("_", " "),
            f"{score.rules}",
            f"{score.found}",
            f"{score.wrong}",
            f"{score.precision:.3f}",
            f"{score.recall:.3f}",
            f"{score.held_out:,}",
            f"{score.merges:,}",
            f"{score.false_merges:,} ({score.false_merges / score.held_out:.2%})",
        )
        for score in scores
    ]
    return table((*_NAMES, *_HELD), rows, right=range(1, 9))


def _missed(scores: Sequence[Score]) -> Iterator[str]:
    goal = (
        f"The goal, for each kind: precision at least {GOALS['precision']}, recall at least "
        f"{GOALS['recall']}, false merges under {GOALS['false']:.1%}."
    )
    missed = [
        score.kind.replace("_", " ")
        for score in scores
        if score.precision < GOALS["precision"]
        or score.recall < GOALS["recall"]
        or score.false_merges >= GOALS["false"] * score.held_out
    ]
    reached = f"**Missed** by: {', '.join(missed)}." if missed else "**Reached** by all."
    yield f"{goal} {reached}\n"


def _said(sites: int, pages: int, fetches: int) -> str:
    return (
        f"{sites} sites of each kind, {pages} pages each, every page fetched {fetches} times on "
        "average, in any of its spellings; from one fetch to the next it changes with a chance of "
        "5%. The rules there are to learn are known, for each host its own. URLs of the same sites "
        "are held out, a third of them of pages nobody has learned from: *joined* are those that "
        "are one with another spelling of their page only since the lesson, *falsely* those with a "
        "key that another page has. A kind without rules has some that must not be learned.\n"
    )


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.lessons", description=__doc__)
    parser.add_argument("--sites", type=int, default=10, help="sites of each kind")
    parser.add_argument("--pages", type=int, default=100, help="pages of each site")
    parser.add_argument("--fetches", type=int, default=8, help="fetches of a page, on average")
    parser.add_argument("--first", type=int, default=1000, help="the seed of the first site")
    parser.add_argument("--out", type=Path, default=OUT, help="the page to write")
    asked = parser.parse_args(given)
    seeds = range(asked.first, asked.first + asked.sites)
    known, aside = (
        [score(kind, seeds, asked.pages, asked.fetches) for kind in kinds]
        for kinds in (KINDS, ASIDE)
    )
    options = [
        f"--{name} {getattr(asked, name)}"
        for name in ("sites", "pages", "fetches", "first")
        if getattr(asked, name) != parser.get_default(name)
    ]
    command = " ".join(["python -m bench.lessons", *options])
    said = _said(asked.sites, asked.pages, asked.fetches)
    asked.out.write_text(page(known, aside, command, said), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
