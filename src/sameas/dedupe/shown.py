"""Duplicates as objects: the names that scripts rely on, rows told by their numbers.

What is a duplicate has been found; files are the caller's business.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sameas.dedupe.articles import quality
from sameas.dedupe.groups import Duplicates, Group
from sameas.engine.parse import shown
from sameas.errors import InvalidURL
from sameas.policy import Policy
from sameas.records.source import Refused

SHOWN = ("source", "published")


class Article(NamedTuple):
    """What is kept of a row: enough to compare, to choose and to show it."""

    url: Any
    title: Any
    language: Any
    rank: tuple[int, bool, bool]
    about: dict[str, str]


@dataclass
class Articles:
    """The rows that could be read, and the numbers of all rows, read or not."""

    unit: str
    place: Callable[[int], str]
    all: Any
    numbers: array[int] = field(default_factory=lambda: array("q"))
    places: array[int] = field(default_factory=lambda: array("q"))
    unreadable: list[tuple[int, Refused]] = field(default_factory=list)
    rows: int = 0

    def add(self, number: int, article: Article) -> None:
        self.all.append(article)
        self.numbers.append(number)
        self.places.append(self.rows)


def article(row: dict[str, Any]) -> Article:
    about = {name: text for name in SHOWN if (text := _text(row[name]))}
    return Article(row["url"], row["title"], row["language"], quality(row), about)


def duplicates_object(found: Duplicates, articles: Articles, policy: Policy) -> dict[str, Any]:
    """Everything a program may want to know. Rows are told by their numbers in the file."""
    number = articles.numbers
    refused = [(number[i], error) for i, error in found.refused_urls.items()]
    return {
        "total": found.total,
        "survivors": len(found.survivors),
        "duplicates": found.total - len(found.survivors),
        "unit": articles.unit,
        "groups": [_group(group, articles, policy) for group in found.groups],
        "without_url": [number[i] for i in found.without_url],
        "without_title": [number[i] for i in found.without_title],
        "refused_urls": [_refusal(*row) for row in refused],
        "unreadable": [_refusal(*row) for row in articles.unreadable],
    }


def _refusal(number: int, error: Any) -> dict[str, Any]:
    return {"row": number, "code": error.code, "message": error.message}


def _group(group: Group, articles: Articles, policy: Policy) -> dict[str, Any]:
    number = articles.numbers
    evidence = [
        {"rule": e.rule, "a": number[e.a], "b": number[e.b], "ratio": e.ratio}
        | ({"shared": e.shared} if e.rule == "url" else {})
        for e in group.evidence
    ]
    members = [{"row": number[i], **_shown(articles.all[i], policy)} for i in group.members]
    return {"survivor": number[group.survivor], "members": members, "evidence": evidence}


def _shown(article: Article, policy: Policy) -> dict[str, Any]:
    return {
        "url": _shown_url(article.url, policy),
        "title": _text(article.title) or None,
        "language": _text(article.language) or None,
        **article.about,
    }


def _shown_url(url: Any, policy: Policy) -> str | None:
    """As it was given, without credentials: where they end, only reading it can tell."""
    if not isinstance(url, str | bytes):
        return None
    try:
        return shown(url, flags=policy.canonicalize(url).flags)
    except InvalidURL as error:
        return shown(url, error.code)


def _text(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)
