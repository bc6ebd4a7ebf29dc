"""Requests over many connections at once, each as soon as its last answer is whole.

It reads just enough of HTTP to know where an answer ends; what is asked is the bench's business.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from time import perf_counter

_LENGTH = re.compile(rb"\r\ncontent-length: (\d+)\r\n", re.IGNORECASE)


class Unexpected(Exception):
    """An answer that is not 200: a bench must not measure refusals."""


class _Caller(asyncio.Protocol):
    def __init__(self, load: _Load) -> None:
        self._load = load
        self._buffer = bytearray()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._ask()

    def _ask(self) -> None:
        request = self._load.next()
        if request is None:
            self._transport.close()
            self._load.ended()
            return
        self._began = perf_counter()
        self._transport.write(request)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head = self._buffer.find(b"\r\n\r\n")
        if head < 0:
            return
        found = _LENGTH.search(self._buffer, 0, head + 2)
        if not self._buffer.startswith(b"HTTP/1.1 200") or found is None:
            self._load.failed(Unexpected(bytes(self._buffer[:300])))
            return
        if len(self._buffer) < head + 4 + int(found[1]):
            return
        self._load.answered(perf_counter() - self._began)
        self._buffer.clear()
        self._ask()


class _Load:
    def __init__(
        self, requests: Sequence[bytes], count: int, watched: Callable[[int], object]
    ) -> None:
        self._requests, self._left, self._watched = requests, count, watched
        self.seconds: list[float] = []
        self.done = asyncio.get_running_loop().create_future()
        self._open = 0

    def next(self) -> bytes | None:
        if self._left == 0:
            return None
        self._left -= 1
        return self._requests[self._left % len(self._requests)]

    def answered(self, seconds: float) -> None:
        self.seconds.append(seconds)
        self._watched(len(self.seconds))

    def ended(self) -> None:
        self._open -= 1
        if self._open == 0 and not self.done.done():
            self.done.set_result(None)

    def failed(self, error: Exception) -> None:
        if not self.done.done():
            self.done.set_exception(error)

    async def over(self, port: int, connections: int) -> None:
        loop = asyncio.get_running_loop()
        self._open = connections
        opened: list[asyncio.Transport] = []
        try:
            for _ in range(connections):
                found, _ = await loop.create_connection(lambda: _Caller(self), "127.0.0.1", port)
                opened.append(found)
            await self.done
        finally:
            for transport in opened:
                transport.abort()
            await asyncio.sleep(0)


def ask(
    port: int,
    requests: Sequence[bytes],
    count: int,
    connections: int,
    watched: Callable[[int], object] = lambda _: None,
) -> tuple[float, list[float]]:
    """How long all of it took, and each request, in seconds."""

    async def over() -> tuple[float, list[float]]:
        load = _Load(requests, count, watched)
        began = perf_counter()
        await load.over(port, connections)
        return perf_counter() - began, load.seconds

    return asyncio.run(over())
