"""`python -m bench.serve`: the service under 200 connections, beside a bare route of its framework.

It decides what is measured; the load is in serve_load.py, the bare route in serve_bare.py.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from urllib.parse import quote

from bench import machine
from bench.corpus import make
from bench.serve_load import ask
from bench.serve_page import Reading, Run, page
from sameas.policy import named
from sameas.types import Canonical

PAGE = Path(__file__).parent.parent / "docs" / "bench" / "serve.md"
CONNECTIONS, SINGLE, BATCHES, SIZE = 200, 20_000, 400, 100
LARGE = 10_000
MEMORY = 1_000_000
_SAMPLES = 200
_ROUNDS = 5
_ANSWER = 400
"""Bytes of an answer about one URL, about."""


@dataclass(frozen=True)
class Served:
    process: subprocess.Popen[bytes]
    port: int

    def resident(self) -> int:
        """Bytes of memory that the process holds."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        (line,) = [line for line in status.splitlines() if line.startswith("VmRSS")]
        return int(line.split()[1]) * 1024


@contextmanager
def _ours() -> Iterator[Served]:
    with tempfile.TemporaryDirectory() as folder:
        store = ["--store", f"{folder}/s.db"]
        words = ["-m", "sameas", "serve", "--port", "0", "--rate", "1e9", *store]
        with (
            open(f"{folder}/log", "wb") as log,
            subprocess.Popen([sys.executable, *words], stderr=log) as process,
        ):
            while not (lines := Path(f"{folder}/log").read_bytes().splitlines()):
                if process.poll() is not None:
                    raise SystemExit("the service did not start")
            try:
                yield Served(process, int(json.loads(lines[0])["url"].rpartition(":")[2]))
            finally:
                process.terminate()


@contextmanager
def _bare(answer: int) -> Iterator[Served]:
    words = [sys.executable, "-m", "bench.serve_bare", str(answer)]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            yield Served(process, int(process.stdout.readline()))
        finally:
            process.terminate()


def get(path: str, url: str) -> bytes:
    return f"GET {path}?url={quote(url, safe='')} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def post(path: str, urls: Sequence[str]) -> bytes:
    body = json.dumps({"urls": urls}).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def _read(what: str, who: str, port: int, requests: Sequence[bytes], count: int) -> Reading:
    ask(port, requests, min(count, 4 * CONNECTIONS), CONNECTIONS)  # warm
    seconds, each = ask(port, requests, count, CONNECTIONS)
    cuts = quantiles(each, n=100)
    return Reading(what, who, count / seconds, cuts[49], cuts[98])


def compared(urls: Sequence[str], single: int, batches: int) -> list[Reading]:
    pieces = [urls[i : i + SIZE] for i in range(0, len(urls) - SIZE, SIZE)]
    kinds = (
        ("single", [get("/{}", url) for url in urls], single, _ANSWER),
        (f"batch of {SIZE}", [post("/{}", piece) for piece in pieces], batches, SIZE * _ANSWER),
    )
    found = []
    for what, requests, count, size in kinds:
        for who, served, route in (
            ("sameas", _ours(), b"/v1/canonicalize"),
            ("bare route", _bare(size), b"/bare"),
        ):
            _tell(f"{what}, {who}")
            with served as one:
                asked = [request.replace(b"/{}", route, 1) for request in requests]
                found.append(_read(what, who, one.port, asked, count))
    return found


def large(urls: Sequence[str]) -> tuple[float, float]:
    """The best of a few: the engine alone in this process, and the whole way over HTTP."""
    policy, request = named("default"), post("/v1/canonicalize", urls)
    alone, served = [], []
    with _ours() as service:
        ask(service.port, [request], 1, 1)
        for _ in range(_ROUNDS):
            began = perf_counter()
            policy.canonicalize_many(urls)
            alone.append(perf_counter() - began)
            served.append(ask(service.port, [request], 1, 1)[0])
    return min(alone), min(served)


def remembered(urls: Sequence[str], count: int) -> list[tuple[int, int]]:
    """Requests answered, and what the process held then."""
    requests = [get("/v1/canonicalize", url) for url in urls]
    found: list[tuple[int, int]] = []
    step = max(1, count // _SAMPLES)
    with _ours() as service:

        def watched(done: int) -> None:
            if done % step == 0:
                found.append((done, service.resident()))

        ask(service.port, requests, count, CONNECTIONS, watched)
    return found


def _tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.serve", description=__doc__)
    parser.add_argument("--single", type=int, default=SINGLE, help="requests of one URL")
    parser.add_argument("--batches", type=int, default=BATCHES, help=f"requests of {SIZE} URLs")
    parser.add_argument("--memory", type=int, default=MEMORY, help="requests to watch memory over")
    parser.add_argument("--out", type=Path, default=PAGE, help="the page to write")
    asked = parser.parse_args(given)
    policy = named("default")
    urls = [u for u in make(2 * LARGE) if isinstance(policy.canonicalize_many([u])[0], Canonical)]
    urls = urls[:LARGE]
    readings = compared(urls, asked.single, asked.batches)
    _tell(f"a batch of {LARGE:,}")
    batch = large(urls)
    _tell(f"memory over {asked.memory:,} requests")
    samples = remembered(urls, asked.memory)
    options = [
        f"--{name} {getattr(asked, name)}"
        for name in ("single", "batches", "memory")
        if getattr(asked, name) != parser.get_default(name)
    ]
    command = " ".join(["python -m bench.serve", *options])
    facts = {
        **machine.facts(),
        "date": datetime.now(UTC).date().isoformat(),
        "command": f"`{command}`",
    }
    run = Run(facts, CONNECTIONS, LARGE, _ROUNDS, readings, batch, samples)
    asked.out.write_text(page(run), encoding="utf-8")
    _tell(f"wrote {asked.out.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
