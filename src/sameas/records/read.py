"""The door: a file or standard input opened in its format, as one Source of numbered rows.

It decides which format that is; how each is read is its module's business.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import BinaryIO

from sameas.errors import RecordsError
from sameas.records.csv_rows import csv_rows
from sameas.records.json_rows import json_rows
from sameas.records.lines import line_rows
from sameas.records.parquet_rows import parquet_rows
from sameas.records.source import Row, Source

FORMATS = ("lines", "csv", "jsonl", "parquet")
ENDINGS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
}
STDIN = "-"


@contextmanager
def reading(path: str, format: str = "", column: str = "") -> Iterator[Source]:
    """The rows of a file, or of standard input for `-`. Without a format its ending decides."""
    label = "" if path == STDIN else path
    chosen = format or ENDINGS.get(PurePath(path).suffix.lower(), "lines")
    if column and chosen == "lines":
        hint = "say which format it has: csv, jsonl or parquet"
        raise RecordsError(label or "the input", "is read as lines, which have no columns", hint)
    if chosen == "jsonl" and not column:
        raise RecordsError(label or "the input", "is JSON Lines: which column holds the links?")
    with opening(path) as stream, _ready(stream, chosen) as ready:
        yield _source(ready, chosen, column, label)


def _source(stream: BinaryIO, format: str, column: str, label: str) -> Source:
    if format == "parquet":
        counted = _Counted(*parquet_rows(stream, column, label))
        return Source(label, "row", counted, counted.total, lambda: counted.done)
    if format == "lines":
        rows = line_rows(stream, label)
    else:
        rows = (csv_rows if format == "csv" else json_rows)(stream, column, label)
    return Source(label, "line", _to_the_end(rows, label), _size(stream, label), stream.tell)


def _size(stream: BinaryIO, label: str) -> int:
    """Of a file; a pipe has none."""
    status = os.fstat(stream.fileno()) if label else None
    return status.st_size if status and stat.S_ISREG(status.st_mode) else 0


class _Counted:
    """Rows that know how many of them have been given."""

    def __init__(self, rows: Iterator[Row], total: int) -> None:
        self._rows, self.total, self.done = rows, total, 0

    def __iter__(self) -> Iterator[Row]:
        return self

    def __next__(self) -> Row:
        row = next(self._rows)
        self.done = row[0]
        return row


def _to_the_end(rows: Iterator[Row], label: str) -> Iterator[Row]:
    try:
        yield from rows
    except OSError as error:
        place = label or "the input"
        raise RecordsError(place, f"cannot be read further: {error.strerror}") from None


@contextmanager
def opening(path: str) -> Iterator[BinaryIO]:
    if path == STDIN:
        if sys.stdin is None:
            raise RecordsError("the input", "cannot be read: standard input is closed")
        yield sys.stdin.buffer
        return
    try:
        stream = open(path, "rb")  # noqa: SIM115 (errors of opening are told here, others not)
    except FileNotFoundError:
        raise RecordsError(path, "there is no such file") from None
    except IsADirectoryError:
        raise RecordsError(path, "is a directory, not a file") from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "its name holds a NUL"
        raise RecordsError(path, f"cannot be opened: {reason}") from None
    with stream:
        yield stream


@contextmanager
def _ready(stream: BinaryIO, format: str) -> Iterator[BinaryIO]:
    """Parquet is read from its end: a pipe is put aside on disk first."""
    if format != "parquet" or stream.seekable():
        yield stream
        return
    with tempfile.TemporaryFile() as aside:
        shutil.copyfileobj(stream, aside)
        aside.seek(0)
        yield aside
