"""`python -m bench.files`: what long files take: `canon` beside the bare floor, `dedupe` under a
limit on memory, and the cost of both by size.

Each measurement is a process of its own. What the links are is the business of crawl.py, what is
made of the figures that of files_page.py and scale.py.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from hashlib import file_digest, sha256
from pathlib import Path

from bench import crawl, files_page, machine, scale, speed
from bench.files_page import BY_SET, CANON, DEDUPE, FLOOR, IN_MEMORY, Reading, Run
from sameas import Policy
from sameas.engine.lines import KEY_BYTES
from sameas.records.lines import line_blocks

DOCS = Path(__file__).parent.parent / "docs"
LIMIT = 1_000_000_000
SHARES = (1, 2, 5, 10, 15, 20)
"""Twentieths of the longest file: the sizes whose cost is drawn."""


def floor(file: str, out: str) -> None:
    """Each line read, hashed and written: the least that a program in Python can do."""
    with open(file, "rb") as lines, open(out, "wb") as written:
        for line in lines:
            sha256(line).digest()
            written.write(line)


COMMANDS: dict[str, list[str]] = {
    FLOOR: ["-m", "bench.files", "--floor", "IN", "OUT"],
    CANON: ["-m", "sameas", "canon", "--input", "IN", "--output", "OUT"],
    DEDUPE: ["-m", "sameas", "dedupe", "IN", "--by", "url", "--memory-limit", "1GB", "-o", "OUT"],
    IN_MEMORY: ["-m", "sameas", "dedupe", "IN", "--by", "url", "-o", "OUT"],
    BY_SET: ["-m", "bench.files", "--keep-first", "IN", "OUT"],
}
LIMITED = {DEDUPE}


def measured(who: str, file: Path, count: int, rounds: int) -> Reading:
    """The best of some fresh processes, and the slowest."""
    _tell(f"{who}: {count:,}")
    found = [_fresh(who, file) for _ in range(rounds)]
    best = min(found)
    return Reading(
        who=who,
        size=count,
        wall=best[0],
        slowest=max(wall for wall, *_ in found),
        processor=min(processor for _, processor, _ in found),
        megabytes=max(peak for *_, peak in found),
        limited=who in LIMITED,
    )


def _fresh(who: str, file: Path) -> tuple[float, float, float]:
    paths = {"IN": str(file), "OUT": str(_out(file, who))}
    command = [sys.executable, *(paths.get(word, word) for word in COMMANDS[who])]
    limit = str(LIMIT if who in LIMITED else 0)
    outside = [sys.executable, "-m", "bench.outside", limit, *command]
    found = subprocess.run(outside, stdout=subprocess.PIPE, check=True)
    wall, processor, megabytes = json.loads(found.stdout)
    return wall, processor, megabytes


def _out(file: Path, who: str) -> Path:
    return file.with_name(f"{who}.txt")


def _same(one: Path, other: Path) -> bool:
    with one.open("rb") as a, other.open("rb") as b:
        return file_digest(a, "sha256").digest() == file_digest(b, "sha256").digest()


def keep_first(file: str, out: str) -> None:
    """The survivors by a set in memory: of lines, whose worth is equal, the first of each key."""
    policy, seen = Policy.load("news"), set[bytes]()
    with open(file, "rb") as stream, open(out, "wb") as written:
        for block in line_blocks(stream, file):
            keys, _ = policy.keys_of_lines(block.text)
            for i, line in enumerate(block.text.split(b"\n")[:-1]):
                key = bytes(keys[i * KEY_BYTES : (i + 1) * KEY_BYTES])
                if key not in seen:
                    seen.add(key)
                    written.write(line + b"\n")


def run(lines: int, most: int, rounds: int, given: Path | None, out: Path) -> None:
    made = crawl.patterns(speed.read_lines(given, crawl.KINDS)[0] if given else ())
    readings: list[Reading] = []
    same: list[tuple[int, str, bool]] = []
    with tempfile.TemporaryDirectory(prefix="sameas-bench-") as folder:
        file = Path(folder, "crawl.txt")
        sizes = sorted({max(1000, most * share // max(SHARES)) for share in SHARES})
        for size in sorted({*sizes, lines}):
            _tell(f"making {size:,} links")
            crawl.write(file, size, made)
            times = rounds if size == lines else 1
            for who in (FLOOR, CANON) if size == lines else (CANON,):
                readings.append(measured(who, file, size, times))
            if size in sizes:
                readings.append(measured(DEDUPE, file, size, 1))
            for who in _peers(size, sizes):
                readings.append(measured(who, file, size, 1))
                same.append((size, who, _same(_out(file, DEDUPE), _out(file, who))))
    date = datetime.now(UTC).date().isoformat()
    found = Run(
        date,
        _command(lines, most, rounds, given),
        machine.facts(),
        Policy.load().engine,
        readings,
        same,
    )
    write(found, out)


def _peers(size: int, sizes: Sequence[int]) -> list[str]:
    """What the outcome is compared with: the command in memory at the smallest size, which is as
    much as it has time for, and a set of keys at the largest."""
    return [IN_MEMORY] * (size == sizes[0]) + [BY_SET] * (size == sizes[-1])


def write(found: Run, out: Path) -> None:
    (out / "bench").mkdir(parents=True, exist_ok=True)
    pages = {
        "bench/files.json": json.dumps(asdict(found), indent=1) + "\n",
        "bench/files.md": files_page.page(found),
        "bench/files.svg": files_page.chart(found),
        "scale.md": scale.page(found),
    }
    for name, text in pages.items():
        (out / name).write_text(text, encoding="utf-8")


def _command(lines: int, most: int, rounds: int, given: Path | None) -> str:
    """What repeats this run; a file is given by its name alone, wherever it lies."""
    name = given.name if given else ""
    if (lines, most, rounds) == DEFAULTS:
        return "make bench" + (f" FILE={name}" if name else "")
    chosen = f"--input {name} " if name else ""
    return f"python -m bench.files {chosen}--lines {lines} --most {most} --rounds {rounds}"


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


DEFAULTS = (10_000_000, 20_000_000, 3)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.files", description=__doc__)
    parser.add_argument("--input", type=Path, metavar="FILE", help="lines of URLs to make more of")
    parser.add_argument("--lines", type=int, default=DEFAULTS[0], help="lines beside the floor")
    parser.add_argument("--most", type=int, default=DEFAULTS[1], help="links of the longest file")
    parser.add_argument("--rounds", type=int, default=DEFAULTS[2], help="processes for the floor")
    parser.add_argument("--out", type=Path, default=DOCS, help="the folder to write")
    for name in INSIDE:
        parser.add_argument(f"--{name}", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args(given)
    for name, work in INSIDE.items():
        if paths := getattr(asked, name.replace("-", "_")):
            work(*paths)
            return 0
    run(asked.lines, asked.most, asked.rounds, asked.input, asked.out)
    return 0


INSIDE: dict[str, Callable[[str, str], None]] = {"floor": floor, "keep-first": keep_first}
"""What is measured, or compared with, in processes of this module."""

if __name__ == "__main__":
    sys.exit(main())
