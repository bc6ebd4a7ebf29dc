"""Three things aiohttp lets pass on a connection: bytes left on it, an end in the middle, and a
goodbye that nobody answers.

It knows connections alone; what is asked and answered over them is the client's business.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.client_reqrep import ConnectionKey
from aiohttp.connector import Connection


class Connector(aiohttp.TCPConnector):
    """A connection that is not kept is cut. aiohttp closes it, which over TLS means to agree on it
    with the other side, and forgets it at once: a run that ends meanwhile leaves it open."""

    def _release(
        self, key: ConnectionKey, protocol: ResponseHandler, *, should_close: bool = False
    ) -> None:
        if should_close or protocol.should_close:
            protocol.abort()
        super()._release(key, protocol, should_close=should_close)


class CleanRequest(aiohttp.ClientRequest):
    """What arrived on a kept connection before anything was asked is nobody's answer. aiohttp would
    take it for ours; told that the server left, it asks on a new connection."""

    async def send(self, conn: Connection) -> aiohttp.ClientResponse:
        if conn.protocol is None or conn.protocol.should_close:
            raise aiohttp.ServerDisconnectedError
        return await super().send(conn)


@contextmanager
def torn_when_closed(answer: aiohttp.ClientResponse) -> Iterator[None]:
    """A body still being read when its connection ends is torn. After a chunk that is none, aiohttp
    closes and tells nobody, and who reads would wait until the deadline."""
    content = answer.content
    if content.is_eof():
        yield
        return

    def torn(closed: asyncio.Future[None] | None) -> None:
        if closed is not None and not closed.cancelled():
            closed.exception()  # seen, so asyncio does not report it
        if not content.is_eof() and content.exception() is None:
            content.set_exception(aiohttp.ClientPayloadError())

    protocol = answer.connection.protocol if answer.connection is not None else None
    closed = protocol.closed if protocol is not None else None
    if closed is None:
        torn(None)
        yield
        return
    closed.add_done_callback(torn)
    try:
        yield
    finally:
        closed.remove_done_callback(torn)
