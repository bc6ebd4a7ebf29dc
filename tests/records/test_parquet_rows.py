"""Parquet: one column of text, also from files that are not whole."""

from __future__ import annotations

import builtins
import io
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from sameas.errors import MissingExtra, RecordsError
from sameas.records.parquet_rows import parquet_rows
from sameas.records.source import Refused, Row

LINKS = ["http://a/", None, "http://b/é"]


def written(array: Any, **how: Any) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table({"id": range(len(array)), "url": array}), out, **how)
    return out.getvalue()


def rows(data: bytes, column: str = "url") -> Iterator[Row]:
    return parquet_rows(io.BytesIO(data), column, "a.parquet")[0]


@pytest.mark.parametrize(
    "kind",
    [
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.binary(),
        pa.large_binary(),
        pa.dictionary(pa.int32(), pa.string()),
    ],
    ids=str,
)
def test_every_kind_of_text_column_is_read(kind: Any):
    first, second, third = rows(written(pa.array(LINKS, pa.string()).cast(kind)))
    assert first == (1, b"http://a/")
    assert isinstance(second[1], Refused)
    assert second[1].code == "empty"
    assert third == (3, "http://b/é".encode())


def test_text_that_is_no_utf_8_is_read_as_its_bytes():
    data = pa.array([b"http://a/\xe9"], pa.binary())
    unchecked = pa.Array.from_buffers(pa.string(), 1, data.buffers())
    assert list(rows(written(unchecked))) == [(1, b"http://a/\xe9")]


def test_it_says_how_many_rows_there_are():
    _, total = parquet_rows(io.BytesIO(written(pa.array(LINKS))), "url", "a.parquet")
    assert total == 3


@pytest.mark.parametrize(
    ("column", "told"),
    [
        ("urls", 'the nearest is "url"'),
        ("zzz", 'there are "id", "url"'),
        ("id", 'the column "id" holds int64, not text'),
        ("", 'there are "id", "url"'),
    ],
)
def test_a_column_that_cannot_be_used_is_told_before_any_row(column: str, told: str):
    with pytest.raises(RecordsError) as error:
        rows(written(pa.array(LINKS)), column)
    assert told in str(error.value)


@pytest.mark.parametrize("left", [0, 3, 100, -4])
def test_a_torn_file_is_told_before_any_row(left: int):
    data = written(pa.array(LINKS))[:left]
    with pytest.raises(RecordsError) as error:
        rows(data)
    assert error.value.place == "a.parquet"
    assert "\n" not in str(error.value)


def test_a_file_broken_in_the_middle_gives_what_stands_before_the_break():
    many = pa.array([f"http://example.com/{i}" for i in range(100_000)])
    data = bytearray(written(many, row_group_size=10_000, use_dictionary=False))
    middle = len(data) // 2
    data[middle : middle + 100_000] = bytes(100_000)
    read: list[Row] = []
    with pytest.raises(RecordsError, match="cannot be read further") as error:
        read.extend(rows(bytes(data)))
    assert 0 < len(read) < 100_000
    assert read == [(i + 1, f"http://example.com/{i}".encode()) for i in range(len(read))]
    assert error.value.place == f"a.parquet, row {len(read) + 1}"


def test_without_pyarrow_the_extra_is_named(monkeypatch: pytest.MonkeyPatch):
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match=r"pip install 'sameas\[arrow\]'"):
        parquet_rows(io.BytesIO(b""), "url", "a.parquet")
