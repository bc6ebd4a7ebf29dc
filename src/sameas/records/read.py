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
from sameas.records.blocks import Reached, numbered_blocks, row_blocks
from sameas.records.csv_rows import Held, csv_rows
from sameas.records.json_rows import json_rows
from sameas.records.lines import line_blocks
from sameas.records.parquet_rows import parquet_rows
from sameas.records.source import Block, Source, V

FORMATS = ("lines", "csv", "jsonl", "parquet")
ENDINGS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
}
STDIN = "-"


def format_of(path: str, format: str = "") -> str:
    """The format asked for, else the one the ending names."""
    return format or ENDINGS.get(PurePath(path).suffix.lower(), "lines")


@contextmanager
def reading(
    path: str, format: str = "", column: str = "", after: int = 0
) -> Iterator[Source[Block]]:
    """The rows of a file, or of standard input for `-`, in blocks. Without a format its ending
    decides. Rows up to the line or row `after` are passed over; a file alone can do that."""
    label = "" if path == STDIN else path
    chosen = format_of(path, format)
    if column and chosen == "lines":
        hint = "say which format it has: csv, jsonl or parquet"
        raise RecordsError(label or "the input", "is read as lines, which have no columns", hint)
    if chosen == "jsonl" and not column:
        raise RecordsError(label or "the input", "is JSON Lines: which column holds the links?")
    with opening(path) as stream, _ready(stream, chosen) as ready:
        yield _source(ready, chosen, column, label, after)


def _source(stream: BinaryIO, format: str, column: str, label: str, after: int) -> Source[Block]:
    if format == "parquet":
        given, total = parquet_rows(stream, column, label, after)
        reached = Reached(numbered_blocks(row_blocks(given)))
        return Source(label, "row", reached, total, reached.row)
    total = size_of(stream, label)
    if format == "lines":
        blocks = rows_with_end(numbered_blocks(line_blocks(stream, label, after)), label)
        return Source(label, "line", blocks, total, stream.tell)
    held = Held()
    if format == "csv":
        rows = csv_rows(stream, column, label, after, held)
    else:
        rows = json_rows(stream, column, label, after)
    ended = rows_with_end(rows, label)
    blocks = numbered_blocks(row_blocks(ended) if total else row_blocks(ended, 1))
    return Source(label, "line", blocks, total, stream.tell, lambda: not held)


def size_of(stream: BinaryIO, label: str) -> int:
    """Of a file; a pipe has none."""
    status = os.fstat(stream.fileno()) if label else None
    return status.st_size if status and stat.S_ISREG(status.st_mode) else 0


def rows_with_end(rows: Iterator[tuple[int, V]], label: str) -> Iterator[tuple[int, V]]:
    """The rows; a disk that fails in the middle is told as what it is."""
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
