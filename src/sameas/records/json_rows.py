"""JSON Lines: the value of one key of the object on each line.

A line that is no such object is refused by itself; those around it are read on.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from sameas.records.columns import named
from sameas.records.lines import numbered, too_long
from sameas.records.source import LONGEST_ROW, Refused, Row, Value


def json_rows(stream: BinaryIO, column: str, label: str) -> Iterator[Row]:
    for number, line in numbered(stream, LONGEST_ROW, label):
        yield number, too_long(LONGEST_ROW) if line is None else _value(line, column)


def _value(line: bytes, column: str) -> Value:
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
    if column not in row:
        return Refused("row", f'there is no "{column}" in it, {named(column, list(row))}')
    value = row[column]
    if value is None:
        return Refused("empty", f'"{column}" is null')
    if not isinstance(value, str):
        return Refused("row", f'"{column}" is {_kind(value)}, not text')
    return value


def _kind(value: Any) -> str:
    kinds = {list: "a list", dict: "an object", str: "text", type(None): "null"}
    return kinds.get(type(value), "true or false" if isinstance(value, bool) else "a number")
