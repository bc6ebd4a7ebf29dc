"""Links in JSON and JSON Lines: the values of named fields, at any depth, with their places.

The standard parser says what JSON is; the walk over it here only tells where each value stands.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

from sameas.records.source import LONGEST_ROW
from sameas.registry.types import Found, Piece, Span, Unread

LONGEST_FILE = 64 * 1024 * 1024
"""Bytes of a JSON file: it is held in memory, one at a time."""

_MARK = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_STRUCTURE = frozenset("[]},")
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],]|[^\s"{}\[\],:]+')


def json_links(stream: BinaryIO, fields: Collection[str]) -> Iterator[Piece]:
    data = stream.read(LONGEST_FILE + 1)
    if len(data) > LONGEST_FILE:
        size = LONGEST_FILE // 1024 // 1024
        yield Unread(0, f"is larger than {size} MiB: write it as JSON Lines")
    elif data.startswith(_UTF16):
        yield Unread(1, "is UTF-16 text: save it as UTF-8")
    else:
        mark = len(_MARK) if data.startswith(_MARK) else 0
        yield from _links(data[mark:], fields, _Place(mark, 1, 0))


def json_lines_links(stream: BinaryIO, fields: Collection[str]) -> Iterator[Piece]:
    """A line that is no JSON is refused by itself."""
    number = at = 0
    while line := stream.readline(LONGEST_ROW + 1):
        number += 1
        start, at = at, at + len(line)
        if len(line) > LONGEST_ROW:
            while not line.endswith(b"\n") and (line := stream.readline(LONGEST_ROW)):
                at += len(line)
            yield Unread(number, f"the line is longer than {LONGEST_ROW} bytes")
            continue
        if number == 1 and line.startswith(_UTF16):
            yield Unread(1, "is UTF-16 text: save it as UTF-8")
            return
        mark = len(_MARK) if number == 1 and line.startswith(_MARK) else 0
        if line.strip():
            yield from _links(line[mark:], fields, _Place(start + mark, number, number))


@dataclass(frozen=True)
class _Place:
    """Where a text begins in its file, and which record of it it is."""

    byte: int
    line: int
    record: int


def _links(data: bytes, fields: Collection[str], place: _Place) -> Iterator[Piece]:
    try:
        text = data.decode()
        # Checks the whole text and keeps nothing of it.
        json.loads(text, object_pairs_hook=_nothing, parse_int=_nothing, parse_float=_nothing)
    except UnicodeDecodeError as error:
        line = place.line + data.count(b"\n", 0, error.start)
        yield Unread(line, f"is not UTF-8 text: the byte {data[error.start]:#04x}")
    except json.JSONDecodeError as error:
        reason = f"is not JSON: {error.msg} at character {error.colno}"
        yield Unread(place.line + error.lineno - 1, reason)
    except RecursionError:
        yield Unread(place.line, "is nested too deep")
    else:
        yield from _found(text, fields, place)


def _nothing(_: Any) -> None:
    return None


def _found(text: str, fields: Collection[str], place: _Place) -> Iterator[Found]:
    """The values of the fields, a list's each for itself. An object is none, but may hold some."""
    walk, counter = _Walk(), _Counter(text, place)
    for token in _TOKEN.finditer(text):
        mark, value = token.group(), None
        if mark[0] == '"':
            value = json.loads(mark)
            if walk.took_key(value):
                continue
        if walk.field in fields and mark not in _STRUCTURE:
            span, line = counter.span(token.start(), token.end())
            yield Found(line, walk.path(), place.record, value, span, mark)
        walk.step(mark)


class _Walk:
    """Where a walk over valid JSON stands: the key or the number of the item at each depth."""

    def __init__(self) -> None:
        self._steps: list[str | int | None] = []
        self._names: list[str | None] = [None]
        """The name of what is read at each depth; the items of a list share the list's."""

    @property
    def field(self) -> str | None:
        return self._names[-1]

    def took_key(self, value: str) -> bool:
        """A string where an object waits for a key is one."""
        if not self._steps or self._steps[-1] is not None:
            return False
        self._steps[-1] = self._names[-1] = value
        return True

    def step(self, mark: str) -> None:
        if mark == "{":
            self._steps.append(None)
            self._names.append(None)
        elif mark == "[":
            self._steps.append(0)
            self._names.append(self._names[-1])
        elif mark in "]}":
            self._steps.pop()
            self._names.pop()
        elif mark == ",":
            last = self._steps[-1]
            if isinstance(last, int):
                self._steps[-1] = last + 1
            else:
                self._steps[-1] = self._names[-1] = None

    def path(self) -> str:
        """`requisitos[2].fuente_url`"""
        parts = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in self._steps)
        return "".join(parts).removeprefix(".")


class _Counter:
    """Bytes and lines up to a character, counted on from the last one asked for."""

    def __init__(self, text: str, place: _Place) -> None:
        self._text, self._ascii = text, text.isascii()
        self._at, self._byte, self._line = 0, place.byte, place.line

    def _advance(self, to: int) -> int:
        piece = self._text[self._at : to]
        self._byte += len(piece) if self._ascii else len(piece.encode())
        self._line += piece.count("\n")
        self._at = to
        return self._byte

    def span(self, start: int, end: int) -> tuple[Span, int]:
        first = self._advance(start)
        line = self._line
        return Span(first, self._advance(end)), line
