"""CSV: the value of one column of each row, under the names in the first line.

A row that cannot be read is refused by itself: the lines it seemed to take are read again, so that
one stray quote does not swallow what stands below it.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

from sameas.errors import RecordsError
from sameas.records.columns import position
from sameas.records.lines import numbered, too_long
from sameas.records.source import LONGEST_ROW, Refused, Row, Value

_DELIMITERS = ",;\t"
_MOST_TRIES = 4
"""How often a line may be read again as a part of another row: the cost stays linear."""

_LINE_COSTS = 128
"""Bytes a line takes beside its text, so that a million empty ones count too."""


@dataclass(frozen=True)
class _Line:
    number: int
    text: bytes | None
    tries: int = 0


def csv_rows(stream: BinaryIO, column: str, label: str) -> Iterator[Row]:
    """The header is read at once, so that a wrong column is told before any work is done."""
    lines = (_Line(*line) for line in numbered(stream, LONGEST_ROW, label))
    place = f"{label}:1" if label else "line 1"
    first = next(lines, None)
    if first is None:
        raise RecordsError(label or "the input", "is empty", "CSV begins with a line of names")
    delimiter, names = _header(first, column, place)
    return _values(lines, delimiter, position(column, names, place), len(names))


def _header(line: _Line, column: str, place: str) -> tuple[str, list[str]]:
    """The names, split at the delimiter under which the column is one of them."""
    tried = []
    for delimiter in _DELIMITERS:
        try:
            row = next(csv.reader([_text(line)], delimiter=delimiter, strict=True), [])
        except csv.Error as error:
            raise RecordsError(place, f"is no line of column names: {error}") from None
        names = [name.strip() for name in row]
        if column in names:
            return delimiter, names
        tried.append((delimiter, names))
    return max(tried, key=lambda found: len(found[1]))


def _values(lines: Iterator[_Line], delimiter: str, index: int, width: int) -> Iterator[Row]:
    for number, row in _records(lines, delimiter):
        if row:
            yield number, _value(row, index, width)


def _value(row: list[str] | Refused, index: int, width: int) -> Value:
    if isinstance(row, Refused):
        return row
    if len(row) == width:
        return row[index]
    fields = "1 field" if len(row) == 1 else f"{len(row)} fields"
    return Refused("row", f"the row has {fields}, the first line {width}: is a quote missing?")


def _records(lines: Iterator[_Line], delimiter: str) -> Iterator[tuple[int, list[str] | Refused]]:
    again: deque[_Line] = deque()
    while True:
        taken: list[_Line] = []
        asked = _asked(lines, again, taken)
        try:
            row = _one(csv.reader(asked, delimiter=delimiter, strict=True))
        except csv.Error as error:
            again.extendleft(replace(line, tries=line.tries + 1) for line in reversed(taken[1:]))
            reason = "a quote opens and does not close" if len(taken) > 1 else str(error)
            yield taken[0].number, Refused("row", f"the row is not CSV: {reason}")
            continue
        if not taken:
            return
        refused = too_long(LONGEST_ROW) if taken[0].text is None else None
        yield taken[0].number, refused or row


def _asked(lines: Iterator[_Line], again: deque[_Line], taken: list[_Line]) -> Iterator[str]:
    """The lines of one row, as its quotes ask for them, up to what a row may hold."""
    size = 0
    while (line := again.popleft() if again else next(lines, None)) is not None:
        taken.append(line)
        size += len(line.text or b"") + _LINE_COSTS
        spent = len(taken) > 1 and line.tries >= _MOST_TRIES
        if line.text is None or size > LONGEST_ROW or spent:
            return
        yield _text(line)


def _one(reader: Iterator[list[str]]) -> list[str]:
    """One row. The limit on a field is the whole process's, so it is put back."""
    before = csv.field_size_limit(LONGEST_ROW)
    try:
        return next(reader, [])
    finally:
        csv.field_size_limit(before)


def _text(line: _Line) -> str:
    """A byte that is no UTF-8 stays what it is: the engine reads it so."""
    return (line.text or b"").decode("utf-8", "surrogateescape") + "\n"
