"""`python -m bench.titles`: how long it takes to find the same story among many headlines.

Each measurement is a process of its own under a hard limit on memory. What the headlines are is
the business of headlines.py, what is made of the figures that of titles_page.py.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from bench import headlines, machine, titles_page
from bench.headlines import Sample
from bench.titles_page import NUMPY, OURS, PEER, PEER_ON_ALL, Reading, Run
from sameas.engine import native

LIMIT = 1024 * 1024 * 1024
SAMPLES: dict[str, Callable[[int], Sample]] = {
    "random": headlines.random_headlines,
    "templated": headlines.templated_headlines,
    "ten languages": headlines.ten_languages,
    "one language": headlines.one_language,
}
_CHUNK = 500

Rows = Sequence[dict[str, str]]


@dataclass(frozen=True)
class Wanted:
    """One measurement: who, on which headlines, how many, and whether memory is limited."""

    who: str
    sample: str
    size: int
    limited: bool = True


def plan(size: int, million: int) -> list[Wanted]:
    """`size` headlines and four times as many; the others on as many as they have time for."""
    return [
        Wanted(OURS, "random", size),
        Wanted(NUMPY, "random", size),
        Wanted(PEER, "random", size),
        Wanted(PEER_ON_ALL, "random", size),
        Wanted(OURS, "templated", size),
        Wanted(NUMPY, "templated", size),
        Wanted(OURS, "random", 4 * size),
        Wanted(NUMPY, "random", 4 * size),
        Wanted(OURS, "ten languages", million, limited=False),
        Wanted(OURS, "one language", million, limited=False),
    ]


def measured(wanted: Wanted, rounds: int) -> Reading:
    """The best of some fresh processes, and the slowest."""
    found = [_fresh(wanted) for _ in range(rounds)]
    best = min(found, key=lambda one: float(one["processor"]))
    return Reading(
        who=wanted.who,
        sample=wanted.sample,
        size=wanted.size,
        processor=best["processor"],
        slowest=max(one["processor"] for one in found),
        wall=min(one["wall"] for one in found),
        megabytes=max(one["peak"] for one in found) / 1024,
        limited=wanted.limited,
        found=best["found"],
    )


def _fresh(wanted: Wanted) -> dict[str, Any]:
    given = [wanted.who, wanted.sample, str(wanted.size), str(int(wanted.limited))]
    command = [sys.executable, "-m", "bench.titles", "--one", *given]
    answer = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    found: dict[str, Any] = json.loads(answer.stdout)
    return found


def one(who: str, sample: str, size: int, limited: bool) -> dict[str, Any]:
    """In the process that is measured: headlines made, the limit set, the time taken."""
    rows = [row._asdict() for row in SAMPLES[sample](size).rows]
    if limited:
        resource.setrlimit(resource.RLIMIT_AS, (LIMIT, LIMIT))
    wall, processor = perf_counter(), process_time()
    found = WHO[who](rows)
    return {
        "processor": process_time() - processor,
        "wall": perf_counter() - wall,
        "found": found,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss,
    }


def _ours(rows: Rows) -> int:
    """All of it: titles cleaned, pairs found and verified, groups and survivors made."""
    from sameas.dedupe import find_duplicates

    return len(find_duplicates(rows, "title").groups)


def _in_numpy(rows: Rows) -> int:
    """The same where the wheel is not installed."""
    sys.modules["sameas_native"] = None  # type: ignore[assignment]
    return _ours(rows)


def _cdist(rows: Rows, workers: int = 1) -> int:
    """The similarity of every pair whose lengths allow 0.85: no verification and no groups."""
    import numpy as np
    from rapidfuzz import fuzz
    from rapidfuzz.process import cdist

    alike = 0
    titles = sorted((row["title"].casefold() for row in rows), key=len)
    lengths = np.fromiter(map(len, titles), np.int64, len(titles))
    for top in range(0, len(titles), _CHUNK):
        some = titles[top : top + _CHUNK]
        end = int(np.searchsorted(lengths, len(some[-1]) * 23 // 17, "right"))
        scores = cdist(
            some, titles[top:end], scorer=fuzz.ratio, score_cutoff=85, dtype=np.uint8,
            workers=workers,
        )  # fmt: skip
        alike += int(np.count_nonzero(scores))
    return alike


WHO: dict[str, Callable[[Rows], int]] = {
    OURS: _ours,
    NUMPY: _in_numpy,
    PEER: _cdist,
    PEER_ON_ALL: partial(_cdist, workers=-1),
}


def run(size: int, million: int, rounds: int, out: Path) -> None:
    readings = []
    for wanted in plan(size, million):
        print(f"{wanted.who}: {wanted.size:,} {wanted.sample}", file=sys.stderr, flush=True)
        readings.append(measured(wanted, rounds))
    date = datetime.now(UTC).date().isoformat()
    command = "make bench"
    if (size, million, rounds) != DEFAULTS:
        command = f"python -m bench.titles --size {size} --million {million} --rounds {rounds}"
    page = titles_page.page(Run(date, command, machine.facts(), rounds, readings))
    out.mkdir(parents=True, exist_ok=True)
    (out / "titles.md").write_text(page, encoding="utf-8")


DEFAULTS = (50_000, 1_000_000, 3)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.titles", description=__doc__)
    parser.add_argument("--size", type=int, default=DEFAULTS[0], help="headlines of a sample")
    parser.add_argument("--million", type=int, default=DEFAULTS[1], help="in ten, and in one")
    parser.add_argument("--rounds", type=int, default=DEFAULTS[2], help="processes for each")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "docs" / "bench")
    parser.add_argument("--one", nargs=4, help=argparse.SUPPRESS)
    asked = parser.parse_args(given)
    if asked.one:
        who, sample, size, limited = asked.one
        print(json.dumps(one(who, sample, int(size), limited == "1")))
        return 0
    if why := native.why_not():
        print(f"NOT RUN: titles, by the compiled kernel: {why}", file=sys.stderr)
        return int(os.environ.get("CI") == "true")
    run(asked.size, asked.million, asked.rounds, asked.out)
    return 0


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # its threads reserve memory, and idle
    sys.exit(main())
