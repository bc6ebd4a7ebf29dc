"""Keys on disk: the rows that go are those a dictionary would find, in whatever memory there is."""

from __future__ import annotations

import os
import signal
import threading
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sameas.dedupe import spilled as module
from sameas.dedupe.spilled import Rows, Tally, spilled
from sameas.errors import RecordsError

MEMORY = 400_000_000
RUN = {"input": ["a", 1], "policy": "news"}


def rows(given: list[tuple[int, int]], first: int = 1) -> Rows:
    """Rows of a page and a rank each, one line a row."""
    keys = b"".join(sha256(str(page).encode()).digest() for page, _ in given)
    start = np.arange(first, first + len(given), dtype=np.int64)
    rank = np.array([rank for _, rank in given], np.int64)
    return Rows(np.frombuffer(keys, np.uint8).reshape(-1, 32), start, start + 1, rank)


def expected(given: list[tuple[int, int]]) -> list[tuple[int, int]]:
    best: dict[int, int] = {}
    for i, (page, rank) in enumerate(given):
        if page not in best or rank > given[best[page]][1]:
            best[page] = i
    return [(i + 1, i + 2) for i in range(len(given)) if i not in best.values()]


@settings(max_examples=25, deadline=None, derandomize=True)
@given(given=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), max_size=30))
def test_all_but_the_best_of_a_key_go_in_their_order(
    given: list[tuple[int, int]], tmp_path_factory: Any
) -> None:
    path = tmp_path_factory.mktemp("keys") / "keys.duckdb"
    with spilled(path, MEMORY, {}) as keys:
        if given:
            keys.add(rows(given))
        keys.leave_out(1000, 1002)
        keys.reached(Tally())
        duplicates, groups = keys.find()
        assert [*keys.gone()] == [*expected(given), (1000, 1002)]
    pages = [page for page, _ in given]
    assert duplicates == len(given) - len(set(pages))
    assert groups == sum(pages.count(page) > 1 for page in set(pages))
    assert os.listdir(path.parent) == []


def stopped(path: Path, run: dict[str, object]) -> None:
    with spilled(path, MEMORY, run) as keys:
        keys.add(rows([(1, 0), (2, 0)]))
        keys.reached(Tally(after=2, rows=2))
        keys.add(rows([(7, 0)] * 5, first=3))
        raise KeyboardInterrupt


def test_a_run_that_was_stopped_is_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "keys.duckdb"
    with pytest.raises(KeyboardInterrupt):
        stopped(path, RUN)
    with spilled(path, MEMORY, RUN) as keys:
        assert (keys.tally, keys.other) == (Tally(after=2, rows=2), "")
        keys.add(rows([(1, 5)], first=3))
        keys.reached(Tally(after=3, rows=3))
        assert keys.find() == (1, 1)
        assert [*keys.gone()] == [(1, 2)]
    assert os.listdir(tmp_path) == []


def test_another_run_starts_anew(tmp_path: Path) -> None:
    path = tmp_path / "keys.duckdb"
    with pytest.raises(KeyboardInterrupt):
        stopped(path, RUN)
    with spilled(path, MEMORY, {**RUN, "policy": "feed"}) as keys:
        assert (keys.tally, keys.other) == (Tally(), "policy")
        assert keys.find() == (0, 0)


def test_a_run_that_got_nowhere_leaves_nothing(tmp_path: Path) -> None:
    def begun() -> None:
        with spilled(tmp_path / "keys.duckdb", MEMORY, RUN) as keys:
            keys.add(rows([(1, 0)]))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        begun()
    assert os.listdir(tmp_path) == []


def test_what_is_in_the_way_is_told_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "keys.duckdb"
    path.write_bytes(b"somebody's own")
    with pytest.raises(RecordsError, match="cannot be used"), spilled(path, MEMORY, RUN):
        raise AssertionError
    assert path.read_bytes() == b"somebody's own"


def test_more_keys_than_memory_are_put_on_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DuckDB is given 40 MB for 300,000 keys, which take more while they are grouped."""
    monkeypatch.setattr(module, "_OWN", MEMORY - 80_000_000)
    count = 300_000
    pages = np.arange(count, dtype=np.uint64) // np.uint64(2)
    words = np.stack([pages * np.uint64(0x9E3779B97F4A7C15 + i * 2) for i in range(4)], axis=1)
    start = np.arange(1, count + 1, dtype=np.int64)
    with spilled(tmp_path / "keys.duckdb", MEMORY, RUN) as keys:
        table = np.ascontiguousarray(words).view(np.uint8)
        keys.add(Rows(table, start, start + 1, np.zeros(count, np.int64)))
        keys.reached(Tally())
        assert keys.find() == (count // 2, count // 2)
        assert [begin for begin, _ in keys.gone()] == list(range(2, count + 1, 2))


def test_an_interrupt_while_duplicates_are_found_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_FIND", "SELECT count(*) FROM range(1000000) a, range(1000000) b")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    soon = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    try:
        with spilled(tmp_path / "keys.duckdb", MEMORY, RUN) as keys:
            soon.start()
            with pytest.raises(KeyboardInterrupt):
                keys.find()
    finally:
        soon.cancel()
        signal.signal(signal.SIGINT, before)
