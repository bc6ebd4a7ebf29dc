"""Records written and read again, whatever their texts hold."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence

import pyarrow.parquet as pq
import pytest

from sameas.records.write import FORMATS, writing

COLUMNS = ("name", "text")
ROWS = [
    {"name": "plain", "text": "a"},
    {"name": "é\u2028", "text": 'quotes " and\ncommas, \x7f'},
    {"name": "", "text": "=1+1"},
]


def _written(format: str, rows: Sequence[dict[str, str]]) -> bytes:
    stream = io.BytesIO()
    with writing(stream, format, COLUMNS) as write:
        for row in rows:
            write(row)
    assert not stream.closed
    return stream.getvalue()


def _read(format: str, data: bytes) -> list[dict[str, str]]:
    if format == "jsonl":
        assert data.isascii()
        return [json.loads(line) for line in data.splitlines()]
    if format == "csv":
        return list(csv.DictReader(io.StringIO(data.decode(), newline="")))
    return [dict(row) for row in pq.read_table(io.BytesIO(data)).to_pylist()]


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("count", [0, 1, 3, 512, 1_500])
def test_what_is_written_is_read_again(format: str, count: int):
    rows = (ROWS * (count // len(ROWS) + 1))[:count]
    assert _read(format, _written(format, rows)) == rows


@pytest.mark.parametrize("format", FORMATS)
def test_columns_come_in_their_order_and_no_others(format: str):
    row = {"text": "b", "other": "x", "name": "a"} if format == "jsonl" else ROWS[0]
    (found,) = _read(format, _written(format, [row]))
    assert list(found) == list(COLUMNS)


def test_a_row_that_fails_leaves_the_stream_to_its_owner():
    stream = io.BytesIO()
    with writing(stream, "csv", COLUMNS) as write, pytest.raises(ValueError, match="other"):
        write({"other": "x"})
    assert not stream.closed
