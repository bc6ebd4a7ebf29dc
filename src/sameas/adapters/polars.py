"""Polars: keys and canonical URLs as expressions, by function or as `pl.col("url").sameas.key()`.

Importing this module brings the namespace. What a row becomes is the business of arrow.py.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from sameas.adapters import arrow
from sameas.errors import MissingExtra
from sameas.policy import Policy, loaded

try:
    import polars as pl
except ImportError:
    raise MissingExtra("a Polars expression", "polars") from None

Chosen = str | Path | Policy


def key(urls: str | pl.Expr, policy: Chosen = "default", *, binary: bool = False) -> pl.Expr:
    """The key of each row: hex text, or bytes where `binary`. Null and refused rows give null."""
    answer = partial(arrow.key, policy=loaded(policy), binary=binary)
    return _mapped(urls, answer, _digest(binary))


def url(urls: str | pl.Expr, policy: Chosen = "default") -> pl.Expr:
    """The canonical URL of each row. Null and refused rows give null."""
    return _mapped(urls, partial(arrow.url, policy=loaded(policy)), pl.String())


def canonicalize(
    urls: str | pl.Expr, policy: Chosen = "default", *, binary: bool = False
) -> pl.Expr:
    """A struct of `url`, `form`, `key`, `flags` and `error`, the code of a row that is refused."""
    text = pl.String()
    fields = {"url": text, "form": text, "key": _digest(binary)}
    kind = pl.Struct({**fields, "flags": pl.List(text), "error": text})
    return _mapped(urls, partial(arrow.canonicalize, policy=loaded(policy), binary=binary), kind)


def _digest(binary: bool) -> pl.DataType:
    return pl.Binary() if binary else pl.String()


def _mapped(urls: str | pl.Expr, answer: Callable[[Any], Any], kind: pl.DataType) -> pl.Expr:
    def answered(series: pl.Series) -> pl.Series:
        return pl.Series(series.name, answer(series), kind)

    column = pl.col(urls) if isinstance(urls, str) else urls
    return column.map_batches(answered, return_dtype=kind, is_elementwise=True)


@pl.api.register_expr_namespace("sameas")
class Namespace:
    """`pl.col("url").sameas`."""

    def __init__(self, urls: pl.Expr) -> None:
        self._urls = urls

    def key(self, policy: Chosen = "default", *, binary: bool = False) -> pl.Expr:
        return key(self._urls, policy, binary=binary)

    def url(self, policy: Chosen = "default") -> pl.Expr:
        return url(self._urls, policy)

    def canonicalize(self, policy: Chosen = "default", *, binary: bool = False) -> pl.Expr:
        return canonicalize(self._urls, policy, binary=binary)
