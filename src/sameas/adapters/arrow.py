"""Arrow: a column of URLs in; a column of keys, URLs or whole results out.

It takes a column from any library that speaks the Arrow PyCapsule interface, and in whatever
pieces it comes. What a row becomes is the business of columns.py.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sameas.adapters import columns
from sameas.adapters.columns import Output
from sameas.errors import MissingExtra
from sameas.policy import Policy, loaded, some_threads

try:
    import pyarrow as pa
except ImportError:
    raise MissingExtra("a column of URLs", "arrow") from None


def key(
    urls: Any,
    policy: str | Path | Policy = "default",
    *,
    binary: bool = False,
    threads: int | None = None,
) -> Any:
    """The key of each row: hex text, or 32 bytes where `binary`. Null and refused rows give null.

    >>> import pyarrow as pa
    >>> key(pa.array(["http://www.example.com/a/", "nonsense", None])).is_null().to_pylist()
    [False, True, True]
    """
    return _answered(urls, policy, columns.key(binary), threads)


def url(urls: Any, policy: str | Path | Policy = "default", *, threads: int | None = None) -> Any:
    """The canonical URL of each row. Null and refused rows give null."""
    return _answered(urls, policy, columns.url(), threads)


def canonicalize(
    urls: Any,
    policy: str | Path | Policy = "default",
    *,
    binary: bool = False,
    threads: int | None = None,
) -> Any:
    """`url`, `form`, `key`, `flags` and `error` of each row. A refused row has its code as `error`
    and nothing else; a null row is null."""
    return _answered(urls, policy, columns.whole(binary), threads)


def _answered(urls: Any, policy: str | Path | Policy, output: Output, threads: int | None) -> Any:
    some_threads(threads)
    column = _column(urls)
    if not holds_urls(column):
        raise TypeError(f"a column of URLs holds text or bytes, not {column.type}")
    return answered(column, loaded(policy), output, threads)


def _column(urls: Any) -> Any:
    """An array or a chunked array, where it lies."""
    if hasattr(urls, "__arrow_c_array__"):
        return pa.array(urls)
    if not hasattr(urls, "__arrow_c_stream__"):
        raise TypeError(f"a column of URLs is Arrow data, not {type(urls).__name__}")
    column = pa.chunked_array(urls)
    is_table = pa.types.is_struct(column.type) and column.type.num_fields == 1
    return column.flatten()[0] if is_table else column


def holds_urls(column: Any) -> bool:
    """Whether its type is one of text or bytes, or of nothing at all."""
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    return kind in _KINDS


_KINDS = (
    pa.string(), pa.large_string(), pa.string_view(),
    pa.binary(), pa.large_binary(), pa.binary_view(), pa.null(),
)  # fmt: skip


def answered(column: Any, policy: Policy, output: Output, threads: int | None = None) -> Any:
    """Chunk by chunk; of a dictionary each entry once, if there are fewer of them than rows."""
    if isinstance(column, pa.ChunkedArray):
        chunks = [answered(chunk, policy, output, threads) for chunk in column.chunks]
        return pa.chunked_array(chunks, output.type)
    if not pa.types.is_dictionary(column.type):
        return columns.answered(policy, column, output, threads)
    if len(column.dictionary) > len(column):
        return answered(column.dictionary_decode(), policy, output, threads)
    return answered(column.dictionary, policy, output, threads).take(column.indices)
