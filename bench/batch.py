"""`python -m bench.batch`: how long a URL takes among many: in a batch, in a loop, and at least.

It decides who takes part and how time is taken; what is made of the figures is in batch_page.py.
"""

from __future__ import annotations

import argparse
import gc
import os
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from bench import batch_page, corpus, floor, machine, speed
from bench.batch_page import Reading, Run
from bench.peers import version

Work = Callable[[], object]


@dataclass(frozen=True)
class Lists:
    """The same URLs for everybody: as a column, as a list, and some of them for who is slow."""

    urls: Sequence[str]
    some: Sequence[str]
    column: Any


@dataclass(frozen=True)
class Subject:
    """A row of the table. `connect` gives the work to be timed, over all URLs or over some."""

    name: str
    package: str
    does: str
    connect: Callable[[Lists], Work]
    slow: bool = False


def _column(wanted: str, policy: str, threads: int, lists: Lists, **more: bool) -> Work:
    answer = getattr(import_module("sameas.adapters.arrow"), wanted)
    loaded = import_module("sameas").Policy.load(policy, engine="native")
    return partial(answer, lists.column, loaded, threads=threads, **more)


def _many(lists: Lists) -> Work:
    loaded = import_module("sameas").Policy.load(engine="native")
    return partial(loaded.canonicalize_many, lists.urls, 1)


def _loop(module: str, name: str, lists: Lists, **more: bool) -> Work:
    call = getattr(import_module(module), name)

    def work() -> None:
        for url in lists.some:
            try:
                call(url, **more)
            except Exception:
                continue

    return work


def _floor(name: str, lists: Lists) -> Work:
    return floor.over(lists.column, name)


def _key(policy: str, threads: int = 1) -> Callable[[Lists], Work]:
    return partial(_column, "key", policy, threads, binary=True)


_BYTES = "a column of keys, 32 bytes each"
SUBJECTS = [
    Subject(batch_page.KEY, "sameas", _BYTES, _key("default")),
    Subject(batch_page.TWO, "sameas", f"{_BYTES}, by two threads", _key("default", 2)),
    Subject(batch_page.TK_KEY, "sameas", _BYTES, _key("tk")),
    Subject("sameas news, key", "sameas", _BYTES, _key("news")),
    Subject("sameas default, key as text", "sameas", "a column of keys, 64 hex digits each",
            partial(_column, "key", "default", 1)),
    Subject("sameas default, url", "sameas", "a column of canonical URLs",
            partial(_column, "url", "default", 1)),
    Subject("sameas default, canonicalize", "sameas", "a column of URL, form, key, flags, error",
            partial(_column, "canonicalize", "default", 1)),
    Subject("sameas default, canonicalize_many", "sameas", "a list of results with notes", _many),
    Subject(batch_page.W3LIB, "w3lib", "a loop; no key",
            partial(_loop, "w3lib.url", "canonicalize_url"), slow=True),
    Subject(batch_page.PACKAGE, "tk-normalizer", "a loop; three forms, four hashes",
            partial(_loop, "tk_normalizer", "TkNormalizer", log_errors=False), slow=True),
    Subject(batch_page.FLOOR, "", "Ada in C++, and OpenSSL's SHA-256 of what it serializes",
            lambda lists: floor.over_by_openssl(lists.column)),
    Subject(batch_page.TIGHT, "", "the same with the hash of the compiled engine",
            partial(_floor, "parse_and_hash")),
    Subject("bare parse", "", "Ada in C++", partial(_floor, "parse")),
    Subject("bare hash", "", "the compiled engine's SHA-256 of each URL as it stands",
            partial(_floor, "hash")),
]  # fmt: skip


def measured(lists: Lists, rounds: int) -> tuple[list[Reading], list[str]]:
    """Each round in another order; and who could not take part, with the reason."""
    works, missing = {}, []
    for subject in SUBJECTS:
        try:
            works[subject] = subject.connect(lists)
        except (ImportError, import_module("sameas").SameasError) as error:
            missing.append(f"{subject.name} ({error})")
    times: dict[Subject, list[tuple[float, float]]] = {subject: [] for subject in works}
    for number in range(rounds + 1):
        _tell(f"round {number} of {rounds}")
        for subject in random.Random(number).sample([*works], len(works)):
            taken = _timed(works[subject])
            if number:  # the first warms up
                times[subject].append(taken)
    return [_reading(subject, lists, times[subject]) for subject in works], missing


def _timed(work: Work) -> tuple[float, float]:
    gc.collect()
    wall, processor = perf_counter(), process_time()
    work()
    return process_time() - processor, perf_counter() - wall


def _reading(subject: Subject, lists: Lists, times: Sequence[tuple[float, float]]) -> Reading:
    count = len(lists.some if subject.slow else lists.urls)
    processor, wall = ([1e6 * one / count for one in each] for each in zip(*times, strict=True))
    return Reading(
        subject.name, version(subject.package) if subject.package else "", subject.does,
        min(processor), max(processor), min(wall), count,
    )  # fmt: skip


def handed_back(lists: Lists) -> int | None:
    """How many of the URLs the compiled engine leaves to the Python engine, under `default`."""
    compiled = import_module("sameas").Policy.load().compiled
    if compiled is None:
        return None
    found = compiled.column(lists.column.__arrow_c_array__(), "key", True, 1)
    return len(memoryview(found["handed_back"]).cast("q"))


def lists_of(path: Path | None, size: int, some: int) -> Lists:
    import pyarrow as pa

    urls = corpus.make(size) if path is None else speed.read_lines(path, size)[0]
    return Lists(urls, urls[:some], pa.array(urls, pa.large_string()))


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


DEFAULTS = (100_000, 3_000, 7)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.batch", description=__doc__)
    parser.add_argument("--input", type=Path, metavar="FILE", help="lines of URLs, plain or .gz")
    parser.add_argument("--size", type=int, default=DEFAULTS[0], help="URLs of the batch")
    parser.add_argument("--some", type=int, default=DEFAULTS[1], help="URLs for slow libraries")
    parser.add_argument(
        "--rounds", type=int, default=DEFAULTS[2], help="how often each is measured"
    )
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "docs" / "bench")
    asked = parser.parse_args(given)
    lists = lists_of(asked.input, asked.size, asked.some)
    readings, missing = measured(lists, asked.rounds)
    name = asked.input.name if asked.input else ""
    command = "make bench" + (f" FILE={name}" if name else "")
    if (asked.size, asked.some, asked.rounds) != DEFAULTS:
        file = f" --input {name}" if name else ""
        sizes = f"--size {asked.size} --some {asked.some} --rounds {asked.rounds}"
        command = f"python -m bench.batch{file} {sizes}"
    date = datetime.now(UTC).date().isoformat()
    run = Run(
        date, command, machine.facts(), asked.rounds, name, len(lists.urls),
        handed_back(lists), readings, missing,
    )  # fmt: skip
    asked.out.mkdir(parents=True, exist_ok=True)
    (asked.out / "batch.md").write_text(batch_page.page(run), encoding="utf-8")
    for who in missing:
        _tell(f"NOT RUN: {who}")
    return 1 if missing and os.environ.get("CI") == "true" else 0


if __name__ == "__main__":
    sys.exit(main())
