"""What an article is to us: an object, a mapping or a row of an Arrow table that has some of `url
title full_text district source language published`.

It decides what counts as a missing field and which of two copies is the better one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sameas.errors import MissingExtra

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


def rows_of(articles: Any) -> Sequence[Any]:
    """The articles one by one: those of a sequence as they are, those of an Arrow table as rows."""
    if not is_table(articles):
        return articles if isinstance(articles, Sequence) else list(articles)
    table = _arrow(articles)
    columns = [_values(column) for column in table.columns]
    return [dict(zip(table.column_names, row, strict=True)) for row in zip(*columns, strict=True)]


def taken(articles: Any, indices: Sequence[int]) -> Any:
    """What stays, in the shape it came in: a list, or an Arrow table."""
    if is_table(articles):
        return _arrow(articles).take(list(indices))
    return [articles[i] for i in indices]


def is_table(articles: Any) -> bool:
    return hasattr(articles, "__arrow_c_stream__")


def _arrow(articles: Any) -> Any:
    try:
        import pyarrow
    except ImportError:
        raise MissingExtra("a table of articles", "arrow") from None
    return articles if isinstance(articles, pyarrow.Table) else pyarrow.table(articles)


def _values(column: Any) -> list[Any]:
    """Text that is not UTF-8, whatever its type says, as its bytes."""
    import pyarrow

    try:
        values: list[Any] = column.to_pylist()
    except UnicodeDecodeError:
        values = column.cast(pyarrow.large_binary()).to_pylist()
    return values
