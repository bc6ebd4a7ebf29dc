"""A scenario's web on loopback: names, TLS, each host at an address of its own, reached as a user
would reach it, by --connect-to and --cacert.

What is answered stands in the scenario; the client is the real one.
"""

from __future__ import annotations

import asyncio
import itertools
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from sameas.net.client import Client
from sameas.net.settings import ConnectTo, Settings
from sameas.resolve.probe import Resolver
from sameas.resolve.types import Resolution
from tests.net.servers import Answer, Asked, HangUp, Pause, Server, authority, tls
from tests.resolve.scenario import NOW, Scenario, Told

_NOBODY = "127.0.0.1:1"
"""Where a connection is refused."""
_PORTS = {"http": 80, "https": 443}


@contextmanager
def served(
    scenario: Scenario, patch: pytest.MonkeyPatch
) -> Iterator[tuple[Settings, list[Server]]]:
    """Settings under which the scenario's hosts are found, and the servers that play them."""
    hosts = sorted({origin.partition("://")[2] for origin in scenario.hosts})
    names: dict[str, list[str] | int] = {}
    rules, servers = [], []
    with ExitStack() as stack:
        for number, host in enumerate(hosts, 2):
            for scheme, port in _PORTS.items():
                origin = f"{scheme}://{host}"
                what = scenario.hosts.get(origin, "refuses")
                if what == "private":
                    names[host] = ["10.0.0.1"]
                elif what == "no name server":
                    names[host] = socket.EAI_AGAIN
                elif what == "refuses":
                    rules.append(f"{host}:{port}:{_NOBODY}")
                else:
                    server = stack.enter_context(_server(scenario, origin, f"127.0.0.{number}"))
                    servers.append(server)
                    rules.append(f"{host}:{port}:{server.address}:{server.port}")
        found = [rule for rule in rules if rule.partition(":")[0] not in names]
        patch.setattr(socket, "getaddrinfo", _lookup(names))
        yield Settings(connect_to=tuple(map(ConnectTo.parse, found)), spacing=0.0), servers


def _server(scenario: Scenario, origin: str, address: str) -> Server:
    scheme, _, host = origin.partition("://")
    wrong = scenario.hosts[origin] == "bad certificate"
    context = tls("another.test" if wrong else host) if scheme == "https" else None

    def script(asked: Asked) -> Answer:
        return _answer(scenario.answer(origin, asked.method, asked.path), asked.method)

    return Server(script, address, context)


def _answer(told: Told, method: str) -> Answer:
    if told.trouble == "hangs up":
        return (HangUp(),)
    if told.trouble == "hangs":
        return (Pause(30),)
    length = 1 << 30 if told.endless else len(told.body)
    lines = [f"HTTP/1.1 {told.status} Said", f"Content-Length: {length}"]
    lines += [f"{name}: {value}" for name, value in told.headers]
    head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
    if method == "HEAD":
        return (head,)
    return (head + told.body, *itertools.repeat(b" " * 65_536, 64 if told.endless else 0))


def _lookup(names: dict[str, list[str] | int]) -> Any:
    """Names that are not of this web have no address, and nobody outside is asked for one."""
    real = socket.getaddrinfo

    def look_up(host: Any, port: Any, *args: Any, **options: Any) -> Any:
        answer = names.get(host)
        if isinstance(answer, list):
            return real(answer[0], port, *args, **options)
        try:
            return real(host, port, flags=socket.AI_NUMERICHOST)
        except socket.gaierror:
            code = answer if isinstance(answer, int) else socket.EAI_NONAME
            raise socket.gaierror(code, "cannot be found") from None

    return look_up


@contextmanager
def trusted(folder: Path) -> Iterator[str]:
    file = folder / "authority.pem"
    authority().cert_pem.write_to_path(str(file))
    yield str(file)


def resolved_there(scenario: Scenario, settings: Settings) -> Resolution:
    async def run() -> Resolution:
        async with Client(settings) as client:
            around = (scenario.policy, scenario.facts(), scenario.allow)
            return await Resolver(client, *around, lambda: NOW).resolve(scenario.link)

    return asyncio.run(run())
