"""JSON Lines: values of the object on each line.

A line that is no such object is refused by itself; those around it are read on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from sameas.errors import RecordsError
from sameas.records.columns import named
from sameas.records.lines import numbered, pass_over, too_long
from sameas.records.source import LONGEST_ROW, Fields, Refused, Row, Value

_MOST_NAMES = 1000
"""Names remembered to tell those there are, should the one that is wanted never come."""


def json_rows(stream: BinaryIO, column: str, label: str, after: int = 0) -> Iterator[Row]:
    pass_over(stream, after)
    for number, line in numbered(stream, LONGEST_ROW, label, after):
        yield number, too_long(LONGEST_ROW) if line is None else _value(line, column)


def json_tables(
    stream: BinaryIO, columns: Sequence[str], optional: Sequence[str], label: str, after: int = 0
) -> Iterator[tuple[int, Fields]]:
    """The wanted keys each object has. A line without anything is no row; a column that not one
    object has was not meant."""
    missing, met = set(() if after else columns), dict[str, None]()
    pass_over(stream, after)
    for number, line in numbered(stream, LONGEST_ROW, label, after):
        if line is None:
            yield number, too_long(LONGEST_ROW)
        elif line.strip():
            row = _object(line)
            if isinstance(row, dict):
                missing.difference_update(row)
                if missing and len(met) < _MOST_NAMES:
                    met.update(dict.fromkeys(row))
                row = {name: row[name] for name in (*columns, *optional) if name in row}
            yield number, row
    for column in columns:
        if met and column in missing:
            place = label or "the input"
            raise RecordsError(place, f'no row has "{column}"', named(column, [*met]))


def _value(line: bytes, column: str) -> Value:
    row = _object(line)
    if isinstance(row, Refused):
        return row
    if column not in row:
        return Refused("row", f'there is no "{column}" in it, {named(column, list(row))}')
    value = row[column]
    if value is None:
        return Refused("empty", f'"{column}" is null')
    if not isinstance(value, str):
        return Refused("row", f'"{column}" is {_kind(value)}, not text')
    return value


def _object(line: bytes) -> Fields:
    if not line.strip():
        return Refused("empty", "the line is empty")
    try:
        row = json.loads(line.decode("utf-8", "surrogateescape"))
    except json.JSONDecodeError as error:
        return Refused("row", f"the line is not JSON: {error.msg} at character {error.colno}")
    except (ValueError, RecursionError):
        return Refused("row", "the line is JSON that cannot be read: a huge number, or too deep")
    if not isinstance(row, dict):
        return Refused("row", f"the line is {_kind(row)}, not an object")
    return row


def _kind(value: Any) -> str:
    kinds = {list: "a list", dict: "an object", str: "text", type(None): "null"}
    return kinds.get(type(value), "true or false" if isinstance(value, bool) else "a number")
