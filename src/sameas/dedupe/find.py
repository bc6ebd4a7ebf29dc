"""Finding duplicates: by URL, by title, or by URL and then by title among those that are left.

Which rows are alike is decided in by_url and by_title; who survives, by their quality.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from sameas import policy as policies
from sameas.dedupe import by_title, by_url
from sameas.dedupe.articles import Quality, rows_of, taken, whole
from sameas.dedupe.articles import quality as default_quality
from sameas.dedupe.by_title import Progress, unwatched
from sameas.dedupe.groups import Duplicates, Evidence, grouped, survivors
from sameas.policy import Policy

By = Literal["url", "title", "both"]


def find_duplicates(
    articles: Iterable[Any],
    by: By = "both",
    quality: Quality = default_quality,
    policy: str | Path | Policy = "news",
    language: str | None = None,
    progress: Progress = unwatched,
) -> Duplicates:
    """Groups of articles that are one, with the evidence. `language` holds for all of them.

    >>> found = find_duplicates([
    ...     {"url": "https://a.example/1", "title": "Harbour bridge opens again - Gazette"},
    ...     {"url": "https://b.example/7", "title": "Harbour bridge opens  AGAIN"},
    ... ])
    >>> found.survivors, found.groups[0].evidence[0].ratio
    ((0,), 1.0)
    """
    if by not in ("url", "title", "both"):
        raise ValueError(f"by is 'url', 'title' or 'both', not {by!r}")
    rows = rows_of(articles)
    ranks = [quality(row) for row in rows]
    evidence: list[Evidence] = []
    left: Iterable[int] = range(len(rows))
    urls = titles = None
    if by != "title":
        urls = by_url.find(rows, policies.loaded(policy))
        evidence += urls.evidence
        left = survivors(len(rows), grouped(len(rows), evidence, ranks))
    if by != "url":
        titles = by_title.find(rows, left, language, progress)
        evidence += titles.evidence
    groups = grouped(len(rows), evidence, ranks)
    return Duplicates(
        total=len(rows),
        survivors=survivors(len(rows), groups),
        groups=groups,
        without_url=tuple(urls.without) if urls else (),
        refused_urls=urls.refused if urls else {},
        without_title=tuple(titles.without) if titles else (),
    )


def deduplicate(
    articles: Any,
    by: By = "both",
    quality: Quality = default_quality,
    policy: str | Path | Policy = "news",
    language: str | None = None,
) -> Any:
    """The articles without their duplicates, in input order: a list in, a list out; an Arrow table
    in, an Arrow table out."""
    articles = whole(articles)
    return taken(articles, find_duplicates(articles, by, quality, policy, language).survivors)


def deduplicate_by_url(
    articles: Any, quality: Quality = default_quality, policy: str | Path | Policy = "news"
) -> Any:
    """One article a canonical URL, the best one. Without a URL it is a duplicate of none.

    >>> deduplicate_by_url([{"url": "http://a.example/x?ref=1"}, {"url": "http://www.a.example/x/"}])
    [{'url': 'http://a.example/x?ref=1'}]
    """
    return deduplicate(articles, "url", quality, policy)


def deduplicate_by_title(
    articles: Any, quality: Quality = default_quality, language: str | None = None
) -> Any:
    """One article a title and language, the best one. Without a title it is a duplicate of none."""
    return deduplicate(articles, "title", quality, language=language)


def normalize_url(url: str | bytes) -> str:
    """The URL that articles are compared by, under the policy `news`.

    >>> normalize_url("https://www.example.com/story/?b=2&utm_source=x&a=1#c")
    'https://example.com/story?a=1&b=2'
    """
    return policies.canonicalize(url, "news").url
