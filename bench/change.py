"""`python -m bench.change`: what a change of the rules costs: diff, rekey and learn, as they grow.

Each measurement is a process of its own. What is written of it is the business of change_page.py.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Any

import psycopg
from tools.postgres import own_server

from bench import machine
from bench.change_page import Reading, page
from bench.sites import KINDS, made
from sameas.change.diff import compared
from sameas.change.learn import lesson
from sameas.change.rekey import rekey
from sameas.change.undo import undo
from sameas.feeds.record import record_document
from sameas.feeds.types import Document, Item
from sameas.policy import Policy
from sameas.store.opening import open_store

OUT = Path(__file__).parent.parent / "docs" / "bench" / "change.md"
_START = datetime(2026, 1, 1, tzinfo=UTC)
_SIZE = 1000
_PAGES, _FETCHES = 100, 8
_RULES = '[query]\ndrop = { add = ["from"] }\n'


def _policy(folder: str, extends: str) -> str:
    file = Path(folder, f"{extends}-and-from.toml")
    file.write_text(f'name = "moved"\nversion = "1"\nextends = "{extends}"\n{_RULES}')
    return str(file)


def _urls(size: int) -> Iterator[tuple[int, str]]:
    """One in ten changes; one in a hundred meets another."""
    for n in range(size):
        mark = f"&from=mail{n % 7}" if n % 10 == 0 else ""
        page = n - 1 if n % 100 == 0 and n else n
        yield n, f"https://site-{page % 997}.example/2026/{page}/a-title-of-{page}?id={page}{mark}"


def diff(size: int, folder: str, _: str) -> dict[str, int]:
    old, new = Policy.load("default"), Policy.load(_policy(folder, "default"))
    found = compared(old, new, _urls(size), 10, lambda *_: None)
    return {"changed": found.changed, "merged": found.merged.groups}


def fill(size: int, target: str) -> None:
    """Feeds of a thousand entries, every link with `from`; one in a hundred has the page of an
    entry of the feed before."""
    store, policy = open_store(target), Policy.load("feed")
    for number in range(max(1, size // _SIZE)):
        url = f"https://site-{number}.example/feed"
        (row,) = store.add_feeds([(url, "")], _START)
        now = _START + timedelta(minutes=number)
        items = tuple(_item(number, n) for n in range(min(size, _SIZE)))
        after = replace(row, last_checked_at=now, last_success_at=now)
        record_document(store, row, Document("", items), after, policy, now)
    store.close()


def _item(feed: int, n: int) -> Item:
    site = feed - 1 if n % 100 == 0 and feed else feed
    link = f"https://site-{site}.example/2026/01/{n}-a-title-of-some-words?from=feed{feed}"
    return Item(guid=f"{feed}/{n}", link=link, title=f"A title of some words, {n}", summary="…")


def moved(_: int, folder: str, target: str) -> dict[str, int]:
    store = open_store(target)
    found = rekey(store, Policy.load(_policy(folder, "feed")), _START, dry=False)
    store.close()
    return {"changed": found.rewritten, "merged": found.merged}


def taken_back(_: int, folder: str, target: str) -> dict[str, int]:
    del folder
    store = open_store(target)
    found = undo(store, None, _START)
    store.close()
    return {"changed": found.rewritten, "merged": found.parted}


def _pairs(size: int) -> Iterator[tuple[int, dict[str, str]]]:
    """Sites of every kind in turn, until there are enough."""
    numbers = count(1)
    for seed in count():
        for kind in KINDS:
            for url, content in made(kind, seed, _PAGES, _FETCHES).fetches:
                number = next(numbers)
                if number > size:
                    return
                yield number, {"url": url, "content": content}


def learn(size: int, folder: str, _: str) -> dict[str, int]:
    del folder
    found = lesson(Policy.load("default"), _pairs(size), lambda *_: None)
    return {"changed": found.hosts, "merged": len(found.rules)}


WORK: dict[str, Callable[[int, str, str], dict[str, int]]] = {
    "diff": diff,
    "rekey": moved,
    "undo": taken_back,
    "learn": learn,
}


def one(what: str, size: int, folder: str, target: str) -> dict[str, Any]:
    """In the process that is measured."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = perf_counter()
    found = WORK[what](size, folder, target)
    seconds = perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"seconds": seconds, "peak": peak, "before": before, **found}


def _measured(what: str, where: str, size: int, folder: str, target: str = "") -> Reading:
    _tell(f"{what}{f' in {where}' if where else ''}: {size:,}")
    command = [sys.executable, "-m", "bench.change", "--one", what, str(size), folder, target]
    answer = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    megabytes = answer["peak"] / 1024
    return Reading(
        what, where, size, answer["seconds"], megabytes, answer["changed"], answer["merged"]
    )


@contextmanager
def _databases(folder: str) -> Iterator[list[tuple[str, Callable[[], str]]]]:
    numbers = count(1)
    with own_server() as url:

        def postgresql() -> str:
            name = f"bench_{next(numbers)}"
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute(f"CREATE DATABASE {name}")
            return url.replace("/postgres?", f"/{name}?")

        yield [("SQLite", lambda: f"{folder}/{next(numbers)}.db"), ("PostgreSQL", postgresql)]


def run(urls: int, entries: int, pairs: int, out: Path, command: str) -> None:
    readings = []
    with tempfile.TemporaryDirectory() as folder:
        readings += [_measured("diff", "", size, folder) for size in _steps(urls)]
        with _databases(folder) as databases:
            for where, named in databases:
                for size in _steps(entries):
                    target = named()
                    fill(size, target)
                    for what in ("rekey", "undo"):
                        readings.append(_measured(what, where, size, folder, target))
        readings += [_measured("learn", "", size, folder) for size in _steps(pairs)]
    date = datetime.now(UTC).date().isoformat()
    facts = {**machine.facts(), "date": date, "command": f"`{command}`"}
    out.write_text(page(facts, readings), encoding="utf-8")
    _tell(f"wrote {out.name}")


def _steps(most: int) -> list[int]:
    return [step for step in (most // 100, most // 10, most) if step]


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.change", description=__doc__)
    parser.add_argument("--urls", type=int, default=10_000_000, help="URLs that are compared")
    parser.add_argument("--entries", type=int, default=1_000_000, help="entries that are moved")
    parser.add_argument("--pairs", type=int, default=1_000_000, help="pairs that are learned from")
    parser.add_argument("--out", type=Path, default=OUT, help="the page to write")
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    asked = parser.parse_args(given)
    if asked.one:
        what, size, folder, target = asked.one
        print(json.dumps(one(what, int(size), folder, target)))
        return 0
    options = [
        f"--{name} {getattr(asked, name)}"
        for name in ("urls", "entries", "pairs")
        if getattr(asked, name) != parser.get_default(name)
    ]
    command = " ".join(["python -m bench.change", *options])
    run(asked.urls, asked.entries, asked.pairs, asked.out, command)
    return 0


if __name__ == "__main__":
    sys.exit(main())
