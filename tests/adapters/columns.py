"""Columns of every kind that URLs come in, and what one URL at a time makes of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa

from sameas import Canonical, InvalidURL, Policy

ROWS = [
    "http://www.example.com/a/?utm_source=x&b=2&a=1#top",
    None,
    "nonsense",
    "https://bücher.example/ü?q=%e9",
    "",
    "http://user:pass@example.com/",
    "http://[::1]:80/",
    "x",
    "https://www.google.com/url?q=https://example.org/a%3Fid%3D1&sa=t",
    "http://example.com:99999/",
    None,
    "a longer text than a view holds in itself",
    "HTTP://EXAMPLE.COM",
    "ftp://example.com/",
    "http://0x7f.1/a//b/../c;jsessionid=1",
]
"""Accepted, refused and missing rows, with hosts that only a whole parser can read."""

Made = Callable[[Sequence[str | None]], Any]


def _as(kind: Any) -> Made:
    return lambda rows: pa.array(rows, pa.large_string()).cast(kind)


def sliced(rows: Sequence[str | None], kind: Any, before: int) -> Any:
    """The middle of a larger array, whose bits begin in the middle of a byte."""
    padding = ["http://not.asked.example/", None] * before
    whole = pa.array([*padding[:before], *rows, *padding[: before + 1]], pa.large_string())
    return whole.cast(kind).slice(before, len(rows))


def _chunked(rows: Sequence[str | None]) -> Any:
    parts = [rows[:1], rows[1:1], rows[1:4], rows[4:]]
    return pa.chunked_array([pa.array(part, pa.string()) for part in parts])


def _table(rows: Sequence[str | None]) -> Any:
    return pa.table({"url": pa.array(rows, pa.string())})


def _relation(rows: Sequence[str | None]) -> Any:
    return duckdb.connect().from_arrow(_table(rows))


class Producer:
    """What a library of Arrow arrays that is not pyarrow gives."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def __arrow_c_array__(self, requested: Any = None) -> Any:
        return self._array.__arrow_c_array__(requested)


TEXT = (pa.string(), pa.large_string(), pa.string_view())
BYTES = (pa.binary(), pa.large_binary(), pa.binary_view())
FEW, MANY = pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.int32(), pa.large_string())

KINDS: dict[str, Made] = {
    **{str(kind): _as(kind) for kind in (*TEXT, *BYTES, FEW, MANY)},
    **{
        f"{kind} from row {before}": lambda rows, kind=kind, before=before: sliced(
            rows, kind, before
        )
        for kind, before in zip((*TEXT, *BYTES, FEW), (1, 3, 7, 8, 9, 13, 5), strict=True)
    },
    "chunks": _chunked,
    "a table of one column": _table,
    "any producer": lambda rows: Producer(pa.array(rows, pa.string())),
    "a series of polars": lambda rows: pl.Series(rows, dtype=pl.String),
    "a part of a series of polars": lambda rows: pl.Series(["x", *rows, None], dtype=pl.String)[
        1:-1
    ],
    "a category of polars": lambda rows: pl.Series(rows, dtype=pl.Categorical),
    "bytes of polars": lambda rows: pl.Series(rows, dtype=pl.String).cast(pl.Binary),
    "a relation of DuckDB": _relation,
}


def one_by_one(policy: Policy, rows: Sequence[str | bytes | None]) -> list[Any]:
    """What `arrow.canonicalize` has to hold."""
    return [None if url is None else _row(policy, url) for url in rows]


def _row(policy: Policy, url: str | bytes) -> dict[str, Any]:
    (got,) = policy.canonicalize_many([url])
    if isinstance(got, InvalidURL):
        nothing = dict.fromkeys(("url", "form", "key", "flags"))
        return {**nothing, "error": got.code}
    assert isinstance(got, Canonical)
    return {
        "url": got.url,
        "form": got.form,
        "key": got.key,
        "flags": [*got.flags],
        "error": None,
    }


def field(rows: Sequence[Any], name: str) -> list[Any]:
    return [None if row is None else row[name] for row in rows]
