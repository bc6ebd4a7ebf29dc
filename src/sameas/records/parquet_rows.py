"""Parquet: the values of one column of text, a batch at a time.

pyarrow reads the file; it is an extra, and asked for only here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from sameas.errors import MissingExtra, RecordsError
from sameas.records.columns import position
from sameas.records.source import Refused, Row

_BATCH = 512
_BUFFER = 1024 * 1024


def parquet_rows(stream: BinaryIO, column: str, label: str) -> tuple[Iterator[Row], int]:
    """The rows, and how many there are. The stream has to be one that can seek."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise MissingExtra("reading Parquet", "arrow") from None
    place = label or "the input"
    try:
        file = pq.ParquetFile(stream, buffer_size=_BUFFER, pre_buffer=False)
        schema = file.schema_arrow
    except (pa.ArrowException, OSError) as error:
        hint = "is it complete? write or copy it again"
        raise RecordsError(place, f"is no Parquet file: {_first_line(error)}", hint) from None
    kind = schema.field(position(column, schema.names, place)).type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    text = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    data = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view)
    if not any(is_kind(kind) for is_kind in text + data):
        raise RecordsError(place, f'the column "{column}" holds {kind}, not text')
    return _rows(file, column, place, pa), file.metadata.num_rows


def _rows(file: Any, column: str, place: str, pa: Any) -> Iterator[Row]:
    """Values as bytes: text in a Parquet file need not be UTF-8, whatever its type says."""
    number = 0
    try:
        for batch in file.iter_batches(_BATCH, columns=[column]):
            array = batch.column(0)
            if pa.types.is_dictionary(array.type):
                array = array.dictionary_decode()
            for value in array.cast(pa.large_binary()).to_pylist():
                number += 1
                yield number, Refused("empty", f'"{column}" is null') if value is None else value
    except (pa.ArrowException, OSError) as error:
        where = f"{place}, row {number + 1}"
        raise RecordsError(where, f"cannot be read further: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
