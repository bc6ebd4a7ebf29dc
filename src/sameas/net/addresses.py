"""Where a request may be connected to: names resolved once, every answer checked, and pinned.

aiohttp asks it twice: as its resolver, and for each socket. Which addresses are public is `guard`'s
business; the resolver alone would let numeric hosts through, so the socket is refused as well.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from ipaddress import ip_address
from typing import Any

from aiohttp.abc import AbstractResolver, ResolveResult

from sameas.errors import NetError
from sameas.net.guard import Address, numeric, refusal
from sameas.net.settings import Settings
from sameas.net.target import Target

_NUMERIC = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV


class NotVetted(PermissionError):
    """A socket was wanted for an address that nobody checked for this request."""


class _Request:
    """One request on its way: what it is addressed to, and the addresses vetted for it."""

    __slots__ = ("target", "vetted")

    def __init__(self, target: Target) -> None:
        self.target = target
        self.vetted: set[tuple[str, int]] = set()


_request: ContextVar[_Request] = ContextVar("request")


class Addresses(AbstractResolver):
    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lookups = ThreadPoolExecutor(settings.connections, "sameas-lookup")
        """As many as there are connections: a name server that hangs delays no other host."""

    def begin(self, target: Target) -> None:
        """From here on, in this task, connections are made for this target alone."""
        request = _Request(target)
        if target.address is not None:
            if target.connect_to is not None:
                raise NetError(
                    "connection", target.shown, "--connect-to redirects names, not addresses"
                )
            self._vet(request, [target.address], target.port)
        elif not self._settings.allow_networks:
            self._want_port(target)
        _request.set(request)

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        del port, family  # the request at hand knows better
        request = _request.get()
        rule = request.target.connect_to
        name, to_port = request.target.host, request.target.port
        if rule is not None:
            name, to_port = rule.to_host or name, rule.to_port or to_port
        known = numeric(name)
        found = [known] if known is not None else await self._look_up(name, request.target)
        if rule is not None and rule.to_host:
            request.vetted.update((str(address), to_port) for address in found)
        else:
            self._vet(request, found, to_port)
        return [_result(host, address, to_port) for address in found]

    async def _look_up(self, name: str, target: Target) -> list[Address]:
        loop = asyncio.get_running_loop()
        try:
            answers = await loop.run_in_executor(self._lookups, _answers, name)
        except (OSError, UnicodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is no name a server has"
            said = f"{name} cannot be found: {reason} (is it spelled right? is the network there?)"
            raise NetError("dns", target.shown, said) from error
        return list(dict.fromkeys(ip_address(answer) for answer in answers))

    def _vet(self, request: _Request, found: Sequence[Address], port: int) -> None:
        """All of them, or none: a name with one bad answer is not asked at its good ones."""
        target = request.target
        for address in found:
            if any(address in network for network in self._settings.allow_networks):
                continue
            kind = refusal(address)
            if kind:
                numeric = target.address is not None
                where = f"{address} is" if numeric else f"{target.host} is {address},"
                said = f"{where} {kind}, and only public ones are asked"
                hint = f"--allow-network {address} would open it"
                raise NetError("private_address", target.shown, f"{said} ({hint})")
            self._want_port(target)
        request.vetted.update((str(address), port) for address in found)

    def _want_port(self, target: Target) -> None:
        rule = target.connect_to
        if rule is not None and (rule.port or rule.to_port):
            return
        wanted = sorted(self._settings.ports)
        if target.port not in wanted:
            said = f"port {target.port} is not asked, only {' and '.join(map(str, wanted))}"
            hint = "--allow-network opens every port of a network, --connect-to those of one host"
            raise NetError("port", target.shown, f"{said} ({hint})")

    def socket(self, info: tuple[Any, ...]) -> socket.socket:
        """aiohttp's `socket_factory`: the last look before a connection is made."""
        family, kind, protocol, _, address = info
        if (address[0], address[1]) not in _request.get().vetted:
            raise NotVetted(errno.EACCES, f"{address[0]} was not vetted for this request")
        return socket.socket(family, kind, protocol)

    async def close(self) -> None:
        self._lookups.shutdown(wait=False, cancel_futures=True)


def _answers(name: str) -> list[str]:
    """Every address of a name, with the zone where it has one (which makes it link-local)."""
    found = socket.getaddrinfo(name, None, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
    return [str(address[0]) for *_, address in found]


def _result(host: str, address: Address, port: int) -> ResolveResult:
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    return ResolveResult(
        hostname=host, host=str(address), port=port, family=family, proto=0, flags=_NUMERIC
    )
