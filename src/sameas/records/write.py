"""Records written: the same columns in every row, as JSON Lines, CSV or Parquet, row by row.

Where they go, and under which name, is the caller's business. All values are text.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO

from sameas.errors import MissingExtra

_BATCH = 512

Writer = Callable[[Mapping[str, str]], object]


@contextmanager
def writing(stream: BinaryIO, format: str, columns: Sequence[str]) -> Iterator[Writer]:
    """What takes the rows. When the block ends, all of them are in the stream."""
    with _FORMATS[format](stream, columns) as writer:
        yield writer


@contextmanager
def _jsonl(stream: BinaryIO, columns: Sequence[str]) -> Iterator[Writer]:
    def write(row: Mapping[str, str]) -> None:
        text = json.dumps({name: row[name] for name in columns}, separators=(",", ":"))
        stream.write(text.replace("\x7f", "\\u007f").encode() + b"\n")

    yield write


@contextmanager
def _csv(stream: BinaryIO, columns: Sequence[str]) -> Iterator[Writer]:
    text = io.TextIOWrapper(stream, "utf-8", newline="")
    try:
        rows = csv.DictWriter(text, columns, lineterminator="\n")
        rows.writeheader()
        yield rows.writerow
        text.flush()
    finally:
        text.detach()


@contextmanager
def _parquet(stream: BinaryIO, columns: Sequence[str]) -> Iterator[Writer]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra("writing Parquet", "arrow") from None
    schema = pa.schema([(name, pa.string()) for name in columns])
    waiting: list[Any] = []

    with pq.ParquetWriter(stream, schema) as file:

        def flush() -> None:
            file.write_table(pa.Table.from_pylist(waiting, schema))
            waiting.clear()

        def write(row: Mapping[str, str]) -> None:
            waiting.append(row)
            if len(waiting) == _BATCH:
                flush()

        yield write
        if waiting:
            flush()


_FORMATS = {"jsonl": _jsonl, "csv": _csv, "parquet": _parquet}
FORMATS = tuple(_FORMATS)
