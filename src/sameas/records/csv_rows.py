"""CSV: values of columns of each row, under the names in the first line.

A row that cannot be read is refused by itself: the lines it seemed to take are read again, so that
one stray quote does not swallow what stands below it.
"""

from __future__ import annotations

import csv
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

from sameas.errors import RecordsError
from sameas.records.columns import position
from sameas.records.lines import numbered, pass_over, too_long
from sameas.records.source import LONGEST_ROW, Fields, Refused, Row

_DELIMITERS = ",;\t"
_MOST_TRIES = 4
"""How often a line may be read again as a part of another row: the cost stays linear."""

_SURE = 100_000
"""Bytes of a line in which no field is longer than the limit that Python's reader begins with."""

_LINE_COSTS = 128
"""Bytes a line takes beside its text, so that a million empty ones count too."""


@dataclass(frozen=True)
class _Line:
    number: int
    text: bytes | None
    tries: int = 0


Lines = Iterator[tuple[int, bytes | None]]
Held = deque[_Line]
"""Lines that were read as part of a row that is torn, and are read again."""


def csv_rows(
    stream: BinaryIO, column: str, label: str, after: int = 0, held: Held | None = None
) -> Iterator[Row]:
    """The header is read at once, so that a wrong column is told before any work is done."""
    return _single(csv_tables(stream, [column], (), label, after, held), column)


def _single(rows: Iterator[tuple[int, Fields]], column: str) -> Iterator[Row]:
    for number, row in rows:
        yield number, row if isinstance(row, Refused) else row[column]


def csv_tables(
    stream: BinaryIO,
    columns: Sequence[str],
    optional: Sequence[str],
    label: str,
    after: int = 0,
    held: Held | None = None,
) -> Iterator[tuple[int, Fields]]:
    """The wanted columns of each row behind the line `after`; of the optional ones those there
    are."""
    lines = numbered(stream, LONGEST_ROW, label)
    place = f"{label}:1" if label else "line 1"
    first = next(lines, None)
    if first is None:
        raise RecordsError(label or "the input", "is empty", "CSV begins with a line of names")
    delimiter, names = _header(_Line(*first), columns, place)
    wanted = {name: position(name, names, place) for name in columns}
    wanted |= {name: position(name, names, place) for name in optional if name in names}
    if after:
        pass_over(stream, after - 1)
        lines = numbered(stream, LONGEST_ROW, label, after)
    return _values(_records(lines, delimiter, Held() if held is None else held), wanted, len(names))


def _header(line: _Line, columns: Sequence[str], place: str) -> tuple[str, list[str]]:
    """The names, split at the delimiter under which the columns are among them."""
    tried = []
    for delimiter in _DELIMITERS:
        try:
            row = next(csv.reader([_text(line)], delimiter=delimiter, strict=True), [])
        except csv.Error as error:
            reason = f"is no line of column names: {error}"
            if "\r" in _text(line):
                reason = "ends its lines with CR alone, as old Macs did: end them with LF"
            raise RecordsError(place, reason) from None
        names = [name.strip() for name in row]
        if all(column in names for column in columns):
            return delimiter, names
        tried.append((delimiter, names))
    return max(tried, key=lambda found: len(found[1]))


def _values(
    records: Iterator[tuple[int, list[str] | Refused]], wanted: dict[str, int], width: int
) -> Iterator[tuple[int, Fields]]:
    for number, row in records:
        if row:
            yield number, _fields(row, wanted, width)


def _fields(row: list[str] | Refused, wanted: dict[str, int], width: int) -> Fields:
    if isinstance(row, Refused):
        return row
    if len(row) == width:
        return {name: row[i] for name, i in wanted.items()}
    fields = "1 field" if len(row) == 1 else f"{len(row)} fields"
    return Refused("row", f"the row has {fields}, the first line {width}: is a quote missing?")


def _records(
    lines: Lines, delimiter: str, again: Held
) -> Iterator[tuple[int, list[str] | Refused]]:
    single = _Single(delimiter)
    while True:
        if not again:
            line = next(lines, None)
            if line is None:
                return
            number, text = line
            fields = single.row(text)
            if fields is not None:
                yield number, fields
                continue
            again.append(_Line(number, text))
        taken: list[_Line] = []
        asked = _asked(lines, again, taken)
        try:
            row = _one(csv.reader(asked, delimiter=delimiter, strict=True))
        except csv.Error as error:
            again.extendleft(replace(line, tries=line.tries + 1) for line in reversed(taken[1:]))
            reason = "a quote opens and does not close" if len(taken) > 1 else str(error)
            yield taken[0].number, Refused("row", f"the row is not CSV: {reason}")
            continue
        refused = too_long(LONGEST_ROW) if taken[0].text is None else None
        yield taken[0].number, refused or row


class _Single:
    """One reader for all rows that stand on a line each, which costs less than one for each row."""

    def __init__(self, delimiter: str) -> None:
        self._delimiter = delimiter
        self._waiting: list[str] = []
        self._reader = csv.reader(self, delimiter=delimiter, strict=True)

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        if not self._waiting:
            raise StopIteration
        return self._waiting.pop()

    def row(self, line: bytes | None) -> list[str] | None:
        """The fields, None where the line may be more or less than one row."""
        if line is None or b"\r" in line or len(line) > _SURE:
            return None
        text = line.decode("utf-8", "surrogateescape")
        if '"' not in text:
            return text.split(self._delimiter) if text else []
        self._waiting.append(text)
        try:
            return next(self._reader)
        except csv.Error:
            return None


def _asked(lines: Lines, again: Held, taken: list[_Line]) -> Iterator[str]:
    """The lines of one row, as its quotes ask for them, up to what a row may hold."""
    size = 0
    while (line := again.popleft() if again else _next(lines)) is not None:
        taken.append(line)
        size += len(line.text or b"") + _LINE_COSTS
        spent = len(taken) > 1 and line.tries >= _MOST_TRIES
        if line.text is None or size > LONGEST_ROW or spent:
            return
        yield _text(line)


def _next(lines: Lines) -> _Line | None:
    found = next(lines, None)
    return None if found is None else _Line(*found)


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
