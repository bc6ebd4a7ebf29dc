"""Lines of bytes: what a line is, and how long one may be without filling memory.

Bytes stay bytes: what they spell is the reader's business, or the engine's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO

from sameas.errors import RecordsError
from sameas.records.source import Refused, Row

LONGEST_LINE = 64 * 1024
"""A URL has no more bytes than this, so a line has no more either."""

_MARK = b"\xef\xbb\xbf"
_UTF16 = re.compile(rb"\xff\xfe|\xfe\xff|([^\0]\0){2}|(\0[^\0]){2}")
"""Its mark, or two characters of plain text without one."""

_AROUND = len(_MARK) + len(b"\r\n")
_SKIP = 1024 * 1024


def numbered(stream: BinaryIO, longest: int, label: str) -> Iterator[tuple[int, bytes | None]]:
    """Each line without its ending (\\n or \\r\\n); None for one that is too long."""
    number = 0
    while line := stream.readline(longest + _AROUND):
        number += 1
        ended = line.endswith(b"\n")
        if number == 1:
            line = _first(line, label)
        if ended:
            line = line[:-2] if line.endswith(b"\r\n") else line[:-1]
        if len(line) <= longest:
            yield number, line
            continue
        while not ended and (more := stream.readline(_SKIP)):
            ended = more.endswith(b"\n")
        yield number, None


def _first(line: bytes, label: str) -> bytes:
    """A file may begin with a byte order mark, which is no part of its first line."""
    if _UTF16.match(line) and b"\0" in line:
        raise RecordsError(label or "line 1", "is UTF-16 text", "save it as UTF-8")
    return line.removeprefix(_MARK)


def line_rows(stream: BinaryIO, label: str) -> Iterator[Row]:
    for number, line in numbered(stream, LONGEST_LINE, label):
        yield number, too_long(LONGEST_LINE) if line is None else line


def too_long(longest: int) -> Refused:
    return Refused("too_long", f"the line is longer than {longest} bytes")
