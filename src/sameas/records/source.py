"""What reading gives: numbered rows, each with its value or the reason why it has none.

How a format is read is its own module's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

LONGEST_ROW = 16 * 1024 * 1024
"""Bytes a row of CSV or JSON may have: what is longer is refused, and never held in memory."""


@dataclass(frozen=True)
class Refused:
    """A row without a value, in the two words a refused URL has too."""

    code: str
    message: str


Value = str | bytes | Refused
Row = tuple[int, Value]
Fields = dict[str, Any] | Refused
"""The wanted columns of one row, as far as the row has them."""


@dataclass(frozen=True)
class Block:
    """Rows in their order, as many as are dealt with in one go. `text` has the value of each on a
    line of its own; `apart` has, by their places in the block, those that cannot stand there: what
    is refused, or holds a line break. Their lines are empty. `ranks` tell which of two rows is the
    better one, where that was asked."""

    numbers: Sequence[int]
    text: bytes
    apart: Mapping[int, Any]
    ranks: Sequence[int] = ()

    def rows(self) -> Iterator[Row]:
        for i, line in enumerate(self.text.split(b"\n")[:-1]):
            yield self.numbers[i], self.apart.get(i, line)


V = TypeVar("V")


def no_progress() -> int:
    return 0


def always() -> bool:
    return True


@dataclass(frozen=True)
class Source(Generic[V]):
    """One file or stream, open, its rows numbered. `total` and `done` are in one unit; 0 where the
    end is unknown."""

    label: str
    unit: str
    rows: Iterator[tuple[int, V]]
    total: int = 0
    done: Callable[[], int] = no_progress
    settled: Callable[[], bool] = always
    """Whether what comes next depends on nothing but the rows that come next."""

    def place(self, number: int) -> str:
        """Where a row stands, the way editors and compilers write it."""
        if not self.label:
            return f"{self.unit} {number}"
        return f"{self.label}:{number}" if self.unit == "line" else f"{self.label}, row {number}"
