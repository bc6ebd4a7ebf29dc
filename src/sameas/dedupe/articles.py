"""What an article is to us: an object, a mapping or a row of an Arrow table that has some of `url
title full_text district source language published`.

It decides what counts as a missing field and which of two copies is the better one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sameas.errors import MissingExtra
from sameas.records.arrow import picked, values

Quality = Callable[[Any], Any]
"""Gives something that can be compared: of two copies the greater one stays."""


def field_of(article: Any, name: str) -> Any:
    """A field as it stands, None where it is missing."""
    return article.get(name) if isinstance(article, Mapping) else getattr(article, name, None)


def text_of(article: Any, name: str) -> str:
    """A field as text, empty where it is missing. Bytes are read as UTF-8; a number, None or
    anything else is no text: a NaN that stands for "nothing" must not make two titles equal."""
    value = field_of(article, name)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, str) else ""


def quality(article: Any) -> tuple[int, bool, bool]:
    """The longer full text, then a known district, then a known source."""
    return (
        len(text_of(article, "full_text")),
        bool(text_of(article, "district").strip()),
        bool(text_of(article, "source").strip()),
    )


def whole(articles: Any) -> Any:
    """What can be gone through twice, a list or an Arrow table, of whatever holds articles."""
    if isinstance(articles, str | bytes | Mapping):
        kind = type(articles).__name__
        raise TypeError(f"articles are given one by one, in a list or a table, not as one {kind}")
    if hasattr(articles, "__arrow_c_stream__"):
        return _arrow(articles)
    return articles if isinstance(articles, list) else list(articles)


def rows_of(articles: Any) -> list[Any]:
    """The articles one by one: those of a list as they are, those of an Arrow table as rows."""
    articles = whole(articles)
    if isinstance(articles, list):
        return articles
    columns = [values(column) for column in articles.columns]
    names = articles.column_names
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def taken(articles: Any, places: Sequence[int]) -> Any:
    """Those at some places, in the shape that `whole` gives."""
    if isinstance(articles, list):
        return [articles[i] for i in places]
    return picked(articles, places)


def _arrow(articles: Any) -> Any:
    try:
        import pyarrow
    except ImportError:
        raise MissingExtra("a table of articles", "arrow") from None
    return articles if isinstance(articles, pyarrow.Table) else pyarrow.table(articles)
