"""Parquet: values of columns, a batch at a time.

pyarrow reads the file; it is an extra, and asked for only here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from sameas.errors import MissingExtra, RecordsError
from sameas.records.arrow import values
from sameas.records.columns import position
from sameas.records.source import Fields, Refused, Row

_FRUGAL = {"ARROW_DEFAULT_MEMORY_POOL": "system", "OPENBLAS_NUM_THREADS": "1"}
"""Otherwise loading pyarrow takes hold of a gigabyte of addresses, and NumPy of more."""

_BATCH = 512
_BUFFER = 1024 * 1024


def parquet_rows(
    stream: BinaryIO, column: str, label: str, after: int = 0
) -> tuple[Iterator[Row], int]:
    """The rows behind the row `after`, and how many there are in the file. The stream has to be
    one that can seek."""
    file = opened(stream, label)
    place = label or "the input"
    schema = file.schema_arrow
    kind = schema.field(position(column, schema.names, place)).type
    if not _is_text(kind):
        raise RecordsError(place, f'the column "{column}" holds {kind}, not text')
    return _single(_rows(file, [column], place, after), column), file.metadata.num_rows


def _single(rows: Iterator[tuple[int, dict[str, Any]]], column: str) -> Iterator[Row]:
    for number, row in rows:
        value = row[column]
        yield number, Refused("empty", f'"{column}" is null') if value is None else value


def parquet_tables(
    stream: BinaryIO, columns: Sequence[str], optional: Sequence[str], label: str, after: int = 0
) -> tuple[Iterator[tuple[int, Fields]], int]:
    """The wanted columns of each row, of the optional ones those there are; and how many rows."""
    file = opened(stream, label)
    place = label or "the input"
    names = file.schema_arrow.names
    wanted = [names[position(name, names, place)] for name in columns]
    wanted += [names[position(name, names, place)] for name in optional if name in names]
    return _rows(file, wanted, place, after), file.metadata.num_rows


def opened(stream: BinaryIO, label: str) -> Any:
    for name, value in _FRUGAL.items():
        os.environ.setdefault(name, value)
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra("Parquet", "arrow") from None
    try:
        return pq.ParquetFile(stream, buffer_size=_BUFFER, pre_buffer=False)
    except (pa.ArrowException, OSError) as error:
        hint = "is it complete? write or copy it again"
        reason = f"is no Parquet file: {first_line(error)}"
        raise RecordsError(label or "the input", reason, hint) from None


def batches(file: Any, columns: Sequence[str] | None, place: str, after: int = 0) -> Iterator[Any]:
    """Record batches; what breaks in the middle is told with its row."""
    import pyarrow as pa

    group, number = _group_behind(file, after)
    left = range(group, file.num_row_groups)
    try:
        for batch in file.iter_batches(_BATCH, left, columns):
            rows = batch.slice(max(0, after - number))
            number += len(batch)
            if len(rows):
                yield rows
    except (pa.ArrowException, OSError) as error:
        where = f"{place}, row {number + 1}"
        raise RecordsError(where, f"cannot be read further: {first_line(error)}") from None


def _group_behind(file: Any, after: int) -> tuple[int, int]:
    """The row group with the row behind that one, and how many rows are before the group."""
    before = 0
    for group in range(file.num_row_groups):
        rows = file.metadata.row_group(group).num_rows
        if before + rows > after:
            return group, before
        before += rows
    return file.num_row_groups, before


def _rows(
    file: Any, columns: Sequence[str], place: str, after: int = 0
) -> Iterator[tuple[int, dict[str, Any]]]:
    number = after
    for batch in batches(file, columns, place, after):
        given = [_values(batch.column(name)) for name in columns]
        for row in zip(*given, strict=True):
            number += 1
            yield number, dict(zip(columns, row, strict=True))


def _values(array: Any) -> list[Any]:
    """Text as bytes: in a Parquet file it need not be UTF-8, whatever its type says."""
    import pyarrow as pa

    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    return values(array.cast(pa.large_binary()) if _is_text(array.type) else array)


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    if types.is_dictionary(kind):
        kind = kind.value_type
    text = (types.is_string, types.is_large_string, types.is_string_view)
    data = (types.is_binary, types.is_large_binary, types.is_binary_view)
    return any(is_kind(kind) for is_kind in text + data)


def first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
