"""Files of records that are read twice: the columns that decide, then the rows that stay.

Rows are copied as they stand, byte for byte where the format has lines. Which stay is the caller's
business.
"""

from __future__ import annotations

import shutil
import tempfile
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO

from sameas.errors import RecordsError
from sameas.records.arrow import picked
from sameas.records.blocks import Reached, field_blocks, numbered_blocks
from sameas.records.csv_rows import Held, csv_tables
from sameas.records.json_rows import json_tables
from sameas.records.lines import line_blocks, line_rows
from sameas.records.parquet_rows import batches, first_line, opened, parquet_tables
from sameas.records.read import STDIN, format_of, opening, rows_with_end, size_of
from sameas.records.source import Block, Fields, Refused, Source

_PIECE = 1024 * 1024
_ROW_GROUP = 32 * 1024 * 1024


Gone = tuple[int, int]
"""A row that does not stay: where it begins, and where the next one does."""
END = 2**62
NONE = (END, END)

Rank = Callable[[dict[str, Any]], int]


class Table:
    """One file, open. `format` is what its rows are written in again."""

    def __init__(self, stream: BinaryIO, label: str, format: str) -> None:
        self._stream, self.label, self.format = stream, label, format
        self._start = stream.tell()
        self._starts = array("q")

    def rows(self, columns: Sequence[str], optional: Sequence[str]) -> Source[Fields]:
        """The wanted columns of every row. They are counted on the way, for `copy`."""
        stream, label = self._stream, self.label
        total, unit = size_of(stream, label), "line"
        if self.format == "parquet":
            rows, total = parquet_tables(stream, columns, optional, label)
            unit = "row"
        elif self.format == "csv":
            rows = csv_tables(stream, columns, optional, label)
        elif self.format == "jsonl":
            rows = json_tables(stream, columns, optional, label)
        else:
            rows = _lines(stream, columns, label)
        counted = self._counted(rows_with_end(rows, label))
        done = stream.tell if unit == "line" else self._starts.__len__
        return Source(label, unit, counted, total, done)

    def _counted(self, rows: Iterator[tuple[int, Fields]]) -> Iterator[tuple[int, Fields]]:
        for row in rows:
            self._starts.append(row[0])
            yield row

    def blocks(
        self, column: str, optional: Sequence[str], rank: Rank, after: int = 0
    ) -> Source[Block]:
        """One column of every row behind the line or row `after`, in blocks, nothing remembered."""
        stream, label = self._stream, self.label
        stream.seek(self._start)
        total, unit = size_of(stream, label), "line"
        held = Held()
        if self.format == "lines":
            blocks = rows_with_end(numbered_blocks(line_blocks(stream, label, after)), label)
            return Source(label, unit, blocks, total, stream.tell)
        if self.format == "parquet":
            rows, total = parquet_tables(stream, [column], optional, label, after)
            unit = "row"
        elif self.format == "csv":
            rows = csv_tables(stream, [column], optional, label, after, held)
        else:
            rows = json_tables(stream, [column], optional, label, after)
        blocks = numbered_blocks(field_blocks(rows_with_end(rows, label), column, rank))
        reached = Reached(blocks)
        done = stream.tell if unit == "line" else reached.row
        return Source(label, unit, reached, total, done, lambda: not held)

    def copy(self, keep: Sequence[int], out: BinaryIO) -> None:
        """The rows whose place in `keep` is not 0, in the file's own format."""
        self.copy_without(self._gone(keep), out)

    def _gone(self, keep: Sequence[int]) -> Iterator[Gone]:
        starts = self._starts
        for i, kept in enumerate(keep):
            if not kept:
                yield starts[i], starts[i + 1] if i + 1 < len(starts) else END

    def copy_without(self, gone: Iterable[Gone], out: BinaryIO) -> None:
        """All rows but some, in the file's own format."""
        self._stream.seek(self._start)
        if self.format == "parquet":
            self._copy_batches(iter(gone), out)
        else:
            self._copy_lines(iter(gone), out)

    def _copy_lines(self, gone: Iterator[Gone], out: BinaryIO) -> None:
        """A row goes as far as the next one begins. What is before the first, stays: the header."""
        number = 1
        start, stop = next(gone, NONE)
        while piece := self._stream.readline(_PIECE):
            if number >= stop:
                start, stop = next(gone, NONE)
            if number < start:
                out.write(piece)
            number += piece.endswith(b"\n")

    def _copy_batches(self, gone: Iterator[Gone], out: BinaryIO) -> None:
        """Row groups of a fair size: those of a batch each would cost more than the rows."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        place = self.label or "the input"
        file = opened(self._stream, self.label)
        number, held = 1, 0
        going, _ = next(gone, NONE)
        staying: list[Any] = []
        try:
            with pq.ParquetWriter(out, file.schema_arrow) as writer:
                for batch in batches(file, None, place):
                    kept = []
                    for i in range(len(batch)):
                        if number + i == going:
                            going, _ = next(gone, NONE)
                        else:
                            kept.append(i)
                    staying.append(picked(batch, kept))
                    number += len(batch)
                    held += staying[-1].nbytes
                    if held > _ROW_GROUP:
                        writer.write_table(pa.Table.from_batches(staying))
                        staying, held = [], 0
                if staying:
                    writer.write_table(pa.Table.from_batches(staying))
        except pa.ArrowException as error:
            raise RecordsError(place, f"its rows cannot be copied: {first_line(error)}") from None


@contextmanager
def reading_table(path: str, format: str = "") -> Iterator[Table]:
    """A file, or standard input for `-`, which is put aside first: it is read twice."""
    chosen = format_of(path, format)
    with opening(path) as stream:
        label = "" if path == STDIN else path
        if stream.seekable():
            yield Table(stream, label, chosen)
            return
        with tempfile.TemporaryFile() as aside:
            shutil.copyfileobj(stream, aside)
            aside.seek(0)
            yield Table(aside, label, chosen)


def _lines(stream: BinaryIO, columns: Sequence[str], label: str) -> Iterator[tuple[int, Fields]]:
    """A line is the first column; a file of lines has no other."""
    if len(columns) > 1:
        hint = "compare by one of the two, or say which format it has: csv, jsonl or parquet"
        raise RecordsError(label or "the input", f'has lines, but no "{columns[1]}"', hint)
    for number, value in line_rows(stream, label):
        yield number, value if isinstance(value, Refused) else {columns[0]: value}
