"""`python -m bench`: arguments, and the order in which things are measured and written."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bench import corpus, hostile, languages, length, machine, matrix, page, speed, trap, traps
from bench.chart import draw
from bench.kept import counted
from bench.peers import PEERS, SUBJECTS, Peer, Subject
from sameas.engine import native

DOCS = Path(__file__).parent.parent / "docs" / "bench"
ROUNDS = 5


@dataclass(frozen=True)
class Wanted:
    """What one run is to do, and for whom."""

    input: Path | None
    size: int
    rounds: int
    out: Path
    subjects: Sequence[Subject]
    peers: Sequence[Peer]
    groups: Mapping[str, Sequence[trap.Trap]]


def run(wanted: Wanted) -> list[str]:
    """Measures, writes the three files, and tells who could not take part."""
    date = datetime.now(UTC).date().isoformat()
    wanted.out.mkdir(parents=True, exist_ok=True)
    measured = _speed(wanted, date)
    _write(wanted.out / "README.md", page.page(measured))
    _write(wanted.out / "speed.svg", draw(page.chart(measured.sections[0], wanted.rounds)))
    found, missing = _examine(wanted)
    written = f"on {date} by `{measured.command}`"
    _write(wanted.out / "traps.md", matrix.page(wanted.groups, found, missing, written))
    return [*measured.missing, *missing]


def _speed(wanted: Wanted, date: str) -> page.Run:
    calls, missing = speed.connected(wanted.subjects)

    lists = {name: languages.make(name, wanted.size) for name in languages.LANGUAGES}

    def section(title: str, about: str, urls: Sequence[str]) -> page.Section:
        _tell(title)
        lists[title] = list(urls)
        readings = speed.measure(wanted.subjects, calls, urls, wanted.rounds, _tell)
        return page.Section(title, about, readings)

    own = f"{wanted.size:,} links made by `bench/corpus.py` from seed {corpus.SEED}."
    sections = [section("Links of our own making", own, corpus.make(wanted.size))]
    if wanted.input is not None:
        urls, count = speed.read_lines(wanted.input, wanted.size)
        about = f"{len(urls):,} of the {count:,} lines of `{wanted.input.name}`, drawn by chance."
        sections.append(section(f"Links of {wanted.input.name}", about, urls))
    present = [s for s in wanted.subjects if s.start and s.name in calls]
    _tell(f"fresh processes, {len(present)} of them")
    starts = [speed.start(subject) for subject in present]
    kept = [] if native.why_not() else [counted(*one) for one in lists.items()]
    return page.Run(
        date, _command(wanted), machine.facts(), wanted.rounds, sections, starts, missing, kept
    )


def _command(wanted: Wanted) -> str:
    """What repeats this run; a file is given by its name alone, wherever it lies."""
    name = wanted.input.name if wanted.input else ""
    if (wanted.size, wanted.rounds) == (corpus.DEFAULT_SIZE, ROUNDS):
        return "make bench" + (f" FILE={name}" if name else "")
    given = f"--input {name} " if name else ""
    return f"python -m bench {given}--size {wanted.size} --rounds {wanted.rounds}"


def _examine(wanted: Wanted) -> tuple[list[matrix.Examined], list[str]]:
    found, missing = [], []
    hosts = (length.SHORT_HOST, length.LONG_HOST)
    for peer in wanted.peers:
        _tell(f"traps: {peer.name}")
        try:
            outcomes = trap.examine_all(peer, wanted.groups)
        except ImportError as error:
            missing.append(f"{peer.name} ({error})")
            continue
        grown = [
            *length.growth(peer, hostile.SHAPES),
            *length.growth(peer, hostile.SHORT_SHAPES, hosts),
        ]
        found.append(matrix.Examined(peer, outcomes, grown))
    return found, missing


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    _tell(f"wrote {path.name}")


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--input", type=Path, metavar="FILE", help="lines of URLs, plain or .gz")
    parser.add_argument("--size", type=int, default=corpus.DEFAULT_SIZE, help="URLs of each list")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each is measured")
    parser.add_argument("--out", type=Path, default=DOCS, help="the folder to write")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> int:
    asked = _arguments(given)
    if asked.input is not None and not asked.input.is_file():
        _tell(f"{asked.input} is not a file")
        return 2
    wanted = Wanted(asked.input, asked.size, asked.rounds, asked.out, SUBJECTS, PEERS, traps.GROUPS)
    missing = run(wanted)
    for who in missing:
        _tell(f"NOT RUN: {who}")
    return 1 if missing and os.environ.get("CI") == "true" else 0


if __name__ == "__main__":
    sys.exit(main())
