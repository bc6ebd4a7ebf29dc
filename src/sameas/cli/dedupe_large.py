"""`sameas dedupe --by url --memory-limit`: the same survivors, of files larger than memory.

It reads, names and writes; which rows go is found on disk, by `sameas.dedupe.spilled`.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import sameas
from sameas.cli.dedupe_said import left_out, not_compared, summary
from sameas.cli.outputs import STDOUT
from sameas.cli.progress import counted, watched
from sameas.cli.terminal import on_terminal, say
from sameas.dedupe import quality
from sameas.dedupe.spilled import Rows, Spilled, Tally, spilled
from sameas.engine.lines import KEY_BYTES
from sameas.errors import InvalidURL, SameasError
from sameas.policy import Policy
from sameas.records.read import STDIN
from sameas.records.source import Block, Refused, Source
from sameas.records.tables import END, Gone, Table

RANKED_BY = ("full_text", "district", "source")
Absent = InvalidURL | Refused | None
"""Why a row has no key: its URL is refused, the row cannot be read, or it has no URL."""

_AT_ONCE = 262_144
"""Rows that are put on disk together, and that a run that is killed does again."""


@dataclass(frozen=True)
class Large:
    """What is to be done: whose rows, by which column, in how much memory."""

    file: str
    table: Table
    column: str
    policy: Policy
    memory: int
    output: str

    def run(self) -> dict[str, Any]:
        """All that the rows on disk depend on."""
        status = os.stat(self.file)
        return {
            "version of sameas": sameas.__version__,
            "input": [os.path.realpath(self.file), status.st_size, status.st_mtime_ns],
            "policy": [self.policy.name, self.policy.fingerprint],
            "format": [self.table.format, self.column],
        }


def write_survivors(large: Large, out: BinaryIO) -> bool:
    """Whether a row could not be read, or its URL was refused."""
    with _keys(large) as keys:
        _read(large, keys)
        with counted("finding duplicates"):
            duplicates, groups = keys.find()
        with counted("writing") as drawn:
            large.table.copy_without(_drawn(keys.gone(), drawn, duplicates + keys.tally.torn), out)
        _tell(keys.tally, duplicates, groups)
        return bool(keys.tally.refused or keys.tally.torn)


@contextmanager
def _keys(large: Large) -> Iterator[Spilled]:
    """Beside the output, where the same command finds them; where there is no such place, or a
    pipe is read, in a folder that goes with the run."""
    made = large.output != STDOUT and (
        os.path.isfile(large.output) or not os.path.exists(large.output)
    )
    if not made or large.file == STDIN or not os.path.isfile(large.file):
        with tempfile.TemporaryDirectory(prefix="sameas-") as folder:
            path = Path(folder, "rows.duckdb")
            with spilled(path, large.memory, {}) as unnamed:
                yield unnamed
        return
    path = Path(f"{os.path.realpath(large.output)}.part.duckdb")
    keys: Spilled | None = None
    try:
        with spilled(path, large.memory, large.run()) as keys:
            if keys.other:
                say(f"sameas: {path} is of another {keys.other}: starting anew")
            elif keys.tally.after:
                say(f"sameas: going on behind {keys.tally.rows:,} rows that {path} has")
            yield keys
    except (KeyboardInterrupt, SameasError):
        if keys is not None and keys.tally.after:
            rows = keys.tally.rows
            say(f"sameas: stopped behind {rows:,} rows; the same command goes on from there")
        raise


def _read(large: Large, keys: Spilled) -> None:
    """All rows that have not been read yet."""
    if keys.tally.after == END:
        return
    source = large.table.blocks(large.column, RANKED_BY, _rank, keys.tally.after)
    rows = _Rows(large.policy, keys, source)
    among_results = large.output == STDOUT and on_terminal()
    with watched(source, among_results) as (blocks, tell):
        for block, end, settled in _with_ends(source, blocks):
            rows.take(block, end, tell)
            if rows.waiting >= _AT_ONCE or end == END:
                rows.put_down()
                if settled:
                    rows.reached(end)


def _with_ends(
    source: Source[Block], blocks: Iterator[tuple[int, Block]]
) -> Iterator[tuple[Block, int, bool]]:
    """Where the last row of a block ends, the next block tells; and if a run may begin there."""
    held, settled = None, True
    for number, block in blocks:
        if held is not None:
            yield held, number, settled
        held, settled = block, source.settled()
    yield held or Block((), b"", {}), END, True


def _rank(row: dict[str, Any]) -> int:
    """The quality of an article as one number, the better the greater."""
    length, district, source = quality(row)
    return length << 2 | district << 1 | source


class _Rows:
    """Rows on their way to the disk."""

    def __init__(self, policy: Policy, keys: Spilled, source: Source[Block]) -> None:
        import numpy

        self._np = numpy
        self._policy, self._keys, self._source = policy, keys, source
        self._tally = replace(keys.tally)
        self._held: list[Rows] = []
        self.waiting = 0

    def take(self, block: Block, end: int, tell: Callable[[str], None]) -> None:
        np = self._np
        start = np.array(block.numbers, np.int64)
        stop = np.append(start[1:], end)[: len(start)]
        keys, refused = self._policy.keys_of_lines(block.text)
        absent = dict(self._sifted(block, keys, dict(refused)))
        for i, why in sorted(absent.items()):
            self._count(why)
            if isinstance(why, Refused):
                self._keys.leave_out(int(start[i]), int(stop[i]))
            if why is not None:
                end_of_it = "left out" if isinstance(why, Refused) else "kept"
                place = self._source.place(block.numbers[i])
                tell(f"{place}: {why.code}: {why.message}; {end_of_it}")
        here = np.ones(len(start), bool)
        here[[*absent]] = False
        rank = np.array(block.ranks or [0] * len(start), np.int64)
        table = np.frombuffer(keys, np.uint8).reshape(-1, KEY_BYTES)
        self._held.append(Rows(table[here], start[here], stop[here], rank[here]))
        self.waiting += len(start)
        self._tally.rows += len(start)

    def _sifted(
        self, block: Block, keys: bytearray, refused: dict[int, InvalidURL]
    ) -> Iterator[tuple[int, Absent]]:
        """The rows without a key, and why; the keys of what does not stand on a line are made."""
        lines = block.text.split(b"\n") if refused else []
        for i, error in refused.items():
            if i not in block.apart:
                yield i, error if lines[i].strip() else None
        for i, value in block.apart.items():
            if isinstance(value, Refused):
                yield i, value
            elif not isinstance(value, str | bytes):
                yield i, None
            else:
                try:
                    key = bytes.fromhex(self._policy.key(value))
                    keys[i * KEY_BYTES : (i + 1) * KEY_BYTES] = key
                except InvalidURL as error:
                    yield i, error

    def _count(self, why: Absent) -> None:
        if why is None:
            self._tally.without += 1
        elif isinstance(why, Refused):
            self._tally.torn += 1
            self._tally.rows -= 1
        else:
            self._tally.refused += 1

    def put_down(self) -> None:
        columns = zip(*self._held, strict=True)
        self._keys.add(Rows(*(self._np.concatenate(column) for column in columns)))
        self._held.clear()
        self.waiting = 0

    def reached(self, end: int) -> None:
        self._tally.after = end if end == END else end - 1
        self._keys.reached(replace(self._tally))


def _drawn(gone: Iterator[Gone], drawn: Callable[[int, int], None], rows: int) -> Iterator[Gone]:
    """The duplicates, counted as they pass."""
    for i, row in enumerate(gone):
        if i % _AT_ONCE == 0:
            drawn(i, rows)
        yield row


def _tell(tally: Tally, duplicates: int, groups: int) -> None:
    """What was done, in the words of `sameas dedupe`."""
    say(summary(tally.rows, duplicates, groups, by_url=duplicates, by_title=0))
    stayed = not_compared(tally.without, tally.refused, 0)
    if stayed:
        say(stayed)
    if tally.torn:
        say(left_out(tally.torn))
