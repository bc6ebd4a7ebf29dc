"""Files of links of any length, half of them duplicates, made on the spot.

It decides what a crawl looks like; what an ordinary link looks like is the business of corpus.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from bench import corpus
from sameas import InvalidURL, Policy

KINDS = 20_000
_SPREAD = 2_654_435_761
"""A prime: which page a link repeats is anybody's guess, and the same in every run."""
_AT_ONCE = 10_000


def patterns(links: Sequence[str] = ()) -> list[tuple[str, str]]:
    """Ordinary links, those that are URLs, each cut where the number of a page goes."""
    policy = Policy.load()
    made = []
    for link in links or corpus.make(KINDS):
        try:
            policy.key(link)
        except InvalidURL:
            continue
        before, mark, fragment = link.partition("#")
        made.append((before + ("&" if "?" in before else "?") + "page=", mark + fragment))
    return made


def links(count: int, patterns: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Every other one is a page that was there before, found by way of a campaign."""
    for i in range(count):
        new = i // 2
        page = (i * _SPREAD) % (new + 1) if i % 2 else new
        before, after = patterns[page % len(patterns)]
        yield f"{before}{page}{'&utm_source=mail' if i % 2 else ''}{after}\n"


def write(path: Path, count: int, patterns: Sequence[tuple[str, str]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        made = links(count, patterns)
        for start in range(0, count, _AT_ONCE):
            file.writelines(next(made) for _ in range(min(_AT_ONCE, count - start)))
