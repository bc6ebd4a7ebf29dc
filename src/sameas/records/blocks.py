"""Rows made into blocks: values of any format as lines of text.

How many rows a block has is decided here; what is made of it is the caller's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from sameas.errors import RecordsError
from sameas.records.source import Block, Fields, Refused

_MOST_ROWS = 16_384
_MOST_BYTES = 1024 * 1024


def field_blocks(
    rows: Iterable[tuple[int, Fields]], column: str, rank: Callable[[dict[str, Any]], int]
) -> Iterator[Block]:
    """One column of the rows, with a rank for each. What is blank or no text stands apart."""
    ranks: list[int] = []

    def values() -> Iterator[tuple[int, Any]]:
        for number, row in rows:
            if isinstance(row, Refused):
                ranks.append(0)
                yield number, row
                continue
            ranks.append(rank(row))
            value = row.get(column)
            yield number, None if isinstance(value, str) and not value.strip() else value

    for block in row_blocks(values()):
        yield replace(block, ranks=ranks.copy())
        ranks.clear()


def row_blocks(rows: Iterable[tuple[int, Any]], most: int = 0) -> Iterator[Block]:
    """`most` is 1 where rows come slowly and each is waited for. Where reading breaks, the rows
    before are given first."""
    most = most or _MOST_ROWS
    numbers: list[int] = []
    lines: list[bytes] = []
    apart: dict[int, Any] = {}
    size = 0
    broken = None
    try:
        for number, value in rows:
            line = _as_line(value)
            if line is None:
                apart[len(numbers)], line = value, b""
            numbers.append(number)
            lines.append(line)
            size += len(line)
            if len(numbers) >= most or size >= _MOST_BYTES:
                yield _block(numbers, lines, apart)
                numbers, lines, apart, size = [], [], {}, 0
    except RecordsError as error:
        broken = error
    if numbers:
        yield _block(numbers, lines, apart)
    if broken is not None:
        raise broken


def _block(numbers: list[int], lines: list[bytes], apart: dict[int, Any]) -> Block:
    return Block(numbers, b"\n".join(lines) + b"\n", apart)


def _as_line(value: object) -> bytes | None:
    """A value as the bytes it is read as, None where those are no single line."""
    if isinstance(value, str):
        try:
            value = value.encode("utf-8", "surrogateescape")
        except UnicodeEncodeError:
            return None
    return value if isinstance(value, bytes) and b"\n" not in value else None


def numbered_blocks(blocks: Iterable[Block]) -> Iterator[tuple[int, Block]]:
    return ((block.numbers[0], block) for block in blocks)


class Reached:
    """Blocks that know how far they have been given."""

    def __init__(self, blocks: Iterator[tuple[int, Block]]) -> None:
        self._blocks, self._last = blocks, 0

    def __iter__(self) -> Iterator[tuple[int, Block]]:
        return self

    def __next__(self) -> tuple[int, Block]:
        number, block = next(self._blocks)
        self._last = block.numbers[-1]
        return number, block

    def row(self) -> int:
        return self._last
