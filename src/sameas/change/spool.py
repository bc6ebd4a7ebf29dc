"""Rows put aside on disk, apart by the beginning of a key: one part at a time fits into memory.

What is done with the rows of a part is the caller's business.
"""

from __future__ import annotations

import struct
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple

PARTS = 64
KEY = 16
"""Bytes of a key that are kept: enough to tell keys apart."""

_HEAD = struct.Struct(f"<{KEY}s{KEY}sQI")


class Row(NamedTuple):
    """A row of the input that has a key under both policies."""

    old: bytes
    new: bytes
    number: int
    url: bytes


class Spool:
    """Rows by the key under which they are looked for; `kind` names what they are."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="sameas-")
        self._files: dict[tuple[str, int], BinaryIO] = {}

    def __enter__(self) -> Spool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for file in self._files.values():
            file.close()
        self._folder.cleanup()

    def add(self, kind: str, by: bytes, row: Row) -> None:
        place = kind, by[0] % PARTS
        file = self._files.get(place)
        if file is None:
            path = Path(self._folder.name, f"{kind}-{place[1]}")
            file = self._files[place] = open(path, "w+b")  # noqa: SIM115 (open to the end)
        file.write(_HEAD.pack(row.old, row.new, row.number, len(row.url)))
        file.write(row.url)

    def part(self, kind: str, number: int) -> Iterator[Row]:
        """The rows of one part, in the order in which they came."""
        file = self._files.get((kind, number))
        if file is None:
            return
        file.seek(0)
        while head := file.read(_HEAD.size):
            old, new, row, length = _HEAD.unpack(head)
            yield Row(old, new, row, file.read(length))
