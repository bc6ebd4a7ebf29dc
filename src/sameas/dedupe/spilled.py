"""Which rows of a file go, by key, for more rows than fit in memory: they are kept on disk, and
DuckDB finds the groups in as much memory as it is given.

Where rows come from and what is left of them is the caller's business.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sameas.errors import MissingExtra, RecordsError

if TYPE_CHECKING:
    import numpy as np

_OWN = 200_000_000
"""Bytes for the program itself, its libraries and the rows at hand."""
_FOR_A_THREAD = 500_000_000
_FETCHED = 8192
_INTERRUPTED = "Query interrupted"
"""What DuckDB makes of Ctrl-C while it works."""

_WORDS = ("k0", "k1", "k2", "k3")
"""A key as four numbers: no text to keep beside the row."""

_TABLES = f"""
CREATE TABLE rows ({", ".join(f"{word} UBIGINT" for word in _WORDS)},
                   start BIGINT, stop BIGINT, rank BIGINT);
CREATE TABLE torn (start BIGINT, stop BIGINT);
CREATE TABLE run (told VARCHAR, state VARCHAR);
"""

_FIND = f"""
CREATE OR REPLACE TABLE gone AS
SELECT start, stop, place FROM (
    SELECT start, stop,
           row_number() OVER (PARTITION BY {", ".join(_WORDS)} ORDER BY rank DESC, start) AS place
    FROM rows)
WHERE place > 1
UNION ALL SELECT start, stop, 0 FROM torn
"""


@dataclass
class Tally:
    """What has been read so far; `after` is the line or row behind which reading goes on."""

    after: int = 0
    rows: int = 0
    without: int = 0
    refused: int = 0
    torn: int = 0


class Rows(NamedTuple):
    """Rows with keys: 32 bytes each in `keys`, where each begins and the next one does."""

    keys: np.ndarray[Any, Any]
    start: np.ndarray[Any, Any]
    stop: np.ndarray[Any, Any]
    rank: np.ndarray[Any, Any]


class Spilled:
    """Keys on disk. `tally` is that of an earlier run, `other` names what has changed since, where
    that one cannot be gone on with."""

    def __init__(self, path: Path, memory: int, run: Mapping[str, Any]) -> None:
        self.path, self._memory = path, memory
        self.tally, self.other = Tally(), ""
        self._run = json.loads(json.dumps(run))
        with _told(path):
            self._db = self._connected()
            if not self._goes_on():
                self._begin()

    def add(self, rows: Rows) -> None:
        """They count when `reached` is called next."""
        import numpy as np

        words = rows.keys.view("<u8")
        batch = {word: np.ascontiguousarray(words[:, i]) for i, word in enumerate(_WORDS)}
        batch |= {"start": rows.start, "stop": rows.stop, "rank": rows.rank}
        with _told(self.path):
            self._db.register("batch", batch)
            self._db.execute("INSERT INTO rows SELECT * FROM batch")
            self._db.unregister("batch")

    def leave_out(self, start: int, stop: int) -> None:
        """A row that cannot be read."""
        with _told(self.path):
            self._db.execute("INSERT INTO torn VALUES (?, ?)", [start, stop])

    def reached(self, tally: Tally) -> None:
        """All that was added so far belongs to this state, and outlives a run that is stopped."""
        with _told(self.path):
            self._db.execute("UPDATE run SET state = ?", [json.dumps(asdict(tally))])
            self._db.commit()
            self._db.begin()
        self.tally = tally

    def find(self) -> tuple[int, int]:
        """How many duplicates there are, and of how many groups."""
        with _told(self.path):
            self._db.execute(_FIND)
            counts = "SELECT count(*) FILTER (place > 1), count(*) FILTER (place = 2) FROM gone"
            duplicates, groups = self._db.execute(counts).fetchone()
        return duplicates, groups

    def gone(self) -> Iterator[tuple[int, int]]:
        """The rows that do not stay, in their order: where each begins, and where the next one."""
        with _told(self.path):
            found = self._db.execute("SELECT start, stop FROM gone ORDER BY start")
            while some := found.fetchmany(_FETCHED):
                yield from some

    def close(self) -> None:
        self._db.close()

    def remove(self) -> None:
        self.close()
        for path in (self.path, Path(f"{self.path}.wal")):
            path.unlink(missing_ok=True)
        shutil.rmtree(f"{self.path}.tmp", ignore_errors=True)

    def _connected(self) -> Any:
        import duckdb

        threads = max(1, min(os.cpu_count() or 1, self._memory // _FOR_A_THREAD - 1))
        config: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": f"{(self._memory - _OWN) // 2}B",
            "threads": threads,
            "async_threads": 1,
            "allocator_flush_threshold": "32MB",
            "preserve_insertion_order": False,
            "temp_directory": f"{self.path}.tmp",
        }
        return duckdb.connect(str(self.path), config=config)

    def _goes_on(self) -> bool:
        """Whether an earlier run over the same left its rows here."""
        there = self._db.execute("SELECT count(*) FROM duckdb_tables()").fetchone()[0]
        if not there:
            return False
        told, state = self._db.execute("SELECT told, state FROM run").fetchone()
        kept = json.loads(told)
        self.other = next((name for name in self._run if kept.get(name) != self._run[name]), "")
        if self.other:
            return False
        self.tally = Tally(**json.loads(state))
        self._db.begin()
        return True

    def _begin(self) -> None:
        self.remove()
        self._db = self._connected()
        self._db.execute(_TABLES)
        self._db.begin()
        state = json.dumps(asdict(self.tally))
        self._db.execute("INSERT INTO run VALUES (?, ?)", [json.dumps(self._run), state])


@contextmanager
def spilled(path: Path, memory: int, run: Mapping[str, Any]) -> Iterator[Spilled]:
    """What is on disk goes with the block; if that fails, only what can be gone on with stays."""
    keys = Spilled(path, memory, run)
    try:
        yield keys
    except BaseException:
        keys.close()
        if not keys.tally.after:
            keys.remove()
        raise
    keys.remove()


@contextmanager
def _told(path: Path) -> Iterator[None]:
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads reserve memory, and idle
    try:
        import duckdb
        import numpy  # noqa: F401 (rows are handed over in it)
    except ImportError:
        raise MissingExtra("--memory-limit", "duckdb") from None
    try:
        yield
    except RuntimeError as error:
        if str(error) == _INTERRUPTED:
            raise KeyboardInterrupt from None
        raise
    except duckdb.OutOfMemoryException as error:
        hint = "give more with --memory-limit, or make room on the disk"
        raise RecordsError(str(path), f"has no room: {_first_line(error)}", hint) from None
    except duckdb.Error as error:
        reason = f"cannot be used: {_first_line(error)}"
        hint = "it is where rows are put aside: is the disk full, or another run at work?"
        raise RecordsError(str(path), reason, hint) from None


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
