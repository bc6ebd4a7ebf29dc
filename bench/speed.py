"""How long a URL takes: every subject on the same list, in turn, several times over.

It decides how time is taken: as processor time, which what else runs on the machine disturbs
least. Who takes part is in peers.py, what is made of it in page.py.
"""

from __future__ import annotations

import gc
import gzip
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from bench.corpus import SEED
from bench.peers import Call, Subject

WARM_UP = 300


@dataclass(frozen=True)
class Reading:
    """One subject on one list: microseconds a URL, round by round."""

    subject: Subject
    rounds: tuple[float, ...]
    refused: int

    @property
    def best(self) -> float:
        return min(self.rounds)

    @property
    def spread(self) -> float:
        """How much slower the slowest round was, in percent."""
        return 100 * (max(self.rounds) / self.best - 1)


@dataclass(frozen=True)
class Start:
    """A fresh process: milliseconds from nothing to the first result, and its peak memory."""

    subject: Subject
    milliseconds: float
    megabytes: float


def connected(subjects: Sequence[Subject]) -> tuple[dict[str, Call], list[str]]:
    """The calls by name, and who could not be called, with the reason."""
    calls, missing = {}, []
    for subject in subjects:
        try:
            calls[subject.name] = subject.connect()
        except ImportError as error:
            missing.append(f"{subject.name} ({error})")
    return calls, missing


def measure(
    subjects: Sequence[Subject],
    calls: dict[str, Call],
    urls: Sequence[str],
    rounds: int,
    told: Callable[[str], None],
) -> list[Reading]:
    """Each round is in another order, so that no subject always follows the same one."""
    present = [subject for subject in subjects if subject.name in calls]
    times: dict[str, list[float]] = {subject.name: [] for subject in present}
    refused = {
        subject.name: _one_pass(calls[subject.name], urls[:WARM_UP])[1] for subject in present
    }
    for number in range(1, rounds + 1):
        told(f"round {number} of {rounds}, {len(urls):,} URLs")
        for subject in random.Random(number).sample(present, len(present)):
            seconds, refused[subject.name] = _one_pass(calls[subject.name], urls)
            times[subject.name].append(1e6 * seconds / len(urls))
    return [Reading(s, tuple(times[s.name]), refused[s.name]) for s in present]


def _one_pass(call: Call, urls: Sequence[str]) -> tuple[float, int]:
    refused = 0
    gc.collect()
    begin = process_time()
    for url in urls:
        try:
            call(url)
        except Exception:
            refused += 1
    return process_time() - begin, refused


def read_lines(path: Path, size: int) -> tuple[list[str], int]:
    """A fair sample of a file's lines, the same in every run, and how many lines there are."""
    chance = random.Random(SEED)
    chosen: list[str] = []
    count = 0
    for line in _lines(path):
        count += 1
        if len(chosen) < size:
            chosen.append(line)
        elif (place := chance.randrange(count)) < size:
            chosen[place] = line
    return chosen, count


def _lines(path: Path) -> Iterator[str]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8", errors="replace", newline="\n") as stream:
        for line in stream:
            if text := line.rstrip("\r\n"):
                yield text


_FRESH = """
import sys, time
url = sys.argv[1]
begin = time.process_time()
{start}
took = time.process_time() - begin
try:
    with open("/proc/self/status") as status:
        peak = next(line.split()[1] for line in status if line.startswith("VmHWM"))
except OSError:
    peak = 0
print(took, peak)
"""
_URL = "https://www.example.com/a/b?utm_source=x&id=1#top"
_STARTS = 3


def start(subject: Subject) -> Start:
    """The best of a few fresh processes; memory as the system counts it, the interpreter's too."""
    code = _FRESH.format(start=subject.start)
    found = []
    for _ in range(_STARTS):
        command = [sys.executable, "-c", code, _URL]
        answer = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        took, peak = answer.split()
        found.append((1e3 * float(took), float(peak) / 1024))
    return Start(subject, min(took for took, _ in found), min(peak for _, peak in found))
