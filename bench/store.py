"""`python -m bench.store`: how fast entries are recorded, also as a store grows.

It decides what is measured; who takes part is in store_subjects.py, what is written of it in
store_page.py.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from pathlib import Path
from time import perf_counter, process_time

import psycopg
from tools.postgres import own_server

from bench import machine
from bench.store_page import Growth, Reading, Run, page
from bench.store_subjects import START, bare, documents, feeds, ours, prepared
from sameas.feeds.record import prune
from sameas.feeds.types import Document
from sameas.store.opening import open_store
from sameas.store.sql import SqlStore

OUT = Path(__file__).parent.parent / "docs" / "bench" / "store.md"
SIZES = (50, 1000)
"""Entries of a document: a usual one, a long one."""

_HOUR = timedelta(hours=1)
_EXPIRED = 1000
_REPEATED = 5

Named = Callable[[], str]
Write = tuple[str, Callable[[], None]]


@dataclass(frozen=True)
class Wanted:
    entries: int
    rounds: int
    steps: Sequence[int]
    out: Path


@contextmanager
def _opened(named: Named) -> Iterator[SqlStore]:
    store = open_store(named())
    try:
        yield store
    finally:
        store.close()


def _seconds(work: Callable[[], object], clock: Callable[[], float] = perf_counter) -> float:
    gc.collect()
    start = clock()
    work()
    return clock() - start


def compared(kind: str, named: Named, wanted: Wanted) -> list[Reading]:
    """Both subjects on stores of their own, in turn, several times over: the best of each."""
    found = []
    # SQLite works in this process, whose own time what else runs on the machine disturbs least.
    clock = process_time if kind == "SQLite" else perf_counter
    for size in SIZES:
        given = documents(max(1, wanted.entries // size), size)
        taken: dict[tuple[str, str], list[float]] = {}
        for number in range(wanted.rounds):
            _tell(f"{kind}, {size} entries a document, round {number + 1} of {wanted.rounds}")
            for subject in ("ours", "bare") if number % 2 else ("bare", "ours"):
                with _opened(named) as store:
                    for what, write in _writes(subject, store, given):
                        taken.setdefault((subject, what), []).append(_seconds(write, clock))
        total = sum(len(document.items) for document in given)
        for what in ("new", "seen"):
            best = {name: total / min(taken[name, what]) for name in ("ours", "bare")}
            found.append(Reading(kind, size, what, best["ours"], best["bare"]))
    return found


def _writes(subject: str, store: SqlStore, given: Sequence[Document]) -> Iterator[Write]:
    rows = feeds(store, len(given))
    if subject == "bare":
        write = partial(bare, store, prepared(rows, given))
    else:
        write = partial(ours, store, rows, given)
    for number, what in enumerate(("new", "seen")):
        yield what, partial(write, START + number * _HOUR)


def grown(kind: str, named: Named, wanted: Wanted) -> list[Growth]:
    """One store, filled step by step: what a document and a pruning take at each."""
    found = []
    with _opened(named) as store:
        filled = 0
        for step in wanted.steps:
            _tell(f"{kind}, filling up to {step:,} entries")
            size = min(1000, step)
            given = documents(step // size - filled // size, size, filled // size)
            rows = feeds(store, step // size)[filled // size :]
            ours(store, rows, given, START)
            filled = step
            known, number = [documents(1, 50)[0]], feeds(store, 1)
            seen = _best(partial(ours, store, number, known, START + _HOUR))
            new = _best(partial(_bring, store, 50, START))
            _bring(store, _EXPIRED, START - timedelta(days=60))
            before = START - timedelta(days=30)
            pruned = _seconds(partial(prune, store, before))
            nothing = _best(partial(prune, store, before))
            info = store.info()
            found.append(
                Growth(kind, info.rows["entries"], seen, new, pruned, nothing, info.bytes or 0)
            )
    return found


_numbers = count(10_000_000)


def _bring(store: SqlStore, size: int, now: datetime) -> None:
    """A feed that nobody has seen, with a document that nobody has seen. It is gone at once, so
    that its entries may expire."""
    number = next(_numbers)
    url = f"https://site-{number}.example/feed"
    (row,) = store.add_feeds([(url, "")], now)
    ours(store, [replace(row, status="gone")], documents(1, size, number), now)


def _best(work: Callable[[], object]) -> float:
    return min(_seconds(work) for _ in range(_REPEATED))


def run(wanted: Wanted, command: str) -> None:
    with tempfile.TemporaryDirectory() as folder, own_server() as url:
        numbers = count(1)

        def sqlite() -> str:
            return str(Path(folder, f"{next(numbers)}.db"))

        def postgresql() -> str:
            name = f"bench_{next(numbers)}"
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name}")
            return url.replace("/postgres?", f"/{name}?")

        kinds: list[tuple[str, Named]] = [("SQLite", sqlite), ("PostgreSQL", postgresql)]
        readings = [one for kind, named in kinds for one in compared(kind, named, wanted)]
        growth = [one for kind, named in kinds for one in grown(kind, named, wanted)]
        with psycopg.connect(url) as connection:
            version = connection.info.server_version // 10000
    date = datetime.now(UTC).date().isoformat()
    facts = {
        **machine.facts(),
        "server": f"PostgreSQL {version}",
        "date": date,
        "command": f"`{command}`",
    }
    wanted.out.write_text(page(Run(facts, wanted.rounds, readings, growth)), encoding="utf-8")
    _tell(f"wrote {wanted.out.name}")


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.store", description=__doc__)
    parser.add_argument("--entries", type=int, default=10_000, help="entries of each comparison")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    parser.add_argument("--up-to", type=int, default=1_000_000, help="entries the store grows to")
    parser.add_argument("--out", type=Path, default=OUT, help="the page to write")
    asked = parser.parse_args(given)
    steps = [step for step in (asked.up_to // 100, asked.up_to // 10, asked.up_to) if step]
    options = [
        f"--{name.replace('_', '-')} {getattr(asked, name)}"
        for name in ("entries", "rounds", "up_to")
        if getattr(asked, name) != parser.get_default(name)
    ]
    run(
        Wanted(asked.entries, asked.rounds, steps, asked.out),
        " ".join(["python -m bench.store", *options]),
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
