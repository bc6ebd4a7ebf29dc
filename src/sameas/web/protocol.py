"""HTTP as uvicorn speaks it, and an end to whoever sends the head of a request too slowly.

What a request means, and how slowly its body may come, is the gate's business.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol


def patient_for(seconds: float) -> type[H11Protocol]:
    """A protocol that waits so long for a head."""

    class Protocol(H11Protocol):
        _late: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._begin()

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self.conn.their_state is not h11.IDLE:
                self._end()
            elif self._late is None:
                self._begin()

        def connection_lost(self, exc: Exception | None) -> None:
            self._end()
            super().connection_lost(exc)

        def _begin(self) -> None:
            self._late = self.loop.call_later(seconds, self.transport.close)

        def _end(self) -> None:
            if self._late is not None:
                self._late.cancel()
                self._late = None

    return Protocol
