"""A registry checked, small and ten times as large: what it takes in time and in memory.

`python -m bench.registry` measures and writes docs/bench/registry.md. Each run is a process of its
own, as a user would start it; the links lead to the server of bench/resolve_server.py.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from subprocess import DEVNULL, Popen
from time import perf_counter

from bench import machine
from bench.markdown import table
from bench.resolve_server import Near, serving
from sameas.store.link_types import Domain
from sameas.store.opening import open_store

PAGE = Path(__file__).parent.parent / "docs" / "bench" / "registry.md"
LINKS, TIMES = 50_000, 10
_A_FILE = 50
_A_HOST = 10
_EVERY = {"dead": 25, "written oddly": 10, "a duplicate": 20}

RUNS = (
    ("offline", ("--offline",)),
    ("every link asked", ()),
    ("again: nothing is due", ()),
)


@dataclass(frozen=True)
class Reading:
    name: str
    links: int
    seconds: float
    processor: float
    mebibytes: float
    """The most memory the process ever had."""


def url(n: int, links: int) -> str:
    hosts = max(links // _A_HOST, 1)
    place = f"http://sede.host-{n % hosts}.test"
    if n % _EVERY["dead"] == 0:
        return f"{place}/docs/gone/page-{n}"
    if n % _EVERY["a duplicate"] == 1:
        n = n - 1 if (n - 1) % _EVERY["dead"] else n
        place = f"http://sede.host-{n % hosts}.test"
    odd = "?utm_source=boletin" if n % _EVERY["written oddly"] == 3 else ""
    return f"{place}/docs/a/{n}.pdf{odd}"


def most_exchanges(links: int) -> int:
    """Of the host that is asked most: by HEAD, and by GET as well where a link is dead."""
    pages = {url(n, links).partition("?")[0] for n in range(links)}
    asked: Counter[str] = Counter()
    for page in pages:
        asked[page.split("/")[2]] += 2 if "/gone/" in page else 1
    return max(asked.values())


def write_registry(folder: Path, links: int) -> None:
    folder.mkdir()
    for start in range(0, links, _A_FILE):
        numbers = range(start, min(start + _A_FILE, links))
        records = [{"titulo": f"Trámite {n}", "fuente_url": url(n, links)} for n in numbers]
        text = json.dumps(records, ensure_ascii=False, indent=2)
        (folder / f"{start}.json").write_text(text, encoding="utf-8")


def write_facts(store: Path, links: int) -> None:
    """The server speaks no TLS, and that is known, so that nobody tries."""
    kept = open_store(str(store))
    try:
        for n in range(max(links // _A_HOST, 1)):
            kept.save_domain(Domain(f"sede.host-{n}.test", None, False, datetime.now(UTC)))
    finally:
        kept.close()


@contextmanager
def registry(links: int) -> Iterator[list[str]]:
    """A folder of records and a store; gives the command that checks them."""
    with tempfile.TemporaryDirectory() as place, serving(Near) as (port, _):
        write_registry(Path(place, "tramites"), links)
        store = Path(place, "links.db")
        write_facts(store, links)
        led = f":80:127.0.0.1:{port}"
        options = ["--store", str(store), "--connect-to", led, "--allow", "*.test", "--json"]
        yield [sys.executable, "-m", "sameas", "registry", "check", *options, place]


def measured(name: str, command: Sequence[str], links: int) -> Reading:
    _tell(f"{links:,} links, {name}")
    begin = perf_counter()
    process = Popen(command, stdout=DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 1, f"{name} ended with {process.returncode}"
    seconds = perf_counter() - begin
    return Reading(name, links, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def measure(links: int) -> list[Reading]:
    found = []
    for count in (links // TIMES, links):
        with registry(count) as command:
            found += [measured(name, [*command, *options], count) for name, options in RUNS]
    return found


def page(readings: Sequence[Reading], links: int) -> str:
    command = "python -m bench.registry" + ("" if links == LINKS else f" --links {links}")
    date = datetime.now(UTC).date().isoformat()
    facts = table(("", ""), [*machine.facts().items(), ("date", date), ("command", f"`{command}`")])
    rows = []
    for name, _ in RUNS:
        small, large = (reading for reading in readings if reading.name == name)
        more = large.mebibytes - small.mebibytes
        for one, grown in ((small, ""), (large, f"{more:+.0f} MiB")):
            spent = f"{one.seconds:,.0f} s", f"{one.processor:,.0f} s"
            each = f"{1e6 * one.processor / one.links:,.0f} µs"
            rows.append((name, f"{one.links:,}", *spent, each, f"{one.mebibytes:.0f} MiB", grown))
    head = ("run", "links", "time", "processor", "a link", "most memory", "more than a tenth took")
    most = most_exchanges(links)
    every = ", ".join(f"one in {often} is {what}" for what, often in _EVERY.items())
    return "\n".join(
        (
            "# A registry checked\n",
            "This page is written by the command below, and by nobody's hand.\n",
            facts,
            f"Files of {_A_FILE} records, one link in each; {_A_HOST} links a host; {every}. Each "
            "run is `sameas registry check` as a process of its own, with its store in a file, and "
            "with the pace that real hosts are asked at: at least a second between two requests "
            f"to one. The host that is asked most is asked {most} times, since a dead link takes "
            f"two exchanges: {most - 1} s at the least, however few links there are.\n",
            table(head, rows, right=range(1, 7)),
            "What a run knows of its links is kept on disk: ten times as many take no ten times "
            "the memory. What still grows is what is counted by host: the pace of each, and how "
            "often it did not answer.\n",
        )
    )


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.registry", description=__doc__)
    parser.add_argument("--links", type=int, default=LINKS, help="of the larger registry")
    parser.add_argument("--out", type=Path, default=PAGE, help="the page to write")
    asked = parser.parse_args(given)
    text = page(measure(asked.links), asked.links)
    asked.out.write_text(text, encoding="utf-8")
    _tell(f"wrote {asked.out.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
