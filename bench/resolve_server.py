"""The server that resolving is measured against: answers from memory, in a process of its own.

What is measured is bench/resolve.py's business.
"""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import perf_counter
from typing import ClassVar

FAR = 0.1
"""Seconds until a host far away answers."""
_LINE = "<p>Requisito {0}: <a href='/es/{0}'>ver</a> lo que hace falta.</p>"
_TEXT = "".join(_LINE.format(n) for n in range(30))
_HEAD = (
    "<html lang=es><head><title>Trámite</title><link rel=canonical href='{}'></head>"
    "<h1>Trámite {}</h1>"
)


def answer(method: str, path: str) -> bytes:
    parts = path.split("/")
    if parts[1] == "r" and parts[2] != "0":
        left, name = int(parts[2]) - 1, parts[3]
        lines = f"HTTP/1.1 301 Moved\r\nLocation: /r/{left}/{name}\r\nContent-Length: 0"
        return f"{lines}\r\n\r\n".encode()
    if path.endswith(".pdf"):
        return b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 0\r\n\r\n"
    if not parts[-1].isdigit():
        return b"HTTP/1.1 404 Not Found\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n"
    body = (_HEAD.format(path, parts[-1]) + _TEXT).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + (body if method == "GET" else b"")


class Near(asyncio.Protocol):
    """Answers at once."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport, self._buffer = transport, b""

    def data_received(self, data: bytes) -> None:
        *asked, self._buffer = (self._buffer + data).split(b"\r\n\r\n")
        for one in asked:
            method, path, _ = one.decode("latin-1").split(" ", 2)
            self.answer(answer(method, path))

    def answer(self, answer: bytes) -> None:
        self._transport.write(answer)


class Far(Near):
    def answer(self, answer: bytes) -> None:
        asyncio.get_running_loop().call_later(FAR, self._transport.write, answer)


class Counting(asyncio.Protocol):
    """Answers after a while, and counts how many of a host's requests it has at once, and when
    they came."""

    at_once: ClassVar[Counter[str]] = Counter()
    most: ClassVar[Counter[str]] = Counter()
    starts: ClassVar[defaultdict[str, list[float]]] = defaultdict(list)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        method, path, rest = data.decode("latin-1").split(" ", 2)
        host = rest.partition("Host: ")[2].partition("\r\n")[0]
        self.starts[host].append(perf_counter())
        self.at_once[host] += 1
        self.most[host] = max(self.most[host], self.at_once[host])
        asyncio.get_running_loop().call_later(0.02, self._done, host, answer(method, path))

    def _done(self, host: str, answer: bytes) -> None:
        self.at_once[host] -= 1
        self._transport.write(answer)


def _serve(pipe: Connection, protocol: type[asyncio.Protocol]) -> None:
    async def forever() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(protocol, "127.0.0.1", 0, backlog=1024)
        pipe.send(server.sockets[0].getsockname()[1])
        await loop.run_in_executor(None, pipe.recv)
        starts = Counting.starts.values()
        gaps = [(times[-1] - times[0]) / (len(times) - 1) for times in starts if len(times) > 1]
        pipe.send((max(Counting.most.values(), default=0), min(gaps, default=0.0)))

    asyncio.run(forever())


@contextmanager
def serving(protocol: type[asyncio.Protocol] = Near) -> Iterator[tuple[int, Connection]]:
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, protocol), daemon=True)
    process.start()
    try:
        yield ours.recv(), ours
    finally:
        process.kill()
        process.join()
        ours.close()
