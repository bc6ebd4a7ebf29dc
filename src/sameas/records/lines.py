"""Lines of bytes: what a line is, and how long one may be without filling memory.

Bytes stay bytes: what they spell is the reader's business, or the engine's.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import BinaryIO

from sameas.errors import RecordsError
from sameas.records.source import Block, Refused, Row, Value

LONGEST_LINE = 64 * 1024
"""A URL has no more bytes than this, so a line has no more either."""

_MARK = b"\xef\xbb\xbf"
_UTF16 = re.compile(rb"\xff\xfe|\xfe\xff|([^\0]\0){2}|(\0[^\0]){2}")
"""Its mark, or two characters of plain text without one."""

_AROUND = len(_MARK) + len(b"\r\n")
_SKIP = _BLOCK = 1024 * 1024


def numbered(
    stream: BinaryIO, longest: int, label: str, number: int = 0
) -> Iterator[tuple[int, bytes | None]]:
    """Each line without its ending (\\n or \\r\\n); None for one that is too long. `number` lines
    are behind the stream already."""
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


def pass_over(stream: BinaryIO, lines: int) -> None:
    """The stream goes on behind so many of its lines."""
    while lines and (piece := stream.read(_SKIP)):
        here = piece.count(b"\n")
        if here < lines:
            lines -= here
            continue
        end = 0
        for _ in range(lines):
            end = piece.index(b"\n", end) + 1
        stream.seek(end - len(piece), os.SEEK_CUR)
        return


def line_blocks(stream: BinaryIO, label: str, after: int = 0) -> Iterator[Block]:
    """Whole lines, as many as there are at once: a pipe is not waited for to fill a block."""
    pass_over(stream, after)
    number, rest = after + 1, b""
    while piece := stream.read1(_BLOCK):  # type: ignore[attr-defined] # what is read is buffered
        if not (end := piece.rfind(b"\n") + 1):
            rest += piece
            if len(rest) > LONGEST_LINE + _AROUND:
                yield _block(number, _rest_of_line(rest, stream), label)
                number, rest = number + 1, b""
            continue
        block = _block(number, rest + piece[:end], label)
        yield block
        number, rest = number + len(block.numbers), piece[end:]
    if rest:
        yield _block(number, rest, label)


def _rest_of_line(line: bytes, stream: BinaryIO) -> bytes:
    """A line that is too long, cut to what shows that it is."""
    while (more := stream.readline(_SKIP)) and not more.endswith(b"\n"):
        pass
    return line[: LONGEST_LINE + _AROUND] + b"\n"


def _block(number: int, text: bytes, label: str) -> Block:
    if number == 1:
        first, ending, others = text.partition(b"\n")
        text = _first(first + ending, label) + others
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n")
    if not text.endswith(b"\n"):
        text += b"\n"
    text, apart = _without_long(text) if _has_long(text) else (text, {})
    return Block(range(number, number + text.count(b"\n")), text, apart)


def _has_long(text: bytes) -> bool:
    end = 0
    while len(text) - end > LONGEST_LINE + 1:
        end = text.rfind(b"\n", end, end + LONGEST_LINE + 1) + 1
        if not end:
            return True
    return False


def _without_long(text: bytes) -> tuple[bytes, dict[int, Value]]:
    """Lines that are too long are taken out: of them only the place is told."""
    lines = text.split(b"\n")
    long = [i for i, line in enumerate(lines) if len(line) > LONGEST_LINE]
    for i in long:
        lines[i] = b""
    return b"\n".join(lines), dict.fromkeys(long, too_long(LONGEST_LINE))


def line_rows(stream: BinaryIO, label: str) -> Iterator[Row]:
    for number, line in numbered(stream, LONGEST_LINE, label):
        yield number, too_long(LONGEST_LINE) if line is None else line


def too_long(longest: int) -> Refused:
    return Refused("too_long", f"the line is longer than {longest} bytes")
