"""A client that answers from a scenario without any network, and keeps what it was asked."""

from __future__ import annotations

import asyncio
import errno
import socket
from typing import Any
from urllib.parse import urlsplit

from sameas.errors import NetError
from sameas.net.guard import numeric, refusal
from sameas.net.reply import Headers, Reply
from sameas.resolve.probe import Resolver
from sameas.resolve.types import Resolution
from tests.resolve.scenario import NOW, Scenario


class FakeClient:
    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.asked: list[str] = []

    async def ask(self, url: str, *, method: str = "GET", first: int) -> Reply:
        self.asked.append(f"{method} {url}")
        parts = urlsplit(url)
        origin = f"{parts.scheme}://{parts.netloc}"
        address = numeric(parts.netloc)
        if address is not None:
            raise NetError("private_address", url, f"{address} is {refusal(address)}")
        if origin not in self.scenario.hosts:
            raise self._nobody(url, origin)
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        told = self.scenario.answer(origin, method, path)
        if told.trouble:
            raise trouble(told.trouble, url)
        pairs = [(name.encode(), value.encode()) for name, value in told.headers]
        return Reply(
            url, told.status, Headers(pairs), b"" if method == "HEAD" else told.body[:first]
        )

    def _nobody(self, url: str, origin: str) -> NetError:
        scheme, _, host = origin.partition("://")
        other = "http" if scheme == "https" else "https"
        if f"{other}://{host}" in self.scenario.hosts:
            found = self.scenario.hosts[f"{other}://{host}"]
            return trouble(found if found in ("private", "no name server") else "refuses", url)
        return trouble("no name", url)


def trouble(kind: str, url: str) -> NetError:
    code, cause = _CAUSES[kind]
    error = NetError(code, url, f"in this scenario it {kind}")
    error.__cause__ = cause
    return error


_CAUSES: dict[str, tuple[str, BaseException | None]] = {
    "hangs up": ("connection", RuntimeError("it left")),
    "hangs": ("timeout", None),
    "refuses": ("connection", OSError(errno.ECONNREFUSED, "refused")),
    "bad certificate": ("tls", None),
    "private": ("private_address", None),
    "no name": ("dns", socket.gaierror(socket.EAI_NONAME, "unknown")),
    "no name server": ("dns", socket.gaierror(socket.EAI_AGAIN, "later")),
}


def resolved(scenario: Scenario, client: Any = None) -> Resolution:
    facts = scenario.facts()
    asked = client or FakeClient(scenario)
    resolver = Resolver(asked, scenario.policy, facts, scenario.allow, lambda: NOW)
    return asyncio.run(resolver.resolve(scenario.link))
