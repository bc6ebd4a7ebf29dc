"""pandas: functions of a Series, and the same as `series.sameas.key()`; the index stays.

Importing this module brings the accessor. What a row becomes is the business of columns.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sameas.adapters import columns
from sameas.adapters.arrow import answered, holds_urls
from sameas.adapters.columns import TEXT, Output
from sameas.errors import MissingExtra
from sameas.policy import Policy, loaded

try:
    import pandas as pd
    import pyarrow as pa
except ImportError:
    raise MissingExtra("a Series of pandas", "pandas") from None

Chosen = str | Path | Policy


def key(urls: pd.Series, policy: Chosen = "default", *, binary: bool = False) -> pd.Series:
    """The key of each row: hex text, or bytes where `binary`. Missing and refused rows give NA."""
    return _series(urls, policy, columns.key(binary))


def url(urls: pd.Series, policy: Chosen = "default") -> pd.Series:
    """The canonical URL of each row. Missing and refused rows give NA."""
    return _series(urls, policy, columns.url())


def canonicalize(
    urls: pd.Series, policy: Chosen = "default", *, binary: bool = False
) -> pd.DataFrame:
    """`url`, `form`, `key`, `flags` and `error`, the code of a row that is refused."""
    found = _answered(urls, loaded(policy), columns.whole(binary))
    frame = pa.Table.from_struct_array(found).to_pandas(types_mapper=_kind)
    return frame.set_axis(urls.index)


def _series(urls: pd.Series, policy: Chosen, output: Output) -> pd.Series:
    found = _answered(urls, loaded(policy), output).to_pandas(types_mapper=_kind)
    return found.set_axis(urls.index).rename(urls.name)


def _answered(urls: pd.Series, policy: Policy, output: Output) -> Any:
    try:
        column = pa.array(urls, from_pandas=True)
    except (pa.ArrowException, UnicodeError):  # rows of several kinds, or with surrogates
        column = None
    if column is not None and holds_urls(column):
        return answered(column, policy, output)
    return columns.by_hand(policy, map(_url, urls), output)


def _url(value: Any) -> str | bytes | None:
    """What is neither text nor bytes is read as it prints: a number is refused like any word."""
    if isinstance(value, str | bytes):
        return value
    return None if pd.isna(value) else str(value)


def _kind(kind: Any) -> Any:
    return pd.StringDtype("pyarrow") if kind == TEXT else pd.ArrowDtype(kind)


@pd.api.extensions.register_series_accessor("sameas")
class Accessor:
    """`series.sameas`."""

    def __init__(self, urls: pd.Series) -> None:
        self._urls = urls

    def key(self, policy: Chosen = "default", *, binary: bool = False) -> pd.Series:
        return key(self._urls, policy, binary=binary)

    def url(self, policy: Chosen = "default") -> pd.Series:
        return url(self._urls, policy)

    def canonicalize(self, policy: Chosen = "default", *, binary: bool = False) -> pd.DataFrame:
        return canonicalize(self._urls, policy, binary=binary)
