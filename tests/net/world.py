"""An internet for tests: names answer as they are told to, and every address leads to one server.

A connection that is attempted is recorded with the address it was meant for, then made to the
server instead. So whoever is not held back does arrive, and nothing ever leaves this machine.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from typing import Any

import pytest

from tests.net.servers import Server

PUBLIC = "93.184.216.34"
PUBLIC_V6 = "2606:2800:220:1:248:1893:25c8:1946"


class World:
    def __init__(self, server: Server, patch: pytest.MonkeyPatch) -> None:
        self.server = server
        self.reached: list[tuple[str, int]] = []
        self.lookups: list[str] = []
        self._names: dict[str, list[Sequence[str]]] = {}
        self._real_lookup = socket.getaddrinfo
        self._real_connect = asyncio.SelectorEventLoop.sock_connect
        world = self

        async def connect(loop: Any, sock: socket.socket, address: Any) -> None:
            await world._connect(loop, sock, address)

        patch.setattr(socket, "getaddrinfo", self._look_up)
        patch.setattr(asyncio.SelectorEventLoop, "sock_connect", connect)

    def name(self, name: str, *answers: Sequence[str]) -> None:
        """What the name stands for, one answer a lookup; the last one stays."""
        self._names[name] = list(answers)

    def _look_up(
        self, host: Any, port: Any, family: int = 0, type: int = 0, proto: int = 0, flags: int = 0
    ) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        try:
            return self._real_lookup(name, port, family, type, proto, socket.AI_NUMERICHOST | flags)
        except OSError:
            self.lookups.append(name)
            answers = self._names.get(name)
            if not answers:
                raise socket.gaierror(socket.EAI_NONAME, "Name or service not known") from None
            given = answers.pop(0) if len(answers) > 1 else answers[0]
            return [_entry(address, port or 0) for address in given]

    async def _connect(self, loop: Any, sock: socket.socket, address: Any) -> None:
        self.reached.append((address[0], address[1]))
        there = "::ffff:127.0.0.1" if sock.family == socket.AF_INET6 else "127.0.0.1"
        await self._real_connect(loop, sock, (there, self.server.port))


def _entry(address: str, port: int) -> tuple[Any, ...]:
    bare, _, zone = address.partition("%")
    if ":" in bare:
        where: tuple[Any, ...] = (address, port, 0, 1 if zone else 0)
        return socket.AF_INET6, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", where
    return socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP, "", (address, port)
