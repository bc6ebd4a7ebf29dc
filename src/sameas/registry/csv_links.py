"""Links in CSV: the values of named columns, with their places.

A row that cannot be read is refused by itself: a quote that opens and does not close costs its own
line, not those below it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from sameas.records.source import LONGEST_ROW
from sameas.registry.types import Found, Piece, Span, Unread

DELIMITERS = ",;\t|"
_MARK = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_MOST_LINES = 1000
"""How many lines one row may take: what a stray quote makes us read again stays bounded."""

_FIELDS = {
    delimiter: re.compile(rf'"([^"]*(?:""[^"]*)*)"(?!")|([^{re.escape(delimiter)}\r\n]*)')
    for delimiter in DELIMITERS
}


@dataclass(frozen=True)
class _Cell:
    value: str
    start: int
    end: int


@dataclass(frozen=True)
class _Row:
    line: int
    byte: int
    text: str
    cells: list[_Cell] | None


def csv_links(stream: BinaryIO, fields: Collection[str]) -> Iterator[Piece]:
    first = stream.readline(LONGEST_ROW)
    if first.startswith(_UTF16):
        yield Unread(1, "is UTF-16 text: save it as UTF-8")
        return
    stream.seek(len(_MARK) if first.startswith(_MARK) else 0)
    header = _text(first.removeprefix(_MARK))
    if header.lower().startswith("sep="):
        yield Unread(1, "sep= is no row of a CSV: take the line out")
        return
    delimiter, names = _header(header, fields)
    wanted = [(i, name) for i, name in enumerate(names) if name in fields]
    if not wanted:
        yield from (Unread(1, _no_column(name)) for name in sorted(fields) if _names(header, name))
        return
    rows = _rows(stream, delimiter)
    next(rows, None)
    for row in rows:
        if isinstance(row, Unread):
            yield row
        elif row.cells is not None and len(row.cells) == len(names):
            for index, name in wanted:
                yield _found(row, row.cells[index], name)
        else:
            yield Unread(row.line, _torn(row, len(names)))


def _names(header: str, field: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(field)}(?!\w)", header) is not None


def _no_column(name: str) -> str:
    known = "cells are parted by , ; | or a tab, lines by LF"
    return f"names {name}, and no column is called so: {known}"


def _torn(row: _Row, width: int) -> str:
    if row.cells is None:
        return "the row is not CSV: text follows the end of a quote"
    fields = "1 field" if len(row.cells) == 1 else f"{len(row.cells)} fields"
    return f"the row has {fields}, the first line {width}: is a quote missing?"


def _found(row: _Row, cell: _Cell, name: str) -> Found:
    before, literal = row.text[: cell.start], row.text[cell.start : cell.end]
    start = row.byte + _size(before)
    line = row.line + before.count("\n")
    return Found(line, name, row.line, cell.value, Span(start, start + _size(literal)), literal)


def _header(line: str, fields: Collection[str]) -> tuple[str, list[str]]:
    """The names, split at the delimiter under which one of the fields is among them."""
    for delimiter in DELIMITERS:
        cells = _cells(line, delimiter) or []
        names = [cell.value.strip() for cell in cells]
        if any(name in fields for name in names):
            return delimiter, names
    return DELIMITERS[0], []


def _rows(stream: BinaryIO, delimiter: str) -> Iterator[_Row | Unread]:
    number = 0
    while True:
        start = stream.tell()
        line = stream.readline(LONGEST_ROW + 1)
        if not line:
            return
        number += 1
        text, lines = _whole(stream, line, delimiter)
        cells = _cells(text, delimiter) if text is not None else None
        if text is None or (cells is None and lines > 1):
            stream.seek(start + len(line))
            yield from _skipped(stream, line, number)
            continue
        if text.strip("\r\n"):
            yield _Row(number, start, text, cells)
        number += lines - 1


def _skipped(stream: BinaryIO, line: bytes, number: int) -> Iterator[Unread]:
    if len(line) <= LONGEST_ROW:
        yield Unread(number, "the row is not CSV: a quote opens and does not close")
        return
    while not line.endswith(b"\n") and (line := stream.readline(LONGEST_ROW)):
        pass
    yield Unread(number, f"the line is longer than {LONGEST_ROW} bytes")


def _whole(stream: BinaryIO, line: bytes, delimiter: str) -> tuple[str | None, int]:
    """The text of a row and how many lines it takes, as its quotes ask for them."""
    parts, size = [line], len(line)
    while size <= LONGEST_ROW and len(parts) <= _MOST_LINES:
        text = _text(b"".join(parts)) if len(parts) == 1 or parts[-1].count(b'"') else None
        if text is not None and not _is_open(text, delimiter):
            return text, len(parts)
        more = stream.readline(LONGEST_ROW)
        if not more:
            break
        parts.append(more)
        size += len(more)
    return None, 0


def _is_open(text: str, delimiter: str) -> bool:
    """Whether a quoted cell has not ended. A quote inside a cell without quotes is a letter."""
    at = 0
    while True:
        if text.startswith('"', at):
            found = _FIELDS[delimiter].match(text, at)
            if found is None or found.group(1) is None:
                return True
        else:
            found = _FIELDS[delimiter].match(text, at)
        end = found.end() if found else len(text)
        if not text.startswith(delimiter, end):
            return False
        at = end + 1


def _cells(text: str, delimiter: str) -> list[_Cell] | None:
    """The cells of a row; None where text follows the end of a quote."""
    text = text.removesuffix("\n").removesuffix("\r")
    cells, at = [], 0
    while True:
        found = _FIELDS[delimiter].match(text, at)
        end = found.end() if found else at
        if found is None or (end < len(text) and text[end] != delimiter):
            return None
        quoted, bare = found.groups()
        value = bare if quoted is None else quoted.replace('""', '"')
        cells.append(_Cell(value, at, end))
        if end == len(text):
            return cells
        at = end + 1


def _text(data: bytes) -> str:
    """A byte that is no UTF-8 stays what it is: the engine reads it so."""
    return data.decode("utf-8", "surrogateescape")


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogateescape"))
