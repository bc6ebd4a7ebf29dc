"""Rows made into blocks: values of any format as lines of text.

How many rows a block has is decided here; what is made of it is the caller's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sameas.errors import RecordsError
from sameas.records.source import Block, Row, Value

_MOST_ROWS = 16_384
_MOST_BYTES = 1024 * 1024


def row_blocks(rows: Iterable[Row], most: int = _MOST_ROWS) -> Iterator[Block]:
    """`most` is 1 where rows come slowly and each is waited for. Where reading breaks, the rows
    before are given first."""
    numbers: list[int] = []
    lines: list[bytes] = []
    apart: dict[int, Value] = {}
    size = 0
    broken = None
    try:
        for number, value in rows:
            line = as_line(value)
            if line is None:
                apart[len(numbers)], line = value, b""
            numbers.append(number)
            lines.append(line)
            size += len(line)
            if len(numbers) >= most or size >= _MOST_BYTES:
                yield block(numbers, lines, apart)
                numbers, lines, apart, size = [], [], {}, 0
    except RecordsError as error:
        broken = error
    if numbers:
        yield block(numbers, lines, apart)
    if broken is not None:
        raise broken


def block(numbers: list[int], lines: list[bytes], apart: dict[int, Value]) -> Block:
    return Block(numbers, b"\n".join(lines) + b"\n", apart)


def as_line(value: object) -> bytes | None:
    """A value as the bytes it is read as, None where those are no single line."""
    if isinstance(value, str):
        try:
            value = value.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            return None
    return value if isinstance(value, bytes) and b"\n" not in value else None
